import { splitFrontmatter } from "../notes/frontmatter.ts";

export interface RuleFile {
  /** Globs of `paths:`; empty when the rule always loads. */
  readonly paths: readonly string[];
  readonly body: string;
  readonly hadFrontmatter: boolean;
}

/**
 * Reads a rule's frontmatter without a YAML parser: only `paths:` matters, and people write it in ways that
 * YAML refuses (`paths: **\/*.ts`). Takes a string, a comma-separated string, a flow or a block list.
 */
export function readRule(text: string): RuleFile {
  const { state, block, body } = splitFrontmatter(text);
  if (state !== "closed") return { paths: [], body: text, hadFrontmatter: false };
  return { paths: pathsOf(block.split("\n")), body: body.replace(/^\n+/u, ""), hadFrontmatter: true };
}

function pathsOf(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => /^paths[ \t]*:/u.test(line));
  if (at === -1) return [];
  const first = withoutComment((lines[at] ?? "").replace(/^paths[ \t]*:/u, "")).trim();
  if (first !== "" && !first.startsWith("[")) return splitList(first);
  const rest = lines.slice(at + 1);
  const stop = rest.findIndex((line) => /^[^\s#-]/u.test(line));
  const block = (stop === -1 ? rest : rest.slice(0, stop)).map((line) => withoutComment(line).trim()).filter((line) => line !== "");
  if (first.startsWith("[")) return splitList([first, ...block].join(" ").replace(/^\[/u, "").replace(/\][^\]]*$/u, ""));
  return block.flatMap((line) => (line.startsWith("- ") || line === "-" ? splitList(line.slice(1).trim()) : splitList(line)));
}

/** Splits at commas outside quotes and braces. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  let quote = "";
  let depth = 0;
  for (const character of text) {
    if (quote !== "") quote = character === quote ? "" : quote;
    else if ((character === '"' || character === "'") && part.trim() === "") quote = character;
    else if (character === "{") depth++;
    else if (character === "}") depth--;
    if (character === "," && quote === "" && depth <= 0) {
      parts.push(part);
      part = "";
    } else part += character;
  }
  return [...parts, part].map(unquoted).filter((glob) => glob !== "");
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  const quote = trimmed[0];
  return (quote === '"' || quote === "'") && trimmed.endsWith(quote) && trimmed.length > 1 ? trimmed.slice(1, -1) : trimmed;
}

/** A `#` after white space begins a comment, outside quotes. */
function withoutComment(line: string): string {
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "#" && (at === 0 || /\s/u.test(line[at - 1] ?? ""))) return line.slice(0, at);
  }
  return line;
}
