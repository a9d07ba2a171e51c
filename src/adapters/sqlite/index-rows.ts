import { NOTE_TYPES, type NoteProblem, type NoteType } from "../../core/notes/note.ts";
import type { FileStamp, IndexEntry } from "../../core/notes/note-index.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import type { SqlRow, SqlStatement } from "./driver.ts";

/** Columns of index rows. Only this adapter writes them, so a wrong type means a damaged file. */

export const STAMP_COLUMNS = ["file", "hash", "size", "mtime_ms"] as const;

export const ENTRY_COLUMNS = [
  ...STAMP_COLUMNS,
  "name",
  "description",
  "type",
  "written_type",
  "pinned",
  "time",
  "superseded_by",
  "valid_to",
  "problems",
  "uses",
] as const;

/**
 * An SQL expression that aggregates rows into one JSON text for `unpack`. Reading a hundred rows of twenty columns
 * through the engines' bindings costs twice as much.
 */
export function packed(columns: readonly string[], table = ""): string {
  return `json_group_array(json_array(${columns.map((column) => table + column).join(", ")}))`;
}

export function unpack(json: unknown, columns: readonly string[]): readonly SqlRow[] {
  const rows: unknown = typeof json === "string" ? JSON.parse(json) : undefined;
  if (!Array.isArray(rows)) throw damaged("rows", json);
  return rows.map((values: unknown) => {
    if (!Array.isArray(values)) throw damaged("row", values);
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) row[column] = values[index];
    return row;
  });
}

export function stampOf(row: SqlRow): FileStamp {
  return {
    file: textOf(row, "file"),
    hash: textOf(row, "hash"),
    size: numberOf(row, "size"),
    mtimeMs: Number(textOf(row, "mtime_ms")),
  };
}

export function entryOf(row: SqlRow): IndexEntry {
  // Written out in full: spreading a stamp into it was ten times slower on Node 20.
  return {
    file: textOf(row, "file"),
    hash: textOf(row, "hash"),
    size: numberOf(row, "size"),
    mtimeMs: Number(textOf(row, "mtime_ms")),
    name: textOf(row, "name"),
    description: textOf(row, "description"),
    type: typeOf(row["type"]),
    writtenType: optionalTextOf(row, "written_type"),
    pinned: numberOf(row, "pinned") === 1,
    time: numberOf(row, "time"),
    supersededBy: optionalTextOf(row, "superseded_by"),
    validTo: optionalTextOf(row, "valid_to"),
    problems: problemsOf(textOf(row, "problems")),
    uses: numberOf(row, "uses"),
  };
}

export function textOf(row: SqlRow, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw damaged(column, value);
  return value;
}

export function numberOf(row: SqlRow | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== "number") throw damaged(column, value);
  return value;
}

function optionalTextOf(row: SqlRow, column: string): string | undefined {
  return row[column] === null ? undefined : textOf(row, column);
}

function typeOf(value: unknown): NoteType | undefined {
  return NOTE_TYPES.find((type) => type === value);
}

const NONE: readonly NoteProblem[] = [];

function problemsOf(json: string): readonly NoteProblem[] {
  if (json === "[]") return NONE;
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed.filter(isProblem) : NONE;
}

function isProblem(value: unknown): value is NoteProblem {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    "message" in value &&
    typeof value.message === "string"
  );
}

function damaged(column: string, value: unknown): MemoryError {
  return new MemoryError(
    "corrupt",
    `the index is damaged: ${column} holds ${value === null ? "nothing" : typeof value}`,
  );
}

type Prepare = (sql: string) => SqlStatement;

/** The most retired notes to use, most relevant first; more of them add no information. */
const MOST_RETIRED = 50;

/** Longer chains of notes that superseded one another are cycles or mistakes. */
const LONGEST_CHAIN = 20;

/** Topics of superseded notes matching any term, space-separated, by the id of the live note that replaced them. */
export function pastOfHeirs(prepare: Prepare, terms: readonly string[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (terms.length === 0) return found;
  const match = `about : (${terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(" OR ")})`;
  const rows = prepare("SELECT heir, about FROM past WHERE past MATCH ? ORDER BY rank, heir, about LIMIT ?").all([
    match,
    MOST_RETIRED,
  ]);
  const links = new Map<string, SqlRow | undefined>();
  for (const row of rows) {
    const id = liveHeir(textOf(row, "heir"), (named) => {
      // Chains of successors often share their end, so each lookup is kept for the next chain.
      if (!links.has(named)) links.set(named, noteNamed(prepare, named));
      return links.get(named);
    });
    if (id !== undefined) found.set(id, `${found.get(id) ?? ""} ${textOf(row, "about")}`);
  }
  return found;
}

/** The note at the end of the chain; `undefined` if it is gone. */
function liveHeir(named: string, find: (named: string) => SqlRow | undefined): number | undefined {
  let next = named;
  for (let link = 0; link < LONGEST_CHAIN; link++) {
    const row = find(next);
    if (row === undefined) return undefined;
    if (row["superseded_by"] === null) return numberOf(row, "id");
    next = textOf(row, "superseded_by");
  }
  return undefined;
}

/** A note names its successor by file, by the file without its extension, or by its name. */
function noteNamed(prepare: Prepare, named: string): SqlRow | undefined {
  return (
    prepare("SELECT id, superseded_by FROM note WHERE file IN (?, ? || '.md') ORDER BY length(file) LIMIT 1").get([
      named,
      named,
    ]) ??
    prepare("SELECT id, superseded_by FROM note WHERE name = ? ORDER BY superseded_by IS NOT NULL, file LIMIT 1").get([
      named,
    ])
  );
}
