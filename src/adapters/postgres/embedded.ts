import { mkdir, open, readdir, rename, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type * as PGliteModule from "@electric-sql/pglite";
import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from "kysely";
import type { EmbeddedCare } from "../../core/server/database.ts";
import { codeOf, MemoryError } from "../../core/shared/errors.ts";
import { record } from "../../core/shared/json.ts";

type PGlite = PGliteModule.PGlite;

/** PostgreSQL inside this process, in its own directory. Unlike the engine's checkpoint, this one syncs the files. */
interface Embedded extends EmbeddedCare {
  readonly dialect: Dialect;
}

/**
 * By default the engine starts with `-F` and never waits for the disk. These settings make each write of its log wait,
 * leave checkpoints to memdir (see `checkpoint`), and keep no old log files for reuse.
 */
const START = [
  "--single",
  "-O",
  "-j",
  ...[
    "search_path=public",
    "exit_on_error=false",
    "log_checkpoints=false",
    "max_worker_processes=0",
    "max_parallel_workers=0",
    "max_parallel_workers_per_gather=0",
    "max_parallel_maintenance_workers=0",
    "io_method=sync",
    "fsync=on",
    "wal_sync_method=open_datasync",
    "synchronous_commit=on",
    "checkpoint_timeout=1d",
    "max_wal_size=1GB",
    "min_wal_size=32MB",
    "wal_recycle=off",
  ].flatMap((setting) => ["-c", setting]),
];

const INT8 = 20;

/** @throws MemoryError `unavailable` when the package with the engine is not installed, or the engine does not start. */
export async function openEmbedded(directory: string): Promise<Embedded> {
  const { PGlite } = await engineModule();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const engine = await reopening(directory, async () => {
    try {
      return await PGlite.create(directory, { startParams: START, parsers: { [INT8]: Number } });
    } catch (error) {
      throw new MemoryError(
        "unavailable",
        `The database in ${directory} does not start. This user must be able to write each of its files; if that is so, restore it from an archive.`,
        { cause: error },
      );
    }
  });
  const turns = oneAtATime();
  const run = (sql: string): Promise<unknown> => engine.use((lite) => lite.exec(sql));
  const checkpoint = async (): Promise<void> => {
    await run("checkpoint");
    await syncBelow(directory);
  };
  return {
    dialect: embeddedDialect(engine, turns, directory),
    checkpoint: () =>
      inTurn(turns, async () => {
        await refuseWhenFull(directory);
        await checkpoint();
      }),
    purge: () =>
      inTurn(turns, async () => {
        await refuseWhenFull(directory);
        for (const table of ["versions", "entries", "spaces"]) await run(`vacuum full ${table}`);
        // Switching ends the current log file; only files before the last checkpoint are dropped.
        await run("select pg_switch_wal()");
        await run("checkpoint");
        await checkpoint();
        await engine.use((lite) => removeOrphans(lite, directory));
      }),
    dump: (target, name, how) => inTurn(turns, () => engine.use((lite) => dump(lite, target, name, how))),
  };
}

/**
 * Removes table files that no table uses. A server killed while a table was written anew leaves the old or the new file
 * forever, with the rows that it had. Only after a checkpoint, when the engine needs no such file any more.
 */
async function removeOrphans(lite: PGlite, directory: string): Promise<void> {
  const { rows } = await lite.query<{ oid: number; node: number }>(
    `select d.oid::int as oid, pg_relation_filenode(c.oid)::int as node from pg_class c, pg_database d
     where d.datname = current_database() and pg_relation_filenode(c.oid) is not null`,
  );
  const [first] = rows;
  if (first === undefined) return;
  const used = new Set(rows.map(({ node }) => String(node)));
  const place = join(directory, "base", String(first.oid));
  for (const name of await readdir(place)) {
    const [, node] = TABLE_FILE.exec(name) ?? [];
    if (node !== undefined && !used.has(node)) await rm(join(place, name), { force: true });
  }
}

/** A table, one of its maps, or a further segment: `16384`, `16384_fsm`, `16384.1`. */
const TABLE_FILE = /^(\d+)(?:_(?:fsm|vm|init))?(?:\.\d+)?$/u;

interface Engine {
  use<T>(work: (lite: PGlite) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * After a panic, such as a checkpoint on a full disk, the engine keeps running, finds its tables empty and eventually
 * stops answering. So it is no longer used: a new one takes over the directory, as after a crash.
 */
async function reopening(directory: string, start: () => Promise<PGlite>): Promise<Engine> {
  const startWithRoom = async (): Promise<PGlite> => {
    await refuseWhenFull(directory);
    return start();
  };
  let lite: PGlite | undefined = await startWithRoom();
  return {
    async use(work) {
      lite ??= await startWithRoom();
      try {
        return await work(lite);
      } catch (error) {
        if (isPanic(error)) lite = undefined;
        throw error;
      }
    },
    async close() {
      if (lite !== undefined && !lite.closed) await lite.close();
    },
  };
}

/** Any error that is not an answer to a statement but ends the engine. */
function isPanic(error: unknown): boolean {
  const { severity } = record(error);
  return severity === undefined ? !(error instanceof MemoryError) : severity === "PANIC" || severity === "FATAL";
}

/** The space that a start and a checkpoint may need: a log segment, and the pages in memory. */
const ROOM_BYTES = 48_000_000;

/** @throws MemoryError `unavailable`. Called before a write, since a disk that fills up during it causes a panic. */
async function refuseWhenFull(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < ROOM_BYTES)
    throw new MemoryError(
      "unavailable",
      `The disk of ${directory} is full: nothing is written until ${ROOM_BYTES / 1_000_000} MB are free.`,
    );
}

async function engineModule(): Promise<typeof PGliteModule> {
  try {
    return await import("@electric-sql/pglite");
  } catch (error) {
    if (codeOf(error) !== "ERR_MODULE_NOT_FOUND" && codeOf(error) !== "MODULE_NOT_FOUND") throw error;
    throw new MemoryError(
      "unavailable",
      "The embedded database is not installed. Install it with `npm install @electric-sql/pglite`, or name a PostgreSQL server with --database postgres://USER@HOST/NAME.",
      { cause: error },
    );
  }
}

type Turns = () => Promise<() => void>;

/** The engine has one connection, which is held for a whole transaction. */
function oneAtATime(): Turns {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const before = last;
    let done = (): void => undefined;
    last = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    return done;
  };
}

async function inTurn<T>(turns: Turns, work: () => Promise<T>): Promise<T> {
  const done = await turns();
  try {
    return await work();
  } finally {
    done();
  }
}

class EmbeddedConnection implements DatabaseConnection {
  readonly #engine: Engine;
  readonly #refuse: () => Promise<void>;
  release: () => void = () => undefined;

  constructor(engine: Engine, refuse: () => Promise<void>) {
    this.#engine = engine;
    this.#refuse = refuse;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    if (WRITES.has(query.kind)) await this.#refuse();
    const { rows, affectedRows } = await this.#engine.use((lite) => lite.query<R>(sql, [...parameters]));
    // For a statement with RETURNING the engine counts the returned rows, which is the same number.
    return affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(affectedRows) };
  }

  // oxlint-disable-next-line require-yield -- part of the interface, and nothing asks for it
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new MemoryError("invalid-input", "The embedded database does not stream results.");
  }
}

