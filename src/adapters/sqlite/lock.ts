import { closeSync, openSync, rmSync, statSync, truncateSync } from "node:fs";
import { resolve } from "node:path";
import type { StoreLock } from "../../core/notes/store.ts";
import { codeOf, failureCode, MemoryError } from "../../core/shared/errors.ts";
import { openDatabase, type SqlDatabase, memoryErrorOf, sqliteFailure } from "./driver.ts";

/**
 * Paths and identities of the files whose lock this process holds. Because `run` is synchronous, a second `run` on one
 * of them can only come from inside the first, and waiting for it would never end.
 */
const held = new Set<string>();

/** How often a file that was replaced or repaired meanwhile is opened again before giving up. */
const ATTEMPTS = 5;

/**
 * A lock based on an immediate transaction in an empty SQLite database at `path`. The kernel holds it, so it ends when
 * its process dies, however that happens, and survives any pause of the process: no age has to be judged. No other code
 * in the process may open the file, because closing any of its descriptors would release the lock (POSIX). The file
 * stays empty; its directory must exist. Nothing is opened before the first `run`.
 */
export function createSqliteLock(path: string): StoreLock {
  const file = resolve(path);
  let open: OpenLock | undefined;
  const close = (): void => {
    open?.database.close();
    open = undefined;
  };
  const acquire = (timeoutMs: number): OpenLock => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        open ??= openLockFile(file);
        open.database.exec(`PRAGMA busy_timeout = ${Math.max(0, Math.floor(timeoutMs))}`);
        open.database.exec("BEGIN IMMEDIATE");
        // The file was deleted or replaced during the wait: other processes use the new file, so this lock is useless.
        if (identityOf(file) === open.identity) return open;
        open.database.exec("ROLLBACK");
        close();
      } catch (error) {
        close();
        if (sqliteFailure(error) !== "corrupt" || attempt === ATTEMPTS) throw lockError(error, file, timeoutMs);
        emptyInPlace(file);
      }
    }
    throw new MemoryError(
      "io",
      `the lock file ${file} kept changing while it was being opened; is something else writing it?`,
    );
  };
  return {
    run: (timeoutMs, work) => {
      const known = identityOf(file);
      if (held.has(file) || (known !== undefined && held.has(known))) {
        throw new MemoryError(
          "locked",
          `this process already holds the lock ${file}: a function that runs under it must not ask for it again`,
        );
      }
      const { database, identity } = acquire(timeoutMs);
      held.add(file).add(identity);
      try {
        const result = work();
        if (result instanceof Promise)
          throw new MemoryError(
            "invalid-input",
            "work under the lock must be synchronous: it would go on after the lock is free",
          );
        return result;
      } finally {
        held.delete(file);
        held.delete(identity);
        database.exec("ROLLBACK");
      }
    },
    close,
  };
}

/**
 * The same lock for longer work: held from now until `release` or the end of the process. `undefined` if another
 * process keeps it for longer than `timeoutMs`.
 */
export function holdSqliteLock(path: string, timeoutMs: number): { readonly release: () => void } | undefined {
  const file = resolve(path);
  if (held.has(file)) return undefined;
  const open = opened(file, timeoutMs);
  try {
    open.database.exec(`PRAGMA busy_timeout = ${Math.max(0, Math.floor(timeoutMs))}`);
    open.database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    open.database.close();
    if (sqliteFailure(error) === "busy") return undefined;
    if (sqliteFailure(error) !== "corrupt") throw lockError(error, file, timeoutMs);
    emptyInPlace(file);
    return holdSqliteLock(path, timeoutMs);
  }
  held.add(file).add(open.identity);
  return {
    release: () => {
      held.delete(file);
      held.delete(open.identity);
      open.database.exec("ROLLBACK");
      open.database.close();
    },
  };
}

function opened(file: string, timeoutMs: number): OpenLock {
  try {
    return openLockFile(file);
  } catch (error) {
    throw lockError(error, file, timeoutMs);
  }
}

interface OpenLock {
  readonly database: SqlDatabase;
  /** Device and inode of the open file. */
  readonly identity: string;
}

function openLockFile(file: string): OpenLock {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    requireFile(file);
    closeSync(openSync(file, "a"));
    const before = identityOf(file);
    const database = openDatabase(file, { busyTimeoutMs: 0, journal: "delete" });
    if (before !== undefined && before === identityOf(file)) return { database, identity: before };
    database.close();
  }
  throw new MemoryError(
    "io",
    `the lock file ${file} is being deleted as fast as it is made; is something cleaning up ${file}?`,
  );
}

/** Opening a directory fails, and opening a pipe would wait forever. */
function requireFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new MemoryError("io", `the lock ${file} is not a file: move away what is there, then try again`);
}

function identityOf(file: string): string | undefined {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
  } catch (error) {
    throw lockError(error, file, 0);
  }
}

/**
 * The lock has no content, so garbage in its file is deleted. This is done in place: with a new file of the same name,
 * two processes that both found the garbage could hold two different locks.
 */
function emptyInPlace(file: string): void {
  try {
    truncateSync(file, 0);
    rmSync(`${file}-journal`, { force: true });
  } catch (error) {
    throw lockError(error, file, 0);
  }
}

function lockError(error: unknown, file: string, timeoutMs: number): unknown {
  if (error instanceof MemoryError) return error;
  if (sqliteFailure(error) === "busy") {
    return new MemoryError(
      "locked",
      `another process has been writing to this store for more than ${timeoutMs} ms (lock ${file}): try again, or look for a memdir process that is stopped or hangs`,
      { cause: error },
    );
  }
  if (failureCode(error) === "permission") {
    return new MemoryError(
      "permission",
      `the lock file ${file} cannot be written by this user: check the permissions of its directory`,
      { cause: error },
    );
  }
  if (failureCode(error) === "disk-full")
    return new MemoryError("disk-full", `no space left to create the lock file ${file}`, { cause: error });
  if (["ENOENT", "ENOTDIR"].includes(codeOf(error)))
    return new MemoryError("io", `the directory of the lock file ${file} does not exist`, { cause: error });
  return memoryErrorOf(error, file, "taking the store's lock");
}
