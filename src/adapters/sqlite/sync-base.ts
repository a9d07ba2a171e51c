import fs from "node:fs";
import path from "node:path";
import {
  baseInMemory,
  type BaseEntry,
  type BaseUpdate,
  emptyState,
  type Outbox,
  type Resync,
  type SyncBase,
  type SyncState,
} from "../../core/sync/base.ts";
import type { Change } from "../../core/sync/protocol.ts";
import { codeOf, failureCode, MemoryError } from "../../core/shared/errors.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { inTransaction, openDatabase, type SqlDatabase, type SqlRow, memoryErrorOf } from "./driver.ts";

export interface OpenSyncBase extends SyncBase {
  close(): void;
}

const BUSY_MS = 5_000;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS base(
    key TEXT PRIMARY KEY, lineage TEXT NOT NULL, revision TEXT NOT NULL, state TEXT NOT NULL, hash TEXT, body TEXT);
  CREATE TABLE IF NOT EXISTS dead(lineage TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS unsent(lineage TEXT PRIMARY KEY) WITHOUT ROWID;`;

/**
 * A client's sync state for one space, in a separate file that only its user can read. No forgotten text stays in it. If
 * the file is lost, the client joins again and nothing is lost. While it is open, no other process can open it.
 * @throws MemoryError `locked` if another process still has it after `waitMs`, or if it cannot be written.
 */
export function openSyncBase(file: string, waitMs = BUSY_MS): OpenSyncBase {
  return usable(file, "opening the state of sync", () => {
    makeOwn(file);
    const release = takeTurn(`${file}.lock`, waitMs);
    try {
      const database = openTables(file);
      sweepIfDue(database);
      const base = baseInMemory(load(database), (update) =>
        usable(file, "writing the state of sync", () => {
          inTransaction(database, () => persist(database, update));
          sweepIfDue(database);
        }),
      );
      return {
        get state() {
          return base.state;
        },
        write: (update) => base.write(update),
        close() {
          database.close();
          release();
        },
      };
    } catch (error) {
      release();
      throw error;
    }
  });
}

/** The current state, even while another process uses the file; `undefined` if the file does not exist. */
export function readSyncBase(file: string): SyncState | undefined {
  if (!fs.existsSync(file)) return undefined;
  return usable(file, "reading the state of sync", () => {
    const database = openTables(file);
    try {
      return load(database);
    } finally {
      database.close();
    }
  });
}

/** Creates the file before the engine opens it, so that other users can never read it. */
function makeOwn(file: string): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.closeSync(fs.openSync(file, "a", OWN_ONLY));
    fs.chmodSync(file, OWN_ONLY);
  } catch (error) {
    const code = codeOf(error);
    if (code === "") throw error;
    const advice = code === "EROFS" ? "the file system is read-only" : `${code}; check its owner, mode and disk`;
    throw new MemoryError(
      failureCode(error),
      `cannot write the state of sync, ${file}: ${advice}. Nothing was synced`,
      {
        cause: error,
      },
    );
  }
}

function openTables(file: string): SqlDatabase {
  // No write-ahead log, because it would keep removed data.
  const database = openDatabase(file, { busyTimeoutMs: BUSY_MS, journal: "delete" });
  database.exec("PRAGMA secure_delete = ON; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;");
  database.exec(SCHEMA);
  return database;
}

/** A transaction on an empty file, which ends with its process. Nothing is prepared on it, so closing it frees it. */
function takeTurn(file: string, waitMs: number): () => void {
  const turn = openDatabase(file, { busyTimeoutMs: waitMs, journal: "delete" });
  try {
    turn.exec("BEGIN IMMEDIATE");
  } catch (error) {
    turn.close();
    throw error;
  }
  return () => {
    turn.exec("ROLLBACK");
    turn.close();
  };
}

const OWN_ONLY = 0o600;

function usable<T>(file: string, doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw memoryErrorOf(error, file, doing);
  }
}

function persist(database: SqlDatabase, update: BaseUpdate): void {
  const drop = database.prepare("DELETE FROM base WHERE key = ?");
  for (const key of update.remove ?? []) drop.run([key]);
  const put = database.prepare(
    "INSERT OR REPLACE INTO base(key, lineage, revision, state, hash, body) VALUES (?, ?, ?, ?, ?, ?)",
  );
  for (const { key, lineage, revision, state, hash, body } of update.set ?? [])
    put.run([key, lineage, revision, state, hash ?? null, body ?? null]);
  addAll(database, "INSERT OR IGNORE INTO dead(lineage) VALUES (?)", update.dead);
  addAll(database, "INSERT OR IGNORE INTO unsent(lineage) VALUES (?)", update.unsent);
  addAll(database, "DELETE FROM unsent WHERE lineage = ?", update.told);
  if ((update.dead ?? []).length > 0)
    database.prepare("INSERT OR REPLACE INTO meta(name, value) VALUES (?, 'true')").run([SWEEP]);
  const { cursor, tops, marks, freed, outbox, resync } = update;
  const places = { cursor, tops, marks, freed, outbox, resync };
  const note = database.prepare("INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)");
  for (const [name, value] of Object.entries(places)) if (value !== undefined) note.run([name, JSON.stringify(value)]);
}

/** Set with a forget until the file has been swept: a kill between the two is made good when it is next opened. */
const SWEEP = "sweep";

/** Writes the file anew. Secure deletion overwrites what a row held, but not the copies left where rows moved between pages. */
function sweepIfDue(database: SqlDatabase): void {
  if (database.prepare("SELECT 1 FROM meta WHERE name = ?").get([SWEEP]) === undefined) return;
  database.exec("VACUUM");
  database.prepare("DELETE FROM meta WHERE name = ?").run([SWEEP]);
}

function addAll(database: SqlDatabase, sql: string, lineages: readonly string[] = []): void {
  const statement = database.prepare(sql);
  for (const lineage of lineages) statement.run([lineage]);
}

function load(database: SqlDatabase): SyncState {
  const meta = new Map(
    database
      .prepare("SELECT name, value FROM meta")
      .all([])
      .map(({ name, value }) => [String(name), parseJson(String(value))]),
  );
  const entries = database.prepare("SELECT * FROM base").all([]).map(toEntry);
  const cursor = meta.get("cursor");
  return {
    ...emptyState,
    entries: new Map(entries.map((entry) => [entry.key, entry])),
    dead: lineagesIn(database, "dead"),
    unsentForgets: lineagesIn(database, "unsent"),
    cursor: typeof cursor === "string" ? cursor : "",
    tops: textsOf(meta.get("tops")),
    marks: textsOf(meta.get("marks")),
    freed: new Set(textsOf(meta.get("freed"))),
    outbox: toOutbox(meta.get("outbox")),
    resync: toResync(meta.get("resync")),
  };
}

function lineagesIn(database: SqlDatabase, table: "dead" | "unsent"): ReadonlySet<string> {
  return new Set(
    database
      .prepare(`SELECT lineage FROM ${table}`)
      .all([])
      .map(({ lineage }) => String(lineage)),
  );
}

function toEntry({ key, lineage, revision, state, hash, body }: SqlRow): BaseEntry {
  return {
    key: String(key),
    lineage: String(lineage),
    revision: String(revision),
    state: state === "live" ? "live" : "deleted",
    hash: typeof hash === "string" ? hash : undefined,
    body: typeof body === "string" ? body : undefined,
  };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function toOutbox(value: unknown): Outbox | undefined {
  if (!isRecord(value) || typeof value["pushId"] !== "string" || !Array.isArray(value["changes"])) return undefined;
  return { pushId: value["pushId"], changes: value["changes"].flatMap(toChange) };
}

function toChange(value: unknown): readonly Change[] {
  if (!isRecord(value)) return [];
  const { forget, key, lineage, base, state, body, was, group } = value;
  if (typeof forget === "string") return [{ forget }];
  if (typeof key !== "string" || typeof lineage !== "string" || typeof base !== "string") return [];
  return [
    {
      key,
      lineage,
      base,
      state: state === "live" ? "live" : "deleted",
      ...(typeof body === "string" && { body }),
      ...(typeof was === "string" && { was }),
      ...(typeof group === "string" && { group }),
    },
  ];
}

function toResync(value: unknown): Resync | undefined {
  if (!isRecord(value) || typeof value["since"] !== "string") return undefined;
  return { since: value["since"], seen: new Set(textsOf(value["seen"])) };
}
