import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";
import { MemoryError, type MemoryErrorCode } from "../../core/shared/errors.ts";
import { createParking, isNetworkPath, type Place, placeOf } from "./database-file.ts";

/** The kind of SQLite failure, as far as a caller can act on it. `not-sqlite` is an error of another source. */
type SqliteFailure = "busy" | "corrupt" | "read-only" | "cannot-open" | "full" | "io" | "other" | "not-sqlite";

/** Primary result codes, https://www.sqlite.org/rescode.html */
const PRIMARY: ReadonlyMap<number, SqliteFailure> = new Map<number, SqliteFailure>([
  [3, "read-only"],
  [5, "busy"],
  [6, "busy"],
  [8, "read-only"],
  [10, "io"],
  [11, "corrupt"],
  [13, "full"],
  [14, "cannot-open"],
  [23, "read-only"],
  [26, "corrupt"],
]);

/** Classifies an error of either engine. */
export function sqliteFailure(error: unknown): SqliteFailure {
  if (!(error instanceof Error)) return "not-sqlite";
  const code = resultCode(error);
  if (code !== undefined) return PRIMARY.get(code & 0xff) ?? (DAMAGE.test(error.message) ? "corrupt" : "other");
  // libsql reports a failed open as text: `ConnectionFailed("Unable to open connection to local database PATH: 14")`.
  const opening = /Unable to open connection to local database .*: (\d+)/su.exec(error.message);
  if (opening !== null) return PRIMARY.get(Number(opening[1]) & 0xff) ?? "cannot-open";
  return "not-sqlite";
}

/** Damage that SQLite reports under its general error code: missing or unreadable tables. */
const DAMAGE = /malformed|not a database|vtable constructor failed|no such (?:table|column|module)|fts5: corrupt/iu;

function resultCode(error: Error): number | undefined {
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode;
  if ("rawCode" in error && typeof error.rawCode === "number") return error.rawCode;
  return undefined;
}

const MEMORY_CODES: Readonly<Record<Exclude<SqliteFailure, "not-sqlite">, MemoryErrorCode>> = {
  busy: "locked",
  corrupt: "corrupt",
  "read-only": "permission",
  "cannot-open": "permission",
  full: "disk-full",
  io: "io",
  other: "io",
};

/** The error to throw for a failed operation on `path`; an error that is not from SQLite is returned unchanged. */
export function memoryErrorOf(error: unknown, path: string, doing: string): unknown {
  const failure = sqliteFailure(error);
  if (failure === "not-sqlite" || !(error instanceof Error)) return error;
  return new MemoryError(MEMORY_CODES[failure], `${doing} failed on ${path}: ${error.message}. ${ADVICE[failure]}`, {
    cause: error,
  });
}

const ADVICE: Readonly<Record<Exclude<SqliteFailure, "not-sqlite">, string>> = {
  busy: "Another process holds it; try again in a moment",
  corrupt: "The file is damaged; it is derived and may be deleted",
  "read-only": "The file or its directory is read-only for this user; check its permissions",
  "cannot-open": "Check that the directory exists and that this user may write there",
  full: "The disk is full; free some space and try again",
  io: "The disk reported an error; check it and try again",
  other: "Run `memdir doctor` to look into it",
};

type Require = ReturnType<typeof createRequire>;

/**
 * Loads libsql without its search for its own binary. Its loader uses two small packages to tell glibc from musl. They
 * load node:child_process and create a diagnostic report of the whole process, which with Node's package resolution
 * takes 18 of about 60 ms (Node 20, libsql 0.5.29). If the file system gives a clear answer, libsql's entry is run with
 * that answer and with its parts from the same directory; otherwise libsql searches itself.
 */
