import { isObject, objectsOf, stringOf } from "../transcripts/turn.ts";
import { parseJson } from "../shared/json.ts";
import { sha256 } from "../shared/hash.ts";

/** Longer pasted text is stored separately and shown as a mark (characters). */
const PASTE_LIMIT = 1_024;

export interface Paste {
  /** Lower-case hex; name of the file with the text. */
  readonly sha256: string;
  readonly text: string;
}

export interface FoldedPrompt {
  /** As shown: `fix this [Pasted text #1 +40 lines]`. */
  readonly shown: string;
  /** In order of the numbers in the marks, from 1. */
  readonly pastes: readonly Paste[];
}

const FENCED = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$/gmu;

/**
 * Replaces long fenced blocks by marks. If the rest is still long, all after its first line is replaced too, since
 * people do not type that much: clients send typed and pasted text as one.
 */
export function foldPastes(prompt: string): FoldedPrompt {
  const pastes: Paste[] = [];
  const fold = (text: string): string => {
    pastes.push({ sha256: sha256(text), text });
    return pasteMark(pastes.length, text);
  };
  const unfenced = prompt.replace(FENCED, (block) => (block.length > PASTE_LIMIT ? fold(block) : block));
  if (unfenced.length <= PASTE_LIMIT) return { shown: unfenced, pastes };
  const end = unfenced.indexOf("\n");
  // Nested marks would be meaningless, so the original prompt is folded.
  pastes.length = 0;
  const typed = end < 0 || end > PASTE_LIMIT ? "" : prompt.slice(0, prompt.indexOf("\n"));
  const rest = typed === "" ? prompt : prompt.slice(typed.length + 1);
  return { shown: [typed, fold(rest)].filter((part) => part !== "").join("\n"), pastes };
}

function pasteMark(number: number, text: string): string {
  const lines = text.split("\n").length - 1;
  return lines === 0 ? `[Pasted text #${number}]` : `[Pasted text #${number} +${lines} lines]`;
}

/** The prompt with its marks replaced by their texts; a mark without a text stays. */
export function expandPastes(shown: string, textOf: (number: number) => string | undefined): string {
  return shown.replace(
    /\[Pasted text #(\d+)(?: \+\d+ lines)?\]/gu,
    (mark, number: string) => textOf(Number(number)) ?? mark,
  );
}

/** A prompt in the history, one per line. */
export interface KeptPrompt {
  /** ISO time. */
  readonly time: string;
  /** Directory of the project. */
  readonly project: string;
  readonly session: string | undefined;
  readonly agent: string | undefined;
  /** With marks in place of long pastes. */
  readonly prompt: string;
  readonly pastes: readonly { readonly number: number; readonly sha256: string }[];
}

export function historyLine(prompt: KeptPrompt): string {
  return `${JSON.stringify(prompt)}\n`;
}

/** Unreadable lines are skipped: a full disk can leave half a line. */
export function readHistory(text: string): readonly KeptPrompt[] {
  return text.split("\n").flatMap((line) => {
    const value = parseJson(line);
    if (!isObject(value)) return [];
    const { time, project, prompt } = value;
    if (
      typeof time !== "string" ||
      typeof project !== "string" ||
      typeof prompt !== "string" ||
      !Number.isFinite(Date.parse(time))
    )
      return [];
    const pastes = objectsOf(value["pastes"]).flatMap(({ number, sha256: hash }) =>
      typeof number === "number" && typeof hash === "string" && /^[0-9a-f]{64}$/u.test(hash)
        ? [{ number, sha256: hash }]
        : [],
    );
    return [{ time, project, session: stringOf(value["session"]), agent: stringOf(value["agent"]), prompt, pastes }];
  });
}

/** The newest prompts of each project, newest first; the same prompt of one session at one time is listed once. */
export function newestPrompts(prompts: readonly KeptPrompt[], perProject: number): readonly KeptPrompt[] {
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  return prompts
    .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time))
    .filter((one) => {
      const key = JSON.stringify([one.project, one.session, one.prompt, one.time]);
      const count = counts.get(one.project) ?? 0;
      if (seen.has(key) || count >= perProject) return false;
      seen.add(key);
      counts.set(one.project, count + 1);
      return true;
    });
}
