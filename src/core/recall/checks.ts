import { label } from "./defuse.ts";

/** What became of something that a note names, found out at recall time. */
export interface ClaimCheck {
  readonly claim: string;
  readonly verdict: "holds" | "gone" | "renamed" | "unchecked";
  /** For `renamed`, the new name; for `gone`, since when. */
  readonly detail?: string;
}

/** Characters of all check lines of one note. */
const CHECK_CHARACTERS = 600;
const CLAIM_CHARACTERS = 120;

/** What is gone or renamed a line each, then what holds in one; nothing for what could not be checked. */
export function checkLines(checks: readonly ClaimCheck[]): readonly string[] {
  const of = (verdict: ClaimCheck["verdict"]): readonly ClaimCheck[] => checks.filter((check) => check.verdict === verdict);
  const holds = of("holds").map(({ claim }) => label(claim, CLAIM_CHARACTERS));
  const lines = [
    ...of("gone").map(({ claim, detail }) => `gone: ${label(claim, CLAIM_CHARACTERS)}${detail === undefined ? "" : ` (${label(detail, CLAIM_CHARACTERS)})`}`),
    ...of("renamed").map(({ claim, detail }) => `renamed: ${label(claim, CLAIM_CHARACTERS)} is now ${label(detail ?? "elsewhere", CLAIM_CHARACTERS)}`),
    ...(holds.length === 0 ? [] : [label(`still there: ${holds.join(", ")}`)]),
  ].map((line) => `- ${line}`);
  const kept: string[] = [];
  let room = CHECK_CHARACTERS;
  for (const line of lines) {
    if (line.length + 1 > room) break;
    kept.push(line);
    room -= line.length + 1;
  }
  const rest = lines.length - kept.length;
  return kept.length === 0 ? [] : ["Checked against the working tree just now:", ...kept, ...(rest === 0 ? [] : [`- and ${rest} more`])];
}