function loadLibsql(require: Require, from: string): unknown {
  const target = certainTarget();
  const entry = target === undefined ? undefined : findEntry(from);
  if (target === undefined || entry === undefined) return require("libsql");
  const modules = join(dirname(entry), "..");
  const binary = join(modules, "@libsql", target, "index.node");
  if (!existsSync(binary)) return require("libsql");
  const load = (name: string): unknown => {
    if (name === "@neon-rs/load") return { currentTarget: () => target, load: require };
    if (name === "detect-libc") return { GLIBC: "glibc", MUSL: "musl", familySync: () => "glibc" };
    if (name === `@libsql/${target}`) return require(binary);
    return name.startsWith("./") ? runFile(`${join(dirname(entry), name)}.js`, load) : require(name);
  };
  try {
    return runFile(entry, load);
  } catch (error) {
    // Another libsql version may have a different layout; a real error shows up when Node loads it.
    if (error instanceof Error) return require("libsql");
    throw error;
  }
}

function runFile(file: string, require: (name: string) => unknown): unknown {
  const module: { exports: unknown } = { exports: {} };
  const body: unknown = compileFunction(
    readFileSync(file, "utf8"),
    ["exports", "require", "module", "__filename", "__dirname"],
    { filename: file },
  );
  if (typeof body === "function") body(module.exports, require, module, file, dirname(file));
  return module.exports;
}

/** `libsql/index.js` in the nearest node_modules above, as Node would find it, without reading any manifest. */
function findEntry(from: string): string | undefined {
  const start = dirname(from.startsWith("file:") ? fileURLToPath(from) : from);
  for (let directory = start; ; directory = dirname(directory)) {
    const entry = join(directory, "node_modules", "libsql", "index.js");
    // Node resolves modules to their real path, which differs where packages are linked (pnpm, npm link).
    if (existsSync(entry)) return realpathSync(entry);
    if (dirname(directory) === directory) return undefined;
  }
}

/** Set only if there is no musl loader as well: Alpine with a glibc shim has both. */
function certainTarget(): string | undefined {
  if (process.platform !== "linux") return undefined;
  if (process.arch === "x64")
    return existsSync("/lib64/ld-linux-x86-64.so.2") && !existsSync("/lib/ld-musl-x86_64.so.1")
      ? "linux-x64-gnu"
      : undefined;
  if (process.arch === "arm64")
    return existsSync("/lib/ld-linux-aarch64.so.1") && !existsSync("/lib/ld-musl-aarch64.so.1")
      ? "linux-arm64-gnu"
      : undefined;
  return undefined;
}

/**
 * Values stored and read: text and numbers. BLOBs are excluded on purpose, because the engines handle them differently.
 * libsql reads a text only up to its first NUL; text that may contain one is read through SQLite's JSON functions.
 */
export type SqlValue = string | number | null;

export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlStatement {
  run(values: readonly SqlValue[]): void;
  /** The first row. The statement is read to its end, so that it leaves no read transaction open. */
  get(values: readonly SqlValue[]): SqlRow | undefined;
  all(values: readonly SqlValue[]): readonly SqlRow[];
}

export interface SqlDatabase {
  readonly engine: SqlEngine;
  /** Set when the database works with limitations, for example on a network file system. */
  readonly warning: string | undefined;
  exec(sql: string): void;
  prepare(sql: string): SqlStatement;
  /** With libsql the file stays open for the next caller that opens it (see database-file.ts). */
  close(): void;
}

export type SqlEngine = "node:sqlite" | "libsql";

export interface OpenOptions {
  readonly busyTimeoutMs: number;
  /** `wal` for data (falls back to `delete` on a network file system), `delete` for a rollback journal. */
  readonly journal: "wal" | "delete";
  /** For other programs' databases: nothing can be written, and the file must exist. */
  readonly readOnly?: boolean;
  /** Default: the best engine available in this process. */
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
  const kind = `${options.journal} ${options.readOnly === true ? "read" : "write"}`;
  const place = (): Place | undefined => (engine === "libsql" ? placeOf(path, kind) : undefined);
  const raw =
    parking.take(place()) ?? (options.readOnly === true ? openForReading(Database, engine, path) : new Database(path));
  try {
    // Set before anything that takes a lock: both engines start with a timeout of 0, so two starting processes would
    // make each other fail on the journal mode.
    raw.exec(`PRAGMA busy_timeout = ${Math.max(0, Math.floor(options.busyTimeoutMs))}`);
    const network = path !== ":memory:" && options.journal === "wal" && isNetworkPath(path);
    if (path !== ":memory:" && options.journal === "wal")
      raw.exec(`PRAGMA journal_mode = ${network ? "DELETE" : "WAL"}`);
    const warning = network
      ? `${path} is on a network file system: the index works there without its write-ahead log, more slowly`
      : undefined;
    return wrap(raw, { engine, warning, place });
  } catch (error) {
    raw.close();
    throw error;
  }
}

