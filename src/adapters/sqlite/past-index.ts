import { createHash } from "node:crypto";
import fs from "node:fs";
import { inTransaction, openDatabase, type SqlDatabase, memoryErrorOf, sqliteFailure } from "./driver.ts";
import { addGrams, queryOfGrams } from "./index-search.ts";

/** A transcript as it is currently on disk. */
export interface TranscriptFile {
  readonly path: string;
  readonly bytes: number;
  readonly timeMs: number;
}

/** A range of a transcript that may contain a text, in bytes. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface IndexUpdate {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Records which ranges of which transcripts contain which three-byte sequences. It stores none of their text, so the
 * caller reads the ranges to search them; it may be deleted at any time.
 */
export interface PastIndex {
  /** Indexes what was added since the last update. */
  update(files: readonly TranscriptFile[]): IndexUpdate;
  /** Ranges that may contain the text or are not indexed yet; the whole file if it is unknown or was rewritten. */
  spans(text: string): ((file: TranscriptFile) => readonly Span[]) | undefined;
  close(): void;
}

const SCHEMA = 1;
const TABLES = `
CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, taken INTEGER NOT NULL, time TEXT NOT NULL, tail TEXT NOT NULL);
CREATE TABLE block (id INTEGER PRIMARY KEY, file INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL);
CREATE INDEX block_by_file ON block (file, start);
CREATE VIRTUAL TABLE found USING fts5(grams, content = '', detail = none, columnsize = 0, tokenize = 'ascii');
PRAGMA user_version = ${SCHEMA};
`;
/** Larger blocks make the index faster to write and smaller, but more has to be read for each match. */
const BLOCK_BYTES = 1 << 18;
/** Files per transaction: each transaction writes new word lists. */
const FILES_AT_ONCE = 32;
const TAIL_BYTES = 4_096;

/** Opens or creates the index; replaces a damaged or outdated one. @throws MemoryError when it cannot be written. */
export function openPastIndex(path: string): PastIndex {
  try {
    return indexOver(openTables(path));
  } catch (error) {
    if (sqliteFailure(error) !== "corrupt") throw memoryErrorOf(error, path, "opening the index of past sessions");
    dropPastIndex(path);
    return indexOver(openTables(path));
  }
}

export function dropPastIndex(path: string): void {
  for (const end of ["", "-wal", "-shm"]) fs.rmSync(path + end, { force: true });
}

function openTables(path: string): SqlDatabase {
  const open = (): SqlDatabase => openDatabase(path, { busyTimeoutMs: 5_000, journal: "wal" });
  const database = open();
  const version = database.prepare("PRAGMA user_version").get([])?.["user_version"];
  if (version === SCHEMA) return database;
  if (version !== 0) {
    database.close();
    dropPastIndex(path);
    return openTables(path);
  }
  inTransaction(database, () => {
    if (database.prepare("PRAGMA user_version").get([])?.["user_version"] === 0) database.exec(TABLES);
  });
  return database;
}

interface Known {
  readonly id: number;
  /** Bytes indexed, up to the end of a line. */
  readonly taken: number;
  readonly time: string;
  /** Hash of the last bytes before `taken`, which stay the same in a file that was only appended to. */
  readonly tail: string;
}

