import { readFileSync, statSync } from "node:fs";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { WORKER_FILE, WORKER_FRESH_MS } from "./capture-places.ts";

/**
 * The process that captures, as its mark says. Only saves the start of one that would find the lock taken, and
 * informs people: the lock decides. A worker takes its mark away before it looks for records a last time, so that
 * none falls between two.
 */
export function workerAtWork(memdirHome: string): number | undefined {
  const file = `${memdirHome}/${WORKER_FILE}`;
  try {
    if (Date.now() - statSync(file).mtimeMs > WORKER_FRESH_MS) return undefined;
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined; // there is no mark, or nobody behind it
  }
}

export interface WorkerMark {
  write(): void;
  /** Process groups that this process started. */
  groups(ids: readonly number[]): void;
  remove(): void;
}

/** Puts this process's mark there; `left` are the groups of a worker that was killed. */
export function markWorker(memdirHome: string): { readonly mark: WorkerMark; readonly left: readonly number[] } {
  const file = `${memdirHome}/${WORKER_FILE}`;
  const bytes = nodeFiles.read(file);
  const [, ...left] = bytes === undefined ? [] : new TextDecoder().decode(bytes).split(/\s+/u).map(Number);
  let groups: readonly number[] = [];
  let beat: NodeJS.Timeout | undefined;
  const write = (): void => {
    nodeFiles.note(file, new TextEncoder().encode([process.pid, ...groups].join("\n")));
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
  return { mark, left: left.filter((id) => Number.isSafeInteger(id) && id > 1) };
}
