export interface RuleFile {
  /** Globs of `paths:`; empty when the rule always loads. */
  readonly paths: readonly string[];
  /** The text below the frontmatter, as it is. */
  readonly body: string;
  readonly hadFrontmatter: boolean;
}

const FRONTMATTER = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$(?![\s\S]))/mu;
/** An unquoted value that begins so is no plain text to YAML. */
const NOT_PLAIN = /^[*&!%@`{[|>]/u;

/**
 * Reads the frontmatter of an instruction file without a YAML parser: only `paths:` matters, and people write it
 * in ways that YAML refuses and clients mend (`paths: **\/*.ts`). Takes a string, a comma-separated string, a flow
 * or a block list. A list that YAML could not read is no condition, as in Claude Code.
 */
export function readRule(text: string): RuleFile {
  const match = text.startsWith("---") ? FRONTMATTER.exec(text) : null;
  if (match === null || match.index !== 0) return { paths: [], body: text, hadFrontmatter: false };
  const paths = pathsOf((match[1] ?? "").split(/\r\n?|\n/u)).filter((path) => path !== "" && !/^\d+$/u.test(path));
  return { paths: paths.every((path) => path === "**") ? [] : paths, body: text.slice(match[0].length), hadFrontmatter: true };
}

function pathsOf(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => /^paths[ \t]*:/u.test(line));
  if (at === -1) return [];
  const first = withoutComment((lines[at] ?? "").replace(/^paths[ \t]*:/u, "")).trim();
  if (first !== "" && !first.startsWith("[")) return splitList(unquoted(first));
  const rest = lines.slice(at + 1);
  const stop = rest.findIndex((line) => /^[^\s#-]/u.test(line));
  const block = (stop === -1 ? rest : rest.slice(0, stop)).map((line) => withoutComment(line).trim()).filter((line) => line !== "");
  if (first.startsWith("[")) return flowList([first, ...block].join(" "));
  const items = block.filter((line) => /^-(?:\s|$)/u.test(line)).map((line) => line.slice(1).trim());
  return items.some((item) => NOT_PLAIN.test(item)) ? [] : items.map(unquoted);
}

/** `[a, "b"]`; what YAML could not read is one text, as Claude Code mends it. */
function flowList(text: string): string[] {
  const inner = /^\[(.*)\]$/su.exec(text)?.[1];
  const items = inner === undefined ? [] : splitList(inner);
  return inner === undefined || items.some((item) => NOT_PLAIN.test(item)) ? splitList(text) : items.map(unquoted);
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
  return [...parts, part].map((item) => item.trim()).filter((item) => item !== "");
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
