import { accessSync, constants, existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileStamp, IndexEntry, NoteIndex } from "../../core/notes/note-index.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import {
  openDatabase,
  type SqlDatabase,
  type SqlEngine,
  type SqlStatement,
  type SqlValue,
  memoryErrorOf,
  sqliteFailure,
} from "./driver.ts";
import { ENTRY_COLUMNS, entryOf, numberOf, packed, STAMP_COLUMNS, stampOf, textOf, unpack } from "./index-rows.ts";
import { ensureSchema, eraseAll } from "./index-schema.ts";
import { searchNotes } from "./index-search.ts";
import { applyChanges, setUsesOf } from "./index-writer.ts";

export interface NoteIndexOptions {
  /** How long an operation waits for another process; default 2,000 ms. */
  readonly busyTimeoutMs?: number;
  readonly engine?: SqlEngine;
  /** Names the copy of a damaged file; default `Date.now`. */
  readonly now?: () => number;
}

export interface SqliteNoteIndex extends NoteIndex {
  /** Set when the index works with limitations (network file system). */
  readonly warning: string | undefined;
}

/**
 * Opens or creates the index at `path`, or an index for this process alone at `:memory:`. A damaged index is set aside
 * as `PATH.corrupt-TIME` and a new one started, when opening or whenever the damage shows. An index that cannot be used
 * at all is replaced by one in memory, and `degraded` says why. In both cases `stamps` is empty, and the caller fills
 * the index again.
 */