/** Runs `work` in one transaction, by default a write transaction; rolls back when it throws. */
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
      // SQLite rolls back automatically on a full disk or a corrupt page; then no transaction is left to end.
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
  readonly inTransaction?: boolean;
  exec(sql: string): unknown;
  prepare(sql: string): RawStatement;
  close(): unknown;
}

const parking = createParking<RawDatabase>();

interface Wrapping {
  readonly engine: SqlEngine;
  readonly warning: string | undefined;
  /** Where the connection can wait for the next caller; `undefined` if `close` really closes it. */
  readonly place: () => Place | undefined;
}

type DatabaseConstructor = new (path: string, options?: { readonly readOnly: boolean }) => RawDatabase;

/** libsql lacks this option, but accepts SQLite's URI form of it. */
function openForReading(Database: DatabaseConstructor, engine: SqlEngine, path: string): RawDatabase {
  return engine === "libsql"
    ? new Database(`${pathToFileURL(path).href}?mode=ro`)
    : new Database(path, { readOnly: true });
}

function wrap(raw: RawDatabase, { engine, warning, place }: Wrapping): SqlDatabase {
  // libsql takes the values as one array: a single Buffer instead of it would abort the process.
  const bind =
    engine === "libsql"
      ? (values: readonly SqlValue[]): unknown[] => [values]
      : (values: readonly SqlValue[]): unknown[] => [...values];
  const all = (statement: RawStatement, values: readonly SqlValue[]): readonly SqlRow[] =>
    opened(statement)
      .all(...bind(values))
      .filter(isRow);
  let isOpen = true;
  let isPrepared = false;
  let opening = place();
  const opened = <T>(of: T): T => {
    if (!isOpen) throw new Error("the database is closed");
    return of;
  };
  return {
    engine,
    warning,
    exec: (sql) => void opened(raw).exec(sql),
    prepare: (sql) => {
      const statement = opened(raw).prepare(sql);
      isPrepared = true;
      opening ??= place(); // a new file is created by the first statement
      return {
        run: (values) => void opened(statement).run(...bind(values)),
        get: (values) => all(statement, values)[0],
        all: (values) => all(statement, values),
      };
    },
    // The engines behave differently on a second close: some Node versions throw, libsql does not.
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      if (isPrepared && opening !== undefined) parking.park(raw, opening);
      else raw.close();
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

/** A bundle has its own `require`; a module would see the global one of `node -e` or the REPL under that name. */
function ownRequire(): NodeJS.Require {
  return typeof require === "function" ? require : createRequire(import.meta.url);
}

function loadOptionalLibsql(): DatabaseConstructor | undefined {
  try {
    const loaded = loadLibsql(ownRequire(), import.meta.url);
    return isConstructor(loaded) ? loaded : undefined;
  } catch (error) {
    // The optional dependency is not installed or has no build for this platform: expected; the caller reports it.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function loadNodeSqlite(): DatabaseConstructor | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  // Older versions have the module only behind a flag.
  if (major < 22 || (major === 22 && minor < 13)) return undefined;
  const loaded = withoutSqliteWarning(() => process.getBuiltinModule("node:sqlite"));
  if (typeof loaded !== "object" || loaded === null || !("DatabaseSync" in loaded)) return undefined;
  return isConstructor(loaded.DatabaseSync) ? loaded.DatabaseSync : undefined;
}

/** Node 22 prints an ExperimentalWarning when the module loads. Only that warning is suppressed. */
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
