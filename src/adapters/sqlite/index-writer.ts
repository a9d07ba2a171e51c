import { summaryOf, withShownFields } from "../../core/notes/parse-note.ts";
import type { IndexedNote } from "../../core/notes/note-index.ts";
import { linkKey, linksIn } from "../../core/notes/names.ts";
import { analyse } from "../../core/notes/terms.ts";
import { inTransaction, type SqlDatabase, type SqlStatement } from "./driver.ts";
import { forgetFrequencies } from "./index-schema.ts";
import { numberOf, textOf } from "./index-rows.ts";

/** Text of a body beyond this many characters is not searched: a note that long is a pasted log. */
const SEARCHED_CHARACTERS = 1_000_000;

/** From this many notes at once, the word lists are merged into one and counted afterwards. */
const BULK = 1000;
/** SQLite's page cache for such a change (KiB): with its usual 2 MB, pages of growing trees are written repeatedly. */
const BULK_CACHE = 64_000;

type Prepare = (sql: string) => SqlStatement;
type FieldLengths = readonly [name: number, description: number, body: number];

/** Applies changes in one transaction: `remove` first, then `upsert`. Running totals are written once at the end. */
export function applyChanges(
  database: SqlDatabase,
  prepare: Prepare,
  remove: readonly string[],
  upsert: readonly IndexedNote[],
): void {
  if (upsert.length < BULK) {
    inTransaction(database, () => change(database, prepare, remove, upsert));
    return;
  }
  const usual = numberOf(prepare("PRAGMA cache_size").get([]), "cache_size");
  database.exec(`PRAGMA cache_size = -${BULK_CACHE}`);
  try {
    // Sorted by name, they are appended to the trees that are ordered by name.
    const ordered = upsert.toSorted((a, b) => (a.file < b.file ? -1 : 1));
    inTransaction(database, () => {
      change(database, prepare, remove, ordered);
      database.exec(
        "INSERT INTO found(found) VALUES ('optimize'); DELETE FROM frequency; INSERT INTO frequency SELECT term, doc FROM documents",
      );
    });
  } finally {
    database.exec(`PRAGMA cache_size = ${usual}`);
  }
}

function change(
  database: SqlDatabase,
  prepare: Prepare,
  remove: readonly string[],
  upsert: readonly IndexedNote[],
): void {
  const totals = new Totals(upsert.length < BULK);
  let id = numberOf(prepare("SELECT coalesce(max(id), 0) AS id FROM note").get([]), "id");
  const isEmpty = id === 0 && new Set(upsert.map(({ file }) => file)).size === upsert.length;
  for (const file of remove) removeNote(prepare, totals, knownNote(prepare, file));
  for (const indexed of upsert) {
    const known = isEmpty ? undefined : knownNote(prepare, indexed.file);
    if (known?.hash === indexed.hash) {
      refreshStamp(prepare, known.id, indexed);
    } else {
      removeNote(prepare, totals, known);
      insertNote(prepare, totals, ++id, indexed);
    }
  }
  totals.write(prepare);
  forgetFrequencies(database);
}

/** Stores each note's usage rank. It outlives the note, so that it is there if the note returns. */
export function setUsesOf(database: SqlDatabase, prepare: Prepare, ranks: ReadonlyMap<string, number>): void {
  inTransaction(database, () => {
    prepare("DELETE FROM used").run([]);
    const insert = prepare("INSERT INTO used (file, times) VALUES (?, ?)");
    for (const [file, rank] of ranks) if (rank !== 0) insert.run([file, rank]);
    prepare(
      "UPDATE note SET uses = coalesce((SELECT times FROM used WHERE used.file = note.file), 0) WHERE uses <> coalesce((SELECT times FROM used WHERE used.file = note.file), 0)",
    ).run([]);
  });
}

/** The transaction's changes to the number of live notes and their terms. */
class Totals {
  private live = 0;
  private name = 0;
  private description = 0;
  private body = 0;
  /** The change in the number of notes that contain a term. */
  private readonly notes = new Map<string, number>();
  private readonly counting: boolean;

  /** `counting`: whether words are counted here; for very many notes SQLite counts them faster. */
  constructor(counting: boolean) {
    this.counting = counting;
  }

  add(sign: 1 | -1, [name, description, body]: FieldLengths, fields: readonly (readonly string[])[]): void {
    if (this.counting)
      for (const term of new Set(fields.flat())) this.notes.set(term, (this.notes.get(term) ?? 0) + sign);
    this.live += sign;
    this.name += sign * name;
    this.description += sign * description;
    this.body += sign * body;
  }

  write(prepare: Prepare): void {
    prepare(
      "UPDATE totals SET live = live + ?, name_length = name_length + ?, description_length = description_length + ?, body_length = body_length + ?",
    ).run([this.live, this.name, this.description, this.body]);
    if (!this.counting) return;
    const changed = JSON.stringify(Object.fromEntries([...this.notes].filter(([, notes]) => notes !== 0)));
    // `WHERE true` keeps SQLite from reading ON as part of a join.
    prepare(
      "INSERT INTO frequency (term, notes) SELECT key, value FROM json_each(?) WHERE true ORDER BY key ON CONFLICT (term) DO UPDATE SET notes = notes + excluded.notes",
    ).run([changed]);
    prepare("DELETE FROM frequency WHERE notes <= 0 AND term IN (SELECT key FROM json_each(?) WHERE value < 0)").run([
      changed,
    ]);
  }
}

