import { ANALYSIS_VERSION } from "../../core/notes/terms.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { inTransaction, type SqlDatabase, type SqlStatement } from "./driver.ts";
import { numberOf, packed, textOf, unpack } from "./index-rows.ts";

type Prepare = (sql: string) => SqlStatement;

interface Known {
  /** SQLite's count of commits by other connections. */
  readonly version: number;
  readonly documents: Map<string, number>;
}

/** Counting the notes that contain a common word requires walking its list: a third of a warm recall. */
const known = new WeakMap<SqlDatabase, Known>();
const MOST_WORDS = 5_000;
const COLUMNS = ["term", "notes"] as const;

/** How many notes contain each term found, in the query's order: sums of weights must not depend on the database. */
export function documentFrequencies(
  database: SqlDatabase,
  prepare: Prepare,
  terms: readonly string[],
): Map<string, number> {
  const { documents } = current(database, prepare);
  const unknown = terms.filter((term) => !documents.has(term));
  if (unknown.length > 0) {
    if (documents.size > MOST_WORDS) documents.clear();
    const read = prepare(
      `SELECT ${packed(COLUMNS)} AS rows FROM frequency WHERE term IN (SELECT value FROM json_each(?))`,
    ).get([JSON.stringify(unknown)]);
    const counted = new Map(
      unpack(read?.["rows"], COLUMNS).map((row) => [textOf(row, "term"), numberOf(row, "notes")]),
    );
    for (const term of unknown) documents.set(term, counted.get(term) ?? 0);
  }
  return new Map(
    terms.flatMap((term) => {
      const count = documents.get(term) ?? 0;
      return count > 0 ? [[term, count] as const] : [];
    }),
  );
}

/** Called after a change through this connection, which SQLite's count does not show. */
export function forgetFrequencies(database: SqlDatabase): void {
  known.delete(database);
}

function current(database: SqlDatabase, prepare: Prepare): Known {
  const version = numberOf(prepare("PRAGMA data_version").get([]), "data_version");
  const kept = known.get(database);
  if (kept?.version === version) return kept;
  const fresh: Known = { version, documents: new Map() };
  known.set(database, fresh);
  return fresh;
}

/** Raised with every change to the tables below; an index of another version is emptied and filled again. */
const SCHEMA_VERSION = 9;
const VERSION = SCHEMA_VERSION * 1000 + ANALYSIS_VERSION;

/**
 * `note` holds what listing needs, `note_terms` the analysed text, and `note_size` its lengths and its links, one per
 * line. `note_size` is narrow because it is looked up for many notes at once; its `mark` orders notes of equal length.
 * `found` holds the word lists (its content is `note_terms`, so nothing is stored twice), and `documents` the length of
 * each list. `frequency` makes that length a lookup, because counting a common word's list means walking it. Superseded
 * notes are in `note` and in `past`, with their topics for their successors. `found` keeps a word's field, not its
 * position: ranking counts words in `note_terms`, and smaller lists make common words cheap. File times are text,
 * because SQLite's JSON would round them. The tokenizer only splits at spaces: `ascii` treats every byte above 0x7f as
 * part of a word, regardless of SQLite's Unicode tables.
 */
const TABLES = `
CREATE TABLE note (
  id INTEGER PRIMARY KEY,
  file TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  type TEXT,
  written_type TEXT,
  pinned INTEGER NOT NULL,
  time INTEGER NOT NULL,
  dated INTEGER NOT NULL,
  superseded_by TEXT,
  valid_to TEXT,
  problems TEXT NOT NULL,
  contradicts TEXT NOT NULL,
  uses INTEGER NOT NULL
);
CREATE INDEX note_by_rank ON note (pinned DESC, uses DESC, time DESC, file) WHERE superseded_by IS NULL;
CREATE INDEX note_in_doubt ON note (file) WHERE contradicts <> '' AND superseded_by IS NULL;
CREATE INDEX note_by_name ON note (name);
CREATE INDEX note_by_file_without_case ON note (file COLLATE NOCASE);
CREATE TABLE note_size (
  id INTEGER PRIMARY KEY,
  name_length INTEGER NOT NULL,
  description_length INTEGER NOT NULL,
  body_length INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  links TEXT NOT NULL
);
CREATE TABLE note_terms (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  body TEXT NOT NULL,
  asked TEXT NOT NULL
);
CREATE VIRTUAL TABLE found USING fts5(
  name, description, body, asked,
  content = 'note_terms', content_rowid = 'id', detail = column, columnsize = 0, tokenize = "ascii tokenchars '_'"
);
INSERT INTO found (found, rank) VALUES ('automerge', 2);
INSERT INTO found (found, rank) VALUES ('hashsize', 16777216);
CREATE VIRTUAL TABLE documents USING fts5vocab(found, 'row');
CREATE VIRTUAL TABLE past USING fts5(heir UNINDEXED, about, tokenize = "ascii tokenchars '_'");
CREATE TABLE frequency (term TEXT PRIMARY KEY, notes INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE totals (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  live INTEGER NOT NULL,
  name_length INTEGER NOT NULL,
  description_length INTEGER NOT NULL,
  body_length INTEGER NOT NULL
);
INSERT INTO totals VALUES (1, 0, 0, 0, 0);
CREATE TABLE used (file TEXT PRIMARY KEY, times INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = ${VERSION};
`;

/** Creates the tables of this version if they are missing. If they exist, it only reads one number. */
export function ensureSchema(database: SqlDatabase): void {
  if (versionOf(database) === VERSION) return;
  inTransaction(database, () => {
    // Another process may have created them while this one waited for the transaction.
    if (versionOf(database) !== VERSION) createTables(database);
  });
}

/** Empties the database so that no earlier text remains in its file or its log. */
export function eraseAll(database: SqlDatabase): void {
  database.exec("PRAGMA secure_delete = ON");
  inTransaction(database, () => createTables(database));
  database.exec("VACUUM");
  forgetFrequencies(database);
  const busy = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get([])?.["busy"];
  if (busy !== 0)
    throw new MemoryError(
      "locked",
      "another process is reading the index, so its log still holds text that was to be erased; try again in a moment",
    );
}

function createTables(database: SqlDatabase): void {
  // Virtual tables first: they own the plain tables with their data.
  for (const kind of ["CREATE VIRTUAL", "CREATE TABLE"]) {
    const tables = database
      .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all([]);
    for (const { name, sql } of tables) {
      if (typeof name !== "string" || typeof sql !== "string" || !sql.startsWith(kind)) continue;
      database.exec(`DROP TABLE IF EXISTS "${name.replaceAll('"', '""')}"`);
    }
  }
  database.exec(TABLES);
}

function versionOf(database: SqlDatabase): unknown {
  return database.prepare("PRAGMA user_version").get([])?.["user_version"];
}
