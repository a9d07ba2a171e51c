import { loadIndex } from "../notes/index-file.ts";
import type { Place } from "./clients/client.ts";
import { decodeFile } from "./ports.ts";

/** More patterns than this from one are a mistake or an attack; the rest is dropped. */
const MOST = 1_000;

/** `src/*.{ts,tsx}` → `src/*.ts`, `src/*.tsx`; also nested braces. An unclosed brace stays as written. */
export function expandBraces(pattern: string): string[] {
  let out = [pattern];
  for (;;) {
    let changed = false;
    const next: string[] = [];
    for (const one of out) {
      const found = innermost(one);
      if (found === undefined || next.length >= MOST) {
        next.push(one);
        continue;
      }
      changed = true;
      for (const choice of found.choices) next.push(one.slice(0, found.start) + choice + one.slice(found.end));
    }
    out = next.slice(0, MOST);
    if (!changed || out.length === MOST) return out;
  }
}

function innermost(
  pattern: string,
): { readonly start: number; readonly end: number; readonly choices: readonly string[] } | undefined {
  const match = /\{([^{}]*,[^{}]*)\}/u.exec(pattern);
  return match === null
    ? undefined
    : { start: match.index, end: match.index + match[0].length, choices: (match[1] ?? "").split(",") };
}

export interface RuleFile {
  /** Globs of `paths:`; empty when the rule always loads. */
  readonly paths: readonly string[];
  /** The text after the frontmatter, leading white space removed. */
  readonly body: string;
  readonly hadFrontmatter: boolean;
}

const OPEN = /^---\s*\n/u;