interface KnownNote {
  readonly id: number;
  readonly hash: string;
}

function knownNote(prepare: Prepare, file: string): KnownNote | undefined {
  const row = prepare("SELECT id, hash FROM note WHERE file = ?").get([file]);
  return row === undefined ? undefined : { id: numberOf(row, "id"), hash: textOf(row, "hash") };
}

/** The same bytes with a new stamp need no new analysis. */
function refreshStamp(prepare: Prepare, id: number, { size, mtimeMs, note }: IndexedNote): void {
  const { time, dated } = timeOf(note.modified, mtimeMs);
  prepare("UPDATE note SET size = ?, mtime_ms = ?, time = ?, dated = ? WHERE id = ?").run([
    size,
    String(mtimeMs),
    time,
    dated,
    id,
  ]);
}

function removeNote(prepare: Prepare, totals: Totals, known: KnownNote | undefined): void {
  if (known === undefined) return;
  const { id } = known;
  const terms = prepare("SELECT * FROM note_terms JOIN note_size USING (id) WHERE id = ?").get([id]);
  if (terms !== undefined) {
    // The word lists do not store their source text: to remove an entry they must be given the old text.
    prepare("INSERT INTO found (found, rowid, name, description, body, asked) VALUES ('delete', ?, ?, ?, ?, ?)").run([
      id,
      textOf(terms, "name"),
      textOf(terms, "description"),
      textOf(terms, "body"),
      textOf(terms, "asked"),
    ]);
    prepare("DELETE FROM note_terms WHERE id = ?").run([id]);
    prepare("DELETE FROM note_size WHERE id = ?").run([id]);
    const words = ["name", "description", "body", "asked"].map((field) =>
      textOf(terms, field)
        .split(" ")
        .filter((term) => term !== ""),
    );
    totals.add(
      -1,
      [numberOf(terms, "name_length"), numberOf(terms, "description_length"), numberOf(terms, "body_length")],
      words,
    );
  } else prepare("DELETE FROM past WHERE rowid = ?").run([id]);
  prepare("DELETE FROM note WHERE id = ?").run([id]);
}

/** Ids are assigned here: asking SQLite for the one it chose costs more than the insertion (libsql 0.5.29). */
function insertNote(
  prepare: Prepare,
  totals: Totals,
  id: number,
  { file, hash, size, mtimeMs, note: asWritten }: IndexedNote,
): void {
  // Lists of notes, MEMORY.md and the start of sessions take their lines from these fields.
  const note = withShownFields(asWritten);
  const { time, dated } = timeOf(note.modified, mtimeMs);
  const pinned = note.pinned ? 1 : 0;
  const problems = JSON.stringify(note.problems);
  prepare(
    `INSERT INTO note (id, file, hash, size, mtime_ms, name, description, type, written_type, pinned, time, dated, superseded_by, valid_to, problems, contradicts, uses)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce((SELECT times FROM used WHERE file = ?), 0))`,
  ).run(
    [
      id,
      file,
      hash,
      size,
      String(mtimeMs),
      note.name,
      summaryOf(note),
      note.type,
      note.writtenType,
      pinned,
      time,
      dated,
      note.supersededBy,
      note.validTo,
      problems,
      note.contradicts.join("\n"),
      file,
    ].map((value) => value ?? null),
  );
  const asked = analyse(note.asked.join("\n"));
  if (note.supersededBy !== undefined) {
    const about = [...analyse(note.name), ...analyse(note.description), ...asked];
    prepare("INSERT INTO past (rowid, heir, about) VALUES (?, ?, ?)").run([id, note.supersededBy, about.join(" ")]);
    return;
  }
  const searched = note.body.slice(0, SEARCHED_CHARACTERS);
  const fields = [analyse(note.name), analyse(note.description), analyse(searched), asked] as const;
  const lengths: FieldLengths = [fields[0].length, fields[1].length, fields[2].length];
  const texts = fields.map((terms) => terms.join(" "));
  prepare(
    "INSERT INTO note_size (id, name_length, description_length, body_length, mark, links) VALUES (?, ?, ?, ?, ?, ?)",
  ).run([id, ...lengths, markOf(file), linesOf(linksIn(searched))]);
  prepare("INSERT INTO note_terms (id, name, description, body, asked) VALUES (?, ?, ?, ?, ?)").run([id, ...texts]);
  prepare("INSERT INTO found (rowid, name, description, body, asked) VALUES (?, ?, ?, ?, ?)").run([id, ...texts]);
  totals.add(1, lengths, fields);
}

/** A note with more links is a list of everything, so its links carry no weight. */
const MOST_LINKS = 40;

function linesOf(links: readonly string[]): string {
  return links.length > MOST_LINKS ? "" : [...new Set(links.map(linkKey))].join("\n");
}

/** A number from the file's name alone (FNV-1a, 32 bits): ids change in a rebuild and must not decide an order. */
function markOf(file: string): number {
  let mark = 0x811c9dc5;
  for (let at = 0; at < file.length; at++) mark = Math.imul(mark ^ file.charCodeAt(at), 0x01000193);
  return mark >>> 0;
}

/** The note's own date if it is readable, otherwise the file's. */
function timeOf(modified: string | undefined, mtimeMs: number): { readonly time: number; readonly dated: 0 | 1 } {
  const time = modified === undefined ? Number.NaN : Date.parse(modified);
  return Number.isNaN(time) ? { time: Math.round(mtimeMs), dated: 0 } : { time, dated: 1 };
}
