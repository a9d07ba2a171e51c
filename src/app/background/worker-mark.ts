import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { codeOf } from "../../core/shared/errors.ts";
import { WORKER_FILE, WORKER_FRESH_MS } from "../capture/capture-places.ts";
import { placeOf } from "../../core/transcripts/capture-job.ts";
import type { Environment, Locations } from "../workspace/locations.ts";

/** Starts memdir's command as a separate process. `undefined` if that fails: the records wait for the next time. */
export function startDetached(locations: Locations, args: readonly string[]): number | undefined {
  const command = commandFile();
  if (command === undefined) return undefined;
  const worker = spawn(nodeCommand(), [...NODE_OPTIONS, command, ...args], {
    cwd: locations.memdirHome,
    env: workerEnvironment(locations),
    // A session and process group of its own: it outlives the hook and can be ended as a whole.
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  worker.on("error", () => undefined);
  worker.unref();
  return worker.pid;
}

/** Small heaps: a worker that needs more is doing something wrong. */
const NODE_OPTIONS = ["--max-old-space-size=256", "--max-semi-space-size=2"];

/** The built command: in the same folder when bundled, else above it. */
function commandFile(): string | undefined {
  return ["./memdir.cjs", "../../memdir.cjs", "../../../dist/memdir.cjs"]
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((file) => existsSync(file));
}

/** An agent that runs plugins inside itself may not be Node. */
function nodeCommand(): string {
  return /(?:^|[\\/])node(?:\.exe)?$/iu.test(process.execPath) ? process.execPath : "node";
}

/** Each record carries its own place, so the session that happens to start the worker must not pass on its own. */
function workerEnvironment({ environment, memdirHome }: Locations): Record<string, string> {
  const place = placeOf(environment);
  const kept = Object.entries(environment satisfies Environment).flatMap(([name, value]): [string, string][] =>
    value === undefined || name in place ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(kept), MEMDIR_HOME: memdirHome };
}

/**
 * The id of the running process according to its mark (default: the capture worker's). The lock decides; the mark only
 * informs the user and saves starting a process that would find the lock taken. A worker removes its mark before its
 * last look for records, so that it misses none.
 */
export function workerAtWork(memdirHome: string, name = WORKER_FILE): number | undefined {
  const file = `${memdirHome}/${name}`;
  try {
    if (Date.now() - statSync(file).mtimeMs > WORKER_FRESH_MS) return undefined;
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined; // no mark, or its process is gone
  }
}

export interface WorkerMark {
  write(): void;
  /** The process groups that this process started. */
  groups(ids: readonly number[]): void;
  remove(): void;
}

/**
 * Starts a worker unless one is running or was just started: a turn's hooks can follow each other faster than a process
 * starts. `start` returns the process id. Process groups in the mark of a killed worker are kept.
 */
export function startMarked(memdirHome: string, start: () => number | undefined, name = WORKER_FILE): void {
  if (workerAtWork(memdirHome, name) !== undefined) return;
  const file = `${memdirHome}/${name}`;
  const groups = groupsIn(file);
  rmSync(file, { force: true });
  if (!claimed(file, [process.pid, ...groups])) return;
  const pid = start();
  if (pid === undefined) nodeFiles.remove(file);
  // A fast worker may already have written its own mark.
  else if (firstOf(file) === process.pid) nodeFiles.note(file, textOf([pid, ...groups]));
}

/** Whether this process was the first to create the mark. */
function claimed(file: string, ids: readonly number[]): boolean {
  try {
    writeFileSync(file, textOf(ids), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // The file cannot be written, or the folder does not exist yet: the worker's own lock decides.
    return true;
  }
}

function idsIn(file: string): readonly number[] {
  const bytes = nodeFiles.read(file);
  return bytes === undefined ? [] : new TextDecoder().decode(bytes).split(/\s+/u).map(Number);
}

function firstOf(file: string): number | undefined {
  return idsIn(file)[0];
}

/** The process groups that the owner of the mark started. */
function groupsIn(file: string): readonly number[] {
  return idsIn(file)
    .slice(1)
    .filter((id) => Number.isSafeInteger(id) && id > 1);
}

function textOf(ids: readonly number[]): Uint8Array {
  return new TextEncoder().encode(ids.join("\n"));
}

/** Writes this process's mark. `left` are the process groups of a worker that was killed. */
export function markWorker(
  memdirHome: string,
  name = WORKER_FILE,
): { readonly mark: WorkerMark; readonly left: readonly number[] } {
  const file = `${memdirHome}/${name}`;
  const left = groupsIn(file);
  let groups: readonly number[] = [];
  let beat: NodeJS.Timeout | undefined;
  const write = (): void => {
    nodeFiles.note(file, textOf([process.pid, ...groups]));
    beat ??= setInterval(write, WORKER_FRESH_MS / 4).unref();
  };
  write();
  const mark: WorkerMark = {
    write,
    groups: (ids) => {
      groups = ids;
      if (beat !== undefined) write();
    },
    remove: () => {
      clearInterval(beat);
      beat = undefined;
      nodeFiles.remove(file);
    },
  };
  return { mark, left };
}