const WRITES: ReadonlySet<string> = new Set(["InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"]);

function embeddedDialect(engine: Engine, turns: Turns, directory: string): Dialect {
  const say = async (connection: DatabaseConnection, sql: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  const connection = new EmbeddedConnection(engine, () => refuseWhenFull(directory));
  const driver: Driver = {
    init: async () => undefined,
    async acquireConnection() {
      connection.release = await turns();
      return connection;
    },
    beginTransaction: (one) => say(one, "begin"),
    commitTransaction: (one) => say(one, "commit"),
    rollbackTransaction: (one) => say(one, "rollback"),
    releaseConnection: async () => connection.release(),
    destroy: () => engine.close(),
  };
  return {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Files first, then the directory that contains them. */
async function syncBelow(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await syncBelow(path);
    else if (entry.isFile()) await syncOne(path);
  }
  await syncOne(directory);
}

async function syncOne(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function dump(
  lite: PGlite,
  directory: string,
  name: string,
  { keep, again }: { readonly keep: number; readonly again: boolean },
): Promise<boolean> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${name}.tar.gz`);
  const there = await readdir(directory);
  // Files that a killed server was writing.
  for (const part of there.filter((file) => file.endsWith(".part"))) await rm(join(directory, part), { force: true });
  if (!again && there.includes(`${name}.tar.gz`)) return false;
  const archive = await lite.dumpDataDir("gzip");
  const aside = `${path}.part`;
  await writeFile(aside, new Uint8Array(await archive.arrayBuffer()), { mode: 0o600 });
  await syncOne(aside);
  await rename(aside, path);
  await syncOne(directory);
  const dumps = (await readdir(directory)).filter((file) => file.endsWith(".tar.gz")).toSorted();
  for (const old of dumps.slice(0, -keep)) await rm(join(directory, old), { force: true });
  return true;
}