function indexOver(database: SqlDatabase): PastIndex {
  const known = (): ReadonlyMap<string, Known> =>
    new Map(
      database
        .prepare("SELECT id, path, taken, time, tail FROM file")
        .all([])
        .map((row) => [
          String(row["path"]),
          { id: Number(row["id"]), taken: Number(row["taken"]), time: String(row["time"]), tail: String(row["tail"]) },
        ]),
    );
  return {
    update(files) {
      const before = known();
      let bytes = 0;
      const changed = files.filter(
        (file) => before.get(file.path)?.time !== timeOf(file) || (before.get(file.path)?.taken ?? 0) > file.bytes,
      );
      for (let at = 0; at < changed.length; at += FILES_AT_ONCE) {
        inTransaction(database, () => {
          for (const file of changed.slice(at, at + FILES_AT_ONCE))
            bytes += takeIn(database, file, before.get(file.path));
        });
      }
      return { files: changed.length, bytes };
    },
    spans(text) {
      const query = queryOfGrams(text);
      if (query === undefined) return undefined;
      const files = known();
      const spans = new Map<number, Span[]>();
      for (const row of database
        .prepare(
          "SELECT b.file, b.start, b.stop FROM found f JOIN block b ON b.id = f.rowid WHERE found MATCH ? ORDER BY b.file, b.start",
        )
        .all([query])) {
        const file = Number(row["file"]);
        spans.set(file, [...(spans.get(file) ?? []), { from: Number(row["start"]), to: Number(row["stop"]) }]);
      }
      return (file) => {
        const kept = files.get(file.path);
        if (kept === undefined || !isContinued(file, kept)) return [{ from: 0, to: file.bytes }];
        return [
          ...(spans.get(kept.id) ?? []),
          ...(kept.taken < file.bytes ? [{ from: kept.taken, to: file.bytes }] : []),
        ];
      };
    },
    close: () => database.close(),
  };
}

function isContinued(file: TranscriptFile, { taken, time, tail }: Known): boolean {
  return taken <= file.bytes && (time === timeOf(file) || tailOf(file.path, taken) === tail);
}

/** Returns the number of bytes read. */
function takeIn(database: SqlDatabase, file: TranscriptFile, kept: Known | undefined): number {
  const from = kept !== undefined && isContinued(file, kept) ? kept.taken : 0;
  database
    .prepare("INSERT INTO file (path, taken, time, tail) VALUES (?, 0, '', '') ON CONFLICT (path) DO NOTHING")
    .run([file.path]);
  const id = Number(database.prepare("SELECT id FROM file WHERE path = ?").get([file.path])?.["id"]);
  // Rows of a contentless table cannot be removed; without a block they are unreachable.
  database.prepare("DELETE FROM block WHERE file = ? AND start >= ?").run([id, from]);
  const addBlock = database.prepare("INSERT INTO block (file, start, stop) VALUES (?, ?, ?) RETURNING id");
  const addFound = database.prepare("INSERT INTO found (rowid, grams) VALUES (?, ?)");
  let taken = from;
  for (const { start, bytes } of blocksOf(file.path, from)) {
    taken = start + bytes.length;
    const block = Number(addBlock.all([id, start, taken])[0]?.["id"]);
    addFound.run([block, addGrams(bytes)]);
  }
  database
    .prepare("UPDATE file SET taken = ?, time = ?, tail = ? WHERE id = ?")
    .run([taken, timeOf(file), tailOf(file.path, taken), id]);
  return taken - from;
}

/** Whole lines, about 256 KB a block; a longer line is one block, and an unfinished one is left for the next update. */
function* blocksOf(path: string, from: number): Generator<{ readonly start: number; readonly bytes: Buffer }> {
  const fd = fs.openSync(path, "r");
  try {
    let buffer = Buffer.allocUnsafe(BLOCK_BYTES);
    for (let start = from; ;) {
      const length = fs.readSync(fd, buffer, 0, buffer.length, start);
      const end = buffer.lastIndexOf(10, length - 1);
      if (length === 0 || (end < 0 && length < buffer.length)) return;
      if (end < 0 || end >= length) {
        buffer = Buffer.allocUnsafe(buffer.length * 2);
        continue;
      }
      yield { start, bytes: buffer.subarray(0, end + 1) };
      start += end + 1;
      if (buffer.length > BLOCK_BYTES) buffer = Buffer.allocUnsafe(BLOCK_BYTES);
    }
  } finally {
    fs.closeSync(fd);
  }
}

function tailOf(path: string, end: number): string {
  const fd = fs.openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.min(TAIL_BYTES, end));
    fs.readSync(fd, bytes, 0, bytes.length, end - bytes.length);
    return createHash("sha256").update(bytes).digest("hex");
  } finally {
    fs.closeSync(fd);
  }
}

/** As text, because SQLite's numbers would round it. */
function timeOf({ timeMs }: TranscriptFile): string {
  return String(timeMs);
}
