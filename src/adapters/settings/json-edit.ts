import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { Refused } from "../../core/install/settings-editor.ts";

/**
 * Edits a JSON text that may have comments and trailing commas. Edits only insert or only delete, and undo each other:
 * inserting a child and removing it again leaves every other byte unchanged.
 */
export function parseJson(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    throw new Refused(
      `it is not JSON (${spaced(printParseErrorCode(first.error))}); fix it there and try again`,
      lineAt(text, first.offset),
    );
  if (root === undefined) throw new Refused("it holds nothing; remove it or write {} into it", 1);
  requireSingleKeys(text, root);
  return root;
}

/** Parts of a text that plain JSON does not allow. */
export function beyondJson(text: string): { readonly comments: boolean; readonly trailingCommas: boolean } {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: true });
  const trailing: ParseError[] = [];
  parseTree(text, trailing);
  return { comments: errors.length > 0, trailingCommas: trailing.length > 0 };
}

/** A duplicate key has two meanings, and an edit of one could be undone by the other. */
function requireSingleKeys(text: string, node: Node): void {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const key = child.type === "property" ? child.children?.[0]?.value : undefined;
    if (key !== undefined && seen.has(key))
      throw new Refused(`"${String(key)}" is there twice; keep one of them`, lineAt(text, child.offset));
    seen.add(key);
    for (const below of child.type === "property" ? (child.children ?? []).slice(1) : [child])
      requireSingleKeys(text, below);
  }
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function spaced(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/gu, " ").toLowerCase();
}

export interface Style {
  readonly unit: string;
  readonly eol: string;
}

/** The layout of a text: its line ending and the indentation of one level. */
export function styleOf(text: string, root: Node): Style {
  const first = root.children?.[0];
  const indent = first === undefined ? "" : lineIndent(text, first.offset);
  return { eol: /\r?\n/u.exec(text)?.[0] ?? "\n", unit: indent === "" ? "  " : indent };
}

/** White space between the start of the line and `offset`; empty if there is anything else. */
function lineIndent(text: string, offset: number): string {
  return /(?:^|\n)([ \t]*)$/u.exec(text.slice(0, offset))?.[1] ?? "";
}

/** Appends a child to a container. `key` is for objects. */
export function insertLast(
  text: string,
  container: Node,
  key: string | undefined,
  value: unknown,
  style: Style,
): string {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  if (last === undefined) return insertOnly(text, container, key, value, style);
  const end = last.offset + last.length;
  const comma = nextToken(text, end);
  const trailing = text[comma] === ",";
  const from = trailing ? comma + 1 : end;
  const at = from + text.slice(from, close).trimEnd().length;
  const isOneLine = !text.slice(container.offset, close).includes("\n");
  const lead = isOneLine
    ? (/^\s*/u.exec(text.slice(container.offset + 1))?.[0] ?? "")
    : style.eol + (lineIndent(text, last.offset) || outerIndent(text, container) + style.unit);
  const rendered = render(key, value, isOneLine ? { unit: "", eol: "" } : { ...style, eol: lead }, colonOf(text, last));
  return `${text.slice(0, end)}${trailing ? "" : ","}${text.slice(end, at)}${lead}${rendered}${trailing ? "," : ""}${text.slice(at)}`;
}

/** Inserts into an empty container, after any comment in it. */
function insertOnly(text: string, container: Node, key: string | undefined, value: unknown, style: Style): string {
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const at = open + text.slice(open, close).trimEnd().length;
  const outer = outerIndent(text, container);
  const lead = style.eol + outer + style.unit;
  const rest = text.slice(at, close);
  return `${text.slice(0, at)}${lead}${render(key, value, { ...style, eol: lead }, ": ")}${rest.includes("\n") ? rest : `${style.eol}${outer}${rest}`}${text.slice(close)}`;
}

/** The indentation of the line on which a container starts. */
function outerIndent(text: string, container: Node): string {
  const start = text.lastIndexOf("\n", container.offset - 1) + 1;
  return /^[ \t]*/u.exec(text.slice(start, container.offset))?.[0] ?? "";
}

function colonOf(text: string, sibling: Node): string {
  const [key, value] = sibling.children ?? [];
  if (sibling.type !== "property" || key === undefined || value === undefined) return ": ";
  const between = text.slice(key.offset + key.length, value.offset);
  return /^[ \t]*:[ \t]*$/u.test(between) ? between : ": ";
}

function render(key: string | undefined, value: unknown, { unit, eol }: Style, colon: string): string {
  const body = eol === "" ? JSON.stringify(value) : laidOut(value, unit, eol);
  return key === undefined ? body : `${JSON.stringify(key)}${colon}${body}`;
}

/** Objects are spread over several lines; lists and their contents stay on one, so that a diff is easy to read. */
export function laidOut(value: unknown, unit: string, eol: string): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return inOneLine(value);
  const rows = Object.entries(value).map(
    ([name, below]) => `${eol}${unit}${JSON.stringify(name)}: ${laidOut(below, unit, eol + unit)}`,
  );
  return rows.length === 0 ? "{}" : `{${rows.join(",")}${eol}}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, below]) => `${JSON.stringify(name)}: ${inOneLine(below)}`)
    .join(", ")} }`;
}

/** Removes a child from its container, with the white space before it and the comma that it needed. */
export function removeChild(text: string, container: Node, child: Node): string {
  const end = child.offset + child.length;
  const next = nextToken(text, end);
  const before = text.slice(0, child.offset).trimEnd().length;
  if (text[next] === ",") return text.slice(0, before) + text.slice(end, next) + text.slice(next + 1);
  const siblings = container.children ?? [];
  const previous = siblings[siblings.indexOf(child) - 1];
  if (previous === undefined) return text.slice(0, before) + text.slice(end);
  const comma = nextToken(text, previous.offset + previous.length);
  return text.slice(0, comma) + text.slice(comma + 1, before) + text.slice(end);
}

/** The text between the brackets of a container. */
export function innerText(text: string, container: Node): string {
  return text.slice(container.offset + 1, container.offset + container.length - 1);
}

export function replaceInner(text: string, container: Node, inner: string): string {
  return text.slice(0, container.offset + 1) + inner + text.slice(container.offset + container.length - 1);
}

/** The start of the next token, after white space and comments. */
function nextToken(text: string, from: number): number {
  const skipped = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/u.exec(text.slice(from))?.[0] ?? "";
  return from + skipped.length;
}
