import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { MemoryError } from "../../core/shared/errors.ts";
import { loadLibsql } from "./libsql-engine.ts";
import { isNetworkPath } from "./network-path.ts";
import { sqliteFailure } from "./sqlite-failure.ts";

/**
 * What is stored and read: text and numbers. BLOBs are left out on purpose: the engines disagree about them.
 * libsql reads a text only up to its first NUL; text that may have one is read through SQLite's JSON functions.
 */
export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlStatement {
  run(values: readonly SqlValue[]): void;
  /** The first row; the statement is read to its end, so no read transaction stays open behind it. */
  get(values: readonly SqlValue[]): SqlRow | undefined;
  all(values: readonly SqlValue[]): readonly SqlRow[];
}

export interface SqlDatabase {
  readonly engine: SqlEngine;
  /** Set when the database works, but not as well as it should, such as on a network file system. */
  readonly warning: string | undefined;
  exec(sql: string): void;
  prepare(sql: string): SqlStatement;
  /** With libsql the file stays open until the statements prepared on it are collected as garbage. */
  close(): void;
}

export type SqlEngine = "node:sqlite" | "libsql";

export interface OpenOptions {
  readonly busyTimeoutMs: number;
  /** `wal` for data (falls back to `delete` on a network file system), `delete` for a rollback journal. */
  readonly journal: "wal" | "delete";
  /** For databases of others: nothing can be written, and the file must be there. */
  readonly readOnly?: boolean;
  /** Left out, the best engine that this process has. */
  readonly engine?: SqlEngine;
}

/** The engines this process can load, best first. */
export function availableEngines(): readonly SqlEngine[] {
  return ENGINES.filter((engine) => constructorOf(engine) !== undefined);
}

/**
 * Opens or creates a database file, or `:memory:`.
 * @throws MemoryError `unavailable` when there is no engine; the engine's own error otherwise (see sqlite-failure.ts).
 */
export function openDatabase(path: string, options: OpenOptions): SqlDatabase {
  const { engine, Database } = chooseEngine(options.engine);
  const raw = options.readOnly === true ? openForReading(Database, engine, path) : new Database(path);
  try {
    // Before anything that takes a lock: both engines start with a timeout of 0, and two starting
    // processes would fail each other on the journal mode.
    raw.exec(`PRAGMA busy_timeout = ${Math.max(0, Math.floor(options.busyTimeoutMs))}`);
    const network = path !== ":memory:" && options.journal === "wal" && isNetworkPath(path);
    if (path !== ":memory:" && options.journal === "wal")
      raw.exec(`PRAGMA journal_mode = ${network ? "DELETE" : "WAL"}`);
    return wrap(
      raw,
      engine,
      network
        ? `${path} is on a network file system: the index works there without its write-ahead log, more slowly`
        : undefined,
    );
  } catch (error) {
    raw.close();
    throw error;
  }
}

/** Runs `work` in one transaction, by default a writing one; rolls back when it throws. */
export function inTransaction<T>(
  database: SqlDatabase,
  work: () => T,
  kind: "IMMEDIATE" | "DEFERRED" = "IMMEDIATE",
): T {
  database.exec(`BEGIN ${kind}`);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch (rollback) {
      // SQLite rolls back by itself on a full disk or a corrupt page; then there is no transaction left to end.
      if (sqliteFailure(rollback) === "not-sqlite") throw rollback;
    }
    throw error;
  }
}

interface RawStatement {
  run(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

interface RawDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): RawStatement;
  close(): unknown;
}

type DatabaseConstructor = new (path: string, options?: { readonly readOnly: boolean }) => RawDatabase;

/** libsql knows no such option, but takes SQLite's own form of it. */
function openForReading(Database: DatabaseConstructor, engine: SqlEngine, path: string): RawDatabase {
  return engine === "libsql"
    ? new Database(`${pathToFileURL(path).href}?mode=ro`)
    : new Database(path, { readOnly: true });
}

