import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FilePort } from "../../core/notes/file-port.ts";
import { codeOf, MemoryError } from "../../core/shared/errors.ts";
import { parseJson, record } from "../../core/shared/json.ts";

/** The process that serves a data directory, and how commands of the same user reach it. */
export interface Serving {
  readonly pid: number;
  /** When the process started, if the system says so. It tells this process from a later one with the same id. */
  readonly started: string;
  readonly url: string;
  readonly token: string;
}

export interface DataLock {
  /** Tells commands where the server is. */
  tell(serving: Pick<Serving, "url" | "token">): void;
  release(): void;
}

const FILE = "serving.json";

/** The server now running on the directory. */
export function servingNow(directory: string): Serving | undefined {
  const serving = readServing(join(directory, FILE));
  return serving !== undefined && isAlive(serving) ? serving : undefined;
}

/**
 * Makes this process the only one on the directory: two processes would destroy the embedded database.
 * @throws MemoryError `locked` when another live process uses the directory, or when nothing can be written there.
 */
export function lockData(directory: string, files: Pick<FilePort, "makeDirectory" | "note">): DataLock {
  files.makeDirectory(directory);
  const path = join(directory, FILE);
  const mine = { pid: process.pid, started: startOf(process.pid), url: "", token: "" };
  const write = (serving: Serving): string => {
    const aside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
    files.note(aside, new TextEncoder().encode(`${JSON.stringify(serving)}\n`));
    return aside;
  };
  const aside = write(mine);
  try {
    if (!claim(aside, path)) {
      removeStale(path);
      if (!claim(aside, path)) throw inUse(directory, readServing(path)?.pid);
    }
  } finally {
    rmSync(aside, { force: true });
  }
  return {
    tell: (serving) => renameSync(write({ ...mine, ...serving }), path),
    release: () => rmSync(path, { force: true }),
  };
}

/** A link refuses to overwrite, so only one of two processes succeeds. */
function claim(aside: string, path: string): boolean {
  try {
    linkSync(aside, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Moves a dead process's file out of the way. A moved file whose process is alive after all is put back. */
function removeStale(path: string): void {
  const before = readServing(path);
  if (before !== undefined && isAlive(before)) return;
  const moved = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, moved);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  const after = readServing(moved);
  if (after !== undefined && isAlive(after)) claim(moved, path);
  rmSync(moved, { force: true });
}

function inUse(directory: string, pid: number | undefined): MemoryError {
  return new MemoryError(
    "locked",
    `${directory} is served by process ${pid ?? "unknown"} already. Stop that server first, or choose another --data.`,
  );
}

function readServing(path: string): Serving | undefined {
  try {
    const { pid, started, url, token } = record(parseJson(readFileSync(path, "utf8")));
    if (typeof pid !== "number" || typeof started !== "string") return undefined;
    return { pid, started, url: String(url), token: String(token) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive({ pid, started }: Serving): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    if (codeOf(error) !== "EPERM") return false;
  }
  return startOf(pid) === started;
}

/** Clock ticks since boot on Linux; an empty string elsewhere. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ESRCH") return "";
    throw error;
  }
}