/** Beginning of an unquoted value that YAML does not read as plain text. */
const NOT_PLAIN = /^[*&!%@`{[|>]/u;

/**
 * Reads the frontmatter of an instruction file without a YAML parser. Only `paths:` matters, and people write it in
 * ways that YAML rejects and clients repair (`paths: **\/*.ts`). As in Claude Code, the first `---` after the opening
 * line closes the frontmatter, even within a line, and the white space after it is dropped; a list that YAML could not
 * read is ignored.
 */
export function readRule(text: string): RuleFile {
  const open = text.startsWith("---") ? OPEN.exec(text)?.[0].length : undefined;
  const close = open === undefined ? -1 : text.indexOf("---", open);
  if (open === undefined || close === -1) return { paths: [], body: text, hadFrontmatter: false };
  const paths = pathsOf(dedented(text.slice(open, close).split(/\r\n?|\n/u)));
  const useful = paths
    .map((path) => path.trim())
    .filter((path) => path !== "" && path !== "/**" && !/^\d+$/u.test(path));
  return {
    paths: useful.every((path) => path === "**") ? [] : useful,
    body: text.slice(close + 3).replace(/^\s+/u, ""),
    hadFrontmatter: true,
  };
}

/** Removes a common indentation of the keys. */
function dedented(lines: readonly string[]): string[] {
  const indent =
    /^[ \t]*/u.exec(lines.find((line) => line.trim() !== "" && !line.trim().startsWith("#")) ?? "")?.[0] ?? "";
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
}

function pathsOf(lines: readonly string[]): string[] {
  const at = lines.findLastIndex((line) => /^paths[ \t]*:/u.test(line));
  if (at === -1) return [];
  const first = withoutComment((lines[at] ?? "").replace(/^paths[ \t]*:/u, "")).trim();
  const rest = lines.slice(at + 1);
  const stop = rest.findIndex((line) => /^[^\s#-]/u.test(line));
  const block = (stop === -1 ? rest : rest.slice(0, stop))
    .map((line) => withoutComment(line).trim())
    .filter((line) => line !== "");
  if (first.startsWith("[")) return flowList([first, ...block].join(" "));
  if (/^[>|][+-]?\d*$/u.test(first)) return splitList(block.join(" "));
  if (first !== "") return scalar(first);
  const items = block.filter((line) => /^-(?:\s|$)/u.test(line)).map((line) => line.slice(1).trim());
  if (items.some((item) => NOT_PLAIN.test(item) && !/^\[.*\]$/u.test(item))) return [];
  return items.flatMap((item) => (item.startsWith("[") ? flowList(item) : [unquoted(item)]));
}

/** Comma-separated globs. A tag, a truth value or two quoted texts in a row yield none. */
function scalar(value: string): string[] {
  if (value.startsWith("!") || /^(?:true|false|null|~)$/iu.test(value)) return [];
  if (/^["']/u.test(value)) return /^(?:"[^"]*"|'[^']*')$/u.test(value) ? splitList(unquoted(value)) : [];
  return splitList(value);
}

/** `[a, "b"]`; a list that YAML could not read is split as plain text, as Claude Code does. */
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
  return (quote === '"' || quote === "'") && trimmed.endsWith(quote) && trimmed.length > 1
    ? trimmed.slice(1, -1)
    : trimmed;
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

/** Paths are absolute and `/`-separated, on Windows with a drive (`C:/x`). These functions do not access the disk. */

/** Joins and resolves `.` and `..`; an absolute target replaces the base. */
export function resolvePath(base: string, target: string): string {
  const whole = isAbsolute(target) ? target : `${base}/${target}`;
  const drive = /^[a-z]:/iu.exec(whole)?.[0] ?? "";
  const out: string[] = [];
  for (const part of whole.slice(drive.length).split("/")) {
    if (part === "..") out.pop();
    else if (part !== "." && part !== "") out.push(part);
  }
  return `${drive}/${out.join("/")}`;
}

export function isAbsolute(target: string): boolean {
  return target.startsWith("/") || /^[a-z]:[\\/]/iu.test(target);
}

/** The parent directory; a root is its own parent. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf("/");
  const parent = path.slice(0, Math.max(0, at));
  if (parent === "" || /^[a-z]:$/iu.test(parent)) return `${parent}/`;
  return parent;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** From the filesystem root down to `directory`, inclusive. */
export function directoriesDownTo(directory: string): string[] {
  const out = [directory];
  for (let at = directory; parentOf(at) !== at;) {
    at = parentOf(at);
    out.push(at);
  }
  return out.toReversed();
}

/** Directories from `from` (excluded) down to `to` (included); empty when `to` is not below. */
export function directoriesBetween(from: string, to: string): string[] {
  return isInside(to, from)
    ? directoriesDownTo(to).filter((directory) => directory !== from && isInside(directory, from))
    : [];
}

/** Whether `path` is `directory` or below it. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

/** `path` relative to `directory`; `undefined` when it is not below. */
export function relativeTo(path: string, directory: string): string | undefined {
  if (path === directory || !isInside(path, directory)) return undefined;
  return path.slice(directory.endsWith("/") ? directory.length : directory.length + 1);
}

export function join(directory: string, name: string): string {
  return directory.endsWith("/") ? `${directory}${name}` : `${directory}/${name}`;
}

/** `.claude/MEMORY.md`: an index of notes that people keep by hand in a project. */
interface ProjectIndex {
  readonly path: string;
  /** Cut to the limits of an index; its last lines say so. */
  readonly text: string;
  readonly cut: readonly string[];
}

/** The nearest one from the working directory up to the repository's root; only memdir reads it and shows it first. */
export function findProjectIndex({ cwd, gitRoot, files }: Place): ProjectIndex | undefined {
  const top = gitRoot ?? cwd;
  for (const directory of directoriesDownTo(cwd)
    .toReversed()
    .filter((one) => isInside(one, top))) {
    const path = join(directory, ".claude/MEMORY.md");
    const file = files.read(path);
    if (file.state !== "read") continue;
    const { text, cut } = loadIndex(decodeFile(file.bytes).text);
    return text === "" ? undefined : { path, text, cut };
  }
  return undefined;
}