export function openNoteIndex(path: string, options: NoteIndexOptions = {}): SqliteNoteIndex {
  let connection = connect(path, options);
  const attempt = <T>(doing: string, work: (connection: Connection) => T): T => {
    try {
      return work(connection);
    } catch (error) {
      if (!isDamage(error) || connection.degraded !== undefined) throw memoryErrorOf(error, path, doing);
      connection.database.close();
      setAside(path, options);
      connection = connect(path, options);
    }
    try {
      return work(connection);
    } catch (error) {
      throw memoryErrorOf(error, path, doing);
    }
  };
  return {
    apply: ({ upsert = [], remove = [] }) =>
      attempt("updating the index", ({ database, prepare }) => applyChanges(database, prepare, remove, upsert)),
    stamps: () => attempt("reading the index", allStamps),
    entry: (file) => attempt("reading the index", (index) => oneEntry(index, file)),
    hasFile: (file) =>
      attempt(
        "reading the index",
        ({ prepare }) =>
          prepare("SELECT 1 AS known FROM note WHERE file = ? COLLATE NOCASE LIMIT 1").get([file]) !== undefined,
      ),
    entries: () => attempt("reading the index", ({ prepare }) => readEntries(prepare, "ORDER BY file", [])),
    top: (limit) => attempt("reading the index", ({ prepare }) => readEntries(prepare, BY_RANK, [limit])),
    topLines: (limit) => attempt("reading the index", (index) => topLines(index, limit)),
    contradictions: () => attempt("reading the index", contradictions),
    count: () =>
      attempt("reading the index", ({ prepare }) => numberOf(prepare("SELECT live FROM totals").get([]), "live")),
    search: (terms, limit, also = []) =>
      attempt("searching the index", ({ database, prepare }) => searchNotes(database, prepare, { terms, also }, limit)),
    setUses: (ranks) => attempt("ranking notes by use", ({ database, prepare }) => setUsesOf(database, prepare, ranks)),
    state: (key) => attempt("reading the index", (index) => readState(index, key)),
    setState: (key, value) =>
      attempt("updating the index", ({ prepare }) =>
        prepare(
          "INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        ).run([key, value]),
      ),
    digest: () => attempt("reading the index", digestOf),
    clear: () => {
      attempt("erasing the index", ({ database }) => eraseAll(database));
      removeLeftText(path, connection);
    },
    close: () => connection.database.close(),
    get degraded() {
      return connection.degraded;
    },
    get warning() {
      return connection.database.warning;
    },
  };
}

interface Connection {
  readonly database: SqlDatabase;
  /** Prepares each statement once. */
  readonly prepare: (sql: string) => SqlStatement;
  readonly degraded: string | undefined;
}

function connect(path: string, options: NoteIndexOptions): Connection {
  if (path === ":memory:")
    return connectionTo(
      openDatabase(path, { journal: "delete", busyTimeoutMs: 0, ...(options.engine && { engine: options.engine }) }),
      undefined,
    );
  try {
    prepareDirectory(path);
    return openFile(path, options);
  } catch (error) {
    if (error instanceof MemoryError && error.code === "unavailable") throw error;
    if (!isDamage(error)) return openInMemory(path, options, error);
  }
  try {
    setAside(path, options);
    return openFile(path, options);
  } catch (error) {
    return openInMemory(path, options, error);
  }
}

function openFile(path: string, options: NoteIndexOptions): Connection {
  const database = openDatabase(path, {
    journal: "wal",
    busyTimeoutMs: options.busyTimeoutMs ?? 2000,
    ...(options.engine && { engine: options.engine }),
  });
  try {
    // Derived data: a power failure may lose the last changes, which are found on disk, but does not corrupt the file.
    database.exec("PRAGMA synchronous = NORMAL");
    return connectionTo(database, undefined);
  } catch (error) {
    database.close();
    throw error;
  }
}

function openInMemory(path: string, options: NoteIndexOptions, cause: unknown): Connection {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const database = openDatabase(":memory:", {
    journal: "delete",
    busyTimeoutMs: 0,
    ...(options.engine && { engine: options.engine }),
  });
  return connectionTo(
    database,
    `the index ${path} cannot be used (${reason}): notes are indexed in memory for this process alone`,
  );
}

function connectionTo(database: SqlDatabase, degraded: string | undefined): Connection {
  ensureSchema(database);
  const statements = new Map<string, SqlStatement>();
  const prepare = (sql: string): SqlStatement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return { database, prepare, degraded };
}

/** SQLite opens a file without write access silently and fails at the first change, so access is checked here. */
function prepareDirectory(path: string): void {
  accessSync(dirname(path), constants.W_OK);
  if (existsSync(path)) accessSync(path, constants.W_OK);
}

function isDamage(error: unknown): boolean {
  return sqliteFailure(error) === "corrupt" || (error instanceof MemoryError && error.code === "corrupt");
}

const COMPANIONS = ["-wal", "-shm", "-journal"];

function setAside(path: string, { now = Date.now }: NoteIndexOptions): void {
  if (existsSync(path)) renameSync(path, `${path}.corrupt-${now()}`);
  for (const companion of COMPANIONS) rmSync(path + companion, { force: true });
}

/** The in-memory replacement of an unusable file holds no earlier text, but the file does. */
function removeLeftText(path: string, { degraded }: Connection): void {
  if (degraded !== undefined) removeFile(path, COMPANIONS);
  if (path !== ":memory:") removeSetAside(path);
}

/** Copies of damaged indexes hold text as well. */
function removeSetAside(path: string): void {
  for (const name of existsSync(dirname(path)) ? readdirSync(dirname(path)) : []) {
    if (name.startsWith(`${basename(path)}.corrupt-`)) removeFile(join(dirname(path), name), []);
  }
}

/** The index is derived, so a file that cannot be emptied can be removed. */
function removeFile(path: string, companions: readonly string[]): void {
  try {
    // A directory in its place was never an index.
    for (const suffix of ["", ...companions])
      if (lstatSync(path + suffix, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(path + suffix);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new MemoryError("io", `${path} cannot be removed: ${error.message}. It may still hold text of notes`, {
      cause: error,
    });
  }
}

function allStamps({ prepare }: Connection): Map<string, FileStamp> {
  const read = prepare(`SELECT ${packed(STAMP_COLUMNS)} AS rows FROM note`).get([]);
  return new Map(unpack(read?.["rows"], STAMP_COLUMNS).map((row) => [textOf(row, "file"), stampOf(row)]));
}

function oneEntry({ prepare }: Connection, file: string): IndexEntry | undefined {
  return readEntries(prepare, "WHERE file = ?", [file])[0];
}

const BY_RANK = "WHERE superseded_by IS NULL ORDER BY pinned DESC, uses DESC, time DESC, file LIMIT ?";
const LINE_COLUMNS = ["file", "name", "description"] as const;

function topLines({ prepare }: Connection, limit: number): { file: string; name: string; description: string }[] {
  const read = prepare(
    `SELECT ${packed(LINE_COLUMNS)} AS rows FROM (SELECT file, name, description FROM note ${BY_RANK})`,
  ).get([limit]);
  return unpack(read?.["rows"], LINE_COLUMNS).map((row) => ({
    file: textOf(row, "file"),
    name: textOf(row, "name"),
    description: textOf(row, "description"),
  }));
}

function readEntries(prepare: Connection["prepare"], which: string, values: readonly SqlValue[]): IndexEntry[] {
  const read = prepare(`SELECT ${packed(ENTRY_COLUMNS)} AS rows FROM (SELECT * FROM note ${which})`).get(values);
  return unpack(read?.["rows"], ENTRY_COLUMNS).map(entryOf);
}

function readState({ prepare }: Connection, key: string): string | undefined {
  const row = prepare("SELECT value FROM state WHERE key = ?").get([key]);
  return row === undefined ? undefined : textOf(row, "value");
}

/** Everything that the files decide: not the stamps' times, not the counts of use, not the ids. */
function contradictions({ prepare }: Connection): ReadonlyMap<string, readonly string[]> {
  const rows = prepare(
    "SELECT file, contradicts FROM note WHERE contradicts <> '' AND superseded_by IS NULL ORDER BY file",
  ).all([]);
  return new Map(rows.map((row) => [textOf(row, "file"), textOf(row, "contradicts").split("\n")]));
}

function digestOf({ prepare }: Connection): string {
  const notes = prepare(
    `SELECT file, hash, size, note.name AS name, note.description AS description, type, written_type, pinned, iif(dated, time, NULL) AS time,
       superseded_by, valid_to, problems, contradicts, note_terms.name AS a, note_terms.description AS b, note_terms.body AS c, note_terms.asked AS d, past.about AS e, name_length, description_length, body_length, links
     FROM note LEFT JOIN note_terms ON note_terms.id = note.id LEFT JOIN note_size ON note_size.id = note.id LEFT JOIN past ON past.rowid = note.id ORDER BY file`,
  ).all([]);
  const lists = prepare(
    "SELECT documents.term AS term, doc, notes FROM documents FULL JOIN frequency USING (term) ORDER BY term",
  ).all([]);
  const totals = prepare("SELECT live, name_length, description_length, body_length FROM totals").all([]);
  return sha256([...notes, ...lists, ...totals].map((row) => JSON.stringify(Object.values(row))).join("\n"));
}