function wrap(raw: RawDatabase, engine: SqlEngine, warning: string | undefined): SqlDatabase {
  // libsql takes the values as one array: a lone Buffer in their place would abort the process.
  const bind =
    engine === "libsql"
      ? (values: readonly SqlValue[]): unknown[] => [values]
      : (values: readonly SqlValue[]): unknown[] => [...values];
  const all = (statement: RawStatement, values: readonly SqlValue[]): readonly SqlRow[] =>
    statement.all(...bind(values)).filter(isRow);
  let isOpen = true;
  return {
    engine,
    warning,
    exec: (sql) => void raw.exec(sql),
    prepare: (sql) => {
      const statement = raw.prepare(sql);
      return {
        run: (values) => void statement.run(...bind(values)),
        get: (values) => all(statement, values)[0],
        all: (values) => all(statement, values),
      };
    },
    // The engines disagree about a second close: some Node versions throw, libsql does not.
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      raw.close();
    },
  };
}

function isRow(value: unknown): value is SqlRow {
  return typeof value === "object" && value !== null;
}

const ENGINES: readonly SqlEngine[] = ["node:sqlite", "libsql"];
const constructors = new Map<SqlEngine, DatabaseConstructor | undefined>();

function chooseEngine(wanted: SqlEngine | undefined): {
  readonly engine: SqlEngine;
  readonly Database: DatabaseConstructor;
} {
  for (const engine of wanted === undefined ? ENGINES : [wanted]) {
    const Database = constructorOf(engine);
    if (Database !== undefined) return { engine, Database };
  }
  const missing = wanted === undefined ? "no SQLite engine" : `no ${wanted}`;
  throw new MemoryError(
    "unavailable",
    `${missing} in this Node ${process.versions.node}: use Node 22.13 or newer, which has one built in, or run \`npm install libsql\` beside memdir (its prebuilt package is missing when optional dependencies were left out)`,
  );
}

function constructorOf(engine: SqlEngine): DatabaseConstructor | undefined {
  if (!constructors.has(engine))
    constructors.set(engine, engine === "libsql" ? loadOptionalLibsql() : loadNodeSqlite());
  return constructors.get(engine);
}

/** A bundle has a `require` of its own; what a module finds under that name is the global one of `node -e` or the REPL. */
function ownRequire(): NodeJS.Require {
  return typeof require === "function" ? require : createRequire(import.meta.url);
}

function loadOptionalLibsql(): DatabaseConstructor | undefined {
  try {
    const loaded = loadLibsql(ownRequire(), import.meta.url);
    return isConstructor(loaded) ? loaded : undefined;
  } catch (error) {
    // An optional dependency that was not installed, or has no build for this platform: expected, the caller says so.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function loadNodeSqlite(): DatabaseConstructor | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  // Older versions have the module behind a flag only.
  if (major < 22 || (major === 22 && minor < 13)) return undefined;
  const loaded = withoutSqliteWarning(() => process.getBuiltinModule("node:sqlite"));
  if (typeof loaded !== "object" || loaded === null || !("DatabaseSync" in loaded)) return undefined;
  return isConstructor(loaded.DatabaseSync) ? loaded.DatabaseSync : undefined;
}

/** Node 22 prints an ExperimentalWarning when the module loads. That one is held back, and no other. */
function withoutSqliteWarning(load: () => unknown): unknown {
  const original = process.emitWarning;
  const filtered = (...values: readonly unknown[]): void => {
    const [warning] = values;
    const text = warning instanceof Error ? warning.message : String(warning);
    if (text.startsWith("SQLite is an experimental feature")) return;
    Reflect.apply(original, process, values);
  };
  process.emitWarning = filtered;
  try {
    return load();
  } finally {
    process.emitWarning = original;
  }
}

function isConstructor(value: unknown): value is DatabaseConstructor {
  return typeof value === "function" && "prototype" in value;
}
