import type { OpenWorkspace } from "../../app/workspace/open-workspace.ts";
import { cutAtWord } from "../../core/shared/text.ts";
import { displayWidth, type Io, line } from "./io.ts";

/** Output for a person: rows wider than the terminal are broken at spaces. Pipes and files get whole rows. */
export function forPerson(io: Io): Io {
  const fit = (text: string, width: number): string =>
    text
      .split("\n")
      .map((row) => broken(row, width))
      .join("\n");
  // Inherits the rest, since to ask for the terminal costs time.
  const person: Io = Object.create(io, {
    out: { value: (text: string) => io.out(io.isTerminal ? fit(text, io.width) : text) },
    err: { value: (text: string) => io.err(io.errorWidth === undefined ? text : fit(text, io.errorWidth)) },
  });
  return person;
}

/** A row broken between words; commands, which someone may copy, stay whole. */
function broken(row: string, width: number): string {
  if (displayWidth(row) <= width || /^\s+memdir \S/u.test(row)) return row;
  const [indent = ""] = /^\s*/u.exec(row) ?? [];
  const rows: string[] = [];
  let last = "";
  for (const [, gap = "", word = ""] of row.matchAll(/(\s*)(\S*`[^`]+`\S*|\S+)/gu)) {
    const isFull = last.trim() !== "" && displayWidth(last + gap + word) > width;
    if (isFull) rows.push(last);
    last = isFull ? `${indent}  ${word}` : last + gap + word;
  }
  return [...rows, last].join("\n");
}

/** Longer lines of prose are hard to read, however wide the terminal is. */
const PROSE_COLUMNS = 100;

/** Prints a paragraph broken at spaces to the width of the terminal; lines after the first begin with `hanging`. */
export function paragraph(io: Io, text: string, indent = "", hanging = indent): void {
  for (const row of wrap(text, io.width, indent, hanging)) line(io, row);
}

/** Prints `key       text`, with the text wrapped next to its key. */
export function keyed(io: Io, key: string, text: string): void {
  paragraph(io, text, key.padEnd(KEY_COLUMNS), " ".repeat(KEY_COLUMNS));
}

const KEY_COLUMNS = 10;

/** Rows of at most `width` columns, broken at spaces. */
export function wrap(text: string, width: number, indent: string, hanging: string): string[] {
  const words = text.split(/[^\S\0]+/u).filter((one) => one !== "");
  return wrapParts(words, Math.min(width, PROSE_COLUMNS), indent, hanging);
}

/** Placeholder for a space at which a line must not break. */
const NO_BREAK = "\0";

/** Keeps each of these parts of `text` on one line, so that a path with spaces can still be copied. */
export function keepWhole(text: string, parts: readonly string[]): string {
  return parts
    .toSorted((a, b) => b.length - a.length)
    .reduce((kept, part) => (part.includes(" ") ? kept.replaceAll(part, part.replaceAll(" ", NO_BREAK)) : kept), text);
}

/** The directories that messages about a workspace name. */
export function placesOf({ locations }: Pick<OpenWorkspace, "locations">): readonly string[] {
  const { stores, memdirHome, project } = locations;
  return [
    ...stores.flatMap(({ directory, state }) => [directory, state]),
    memdirHome,
    ...(project === undefined ? [] : [project.root]),
  ];
}

/** Rows of at most `width` columns, broken between the parts; a wider part gets its own row. */
export function wrapParts(parts: readonly string[], width: number, indent: string, hanging: string): string[] {
  const rows: string[] = [];
  let row = indent;
  let isEmpty = true;
  for (const part of parts) {
    if (!isEmpty && displayWidth(row) + 1 + displayWidth(part) > width) {
      rows.push(row);
      row = hanging;
      isEmpty = true;
    }
    row += isEmpty ? part : ` ${part}`;
    isEmpty = false;
  }
  return (isEmpty ? rows : [...rows, row]).map((one) => one.replaceAll(NO_BREAK, " "));
}

/** A first cell takes at most this share of the width; if it is longer, the other cells follow on the next line. */
const FIRST_SHARE = 0.45;

/**
 * Rows with aligned columns that fit `width`. The last cell is wrapped next to the others, or cut if `cut` is set. A
 * first cell that is too long for its column gets a line of its own, uncut.
 */
export function fitted(rows: readonly (readonly string[])[], width: number, cut = false): string[] {
  const count = rows[0]?.length ?? 0;
  const limit = Math.floor(width * FIRST_SHARE);
  const widths = Array.from({ length: Math.max(0, count - 1) }, (_, column) =>
    Math.max(
      0,
      ...rows
        .map((row) => displayWidth(row[column] ?? ""))
        .filter((cell) => column > 0 || cell <= limit || count === 1),
    ),
  );
  const indent = widths.reduce((sum, one) => sum + one + 2, 0);
  return rows.flatMap((row) => {
    const cells = row
      .slice(0, -1)
      .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell))));
    const isLong = displayWidth(row[0] ?? "") > (widths[0] ?? 0) && count > 1;
    const head = (isLong ? [" ".repeat(widths[0] ?? 0), ...cells.slice(1)] : cells).map((cell) => `${cell}  `).join("");
    const last = row.at(-1) ?? "";
    const room = Math.max(MIN_ROOM, width - indent);
    const text = cut ? [head + cutTo(last, room)] : wrapCell(last, head, indent, width);
    return isLong ? [row[0] ?? "", ...(text.join("").trim() === "" ? [] : text)] : text;
  });
}

const MIN_ROOM = 16;
/** Indents the text below a row whose last cell does not fit next to the others. */
const HANGING = "    ";

function wrapCell(text: string, head: string, indent: number, width: number): string[] {
  const parts = text.split(" ").filter((one) => one !== "");
  if (parts.length === 0) return [head];
  if (parts.some((part) => displayWidth(part) > width - indent))
    return [head.trimEnd(), ...wrapParts(parts, width, HANGING, HANGING)];
  return wrapParts(parts, width, head, " ".repeat(indent));
}

/** As much of the text as fits into `columns`, cut at a word. */
function cutTo(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let end = Math.min(text.length, columns);
  while (end > 0 && displayWidth(cutAtWord(text, end)) > columns) end--;
  return cutAtWord(text, end);
}
