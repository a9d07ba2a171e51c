import fs from "node:fs";
import path from "node:path";
import type { StoreLock } from "../../core/notes/store.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { nodeFiles } from "./node-files.ts";

/**
 * Allows one dream at a time in a directory of notes. Others see it as `.consolidate-lock`: its text names the dreaming
 * process, and its mtime is the end of the last dream. A dream that is killed leaves the previous time.
 */
export interface DreamLock {
  /** When the last completed dream ended (ms); `undefined` if there was none. */
  last(): number | undefined;
  /** The process that is dreaming now, if any. */
  holder(): number | undefined;
  /** `false` while another process dreams. @throws MemoryError `permission` if the directory cannot be written. */
  take(): boolean;
  /** `done` sets the time to now; otherwise the previous time is restored, so that the next session can try again. */
  release(done: boolean): void;
}

export interface DreamLockParts {
  /** The directory of notes. */
  readonly directory: string;
  /** Makes reading and writing the file one step for all processes. */
  readonly guard: StoreLock;
  readonly now: () => number;
  readonly isAlive: (pid: number) => boolean;
  /** No dream takes longer (ms): a process that seems to hold the lock longer is a different one with the same id. */
  readonly longestMs: number;
}

interface Held {
  readonly pid: number;
  /** When it began (ms). */
  readonly began: number;
  /** When the previous dream ended (ms). */
  readonly previous: number | undefined;
}

/** The name of the lock file in a directory of notes. */
export const DREAM_LOCK = ".consolidate-lock";

const GUARD_TIMEOUT_MS = 2_000;

export function openDreamLock(parts: DreamLockParts): DreamLock {
  const file = path.join(parts.directory, DREAM_LOCK);
  const held = (): Held | undefined => heldBy(file, parts);
  return {
    holder: () => held()?.pid,
    last: () => lastDream(file, parts),
    take: () =>
      parts.guard.run(GUARD_TIMEOUT_MS, () => {
        if (held() !== undefined) return false;
        sweep(file);
        const previous = lastDream(file, parts);
        write(
          file,
          JSON.stringify({ pid: process.pid, began: parts.now(), ...(previous === undefined ? {} : { previous }) }),
        );
        return true;
      }),
    release: (done) =>
      parts.guard.run(GUARD_TIMEOUT_MS, () => {
        const mine = read(file);
        if (mine?.pid !== process.pid) return;
        if (!done && mine.previous === undefined) nodeFiles.remove(file);
        else write(file, "", done ? parts.now() : (mine.previous ?? 0));
      }),
  };
}

function heldBy(file: string, { now, isAlive, longestMs }: DreamLockParts): Held | undefined {
  const held = read(file);
  return held !== undefined && now() - held.began <= longestMs && isAlive(held.pid) ? held : undefined;
}

/** The file's mtime, or the previous time recorded in it if a dream never finished. */
function lastDream(file: string, parts: DreamLockParts): number | undefined {
  const held = read(file);
  if (held !== undefined) return held.previous;
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? undefined : Math.min(stat.mtimeMs, parts.now());
}

/** Another program may write only its process id. */
function read(file: string): Held | undefined {
  const text = new TextDecoder().decode(nodeFiles.read(file));
  if (text.trim() === "") return undefined;
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (/^\d{1,10}$/u.test(text.trim()))
    return { pid: Number(text.trim()), began: stat?.mtimeMs ?? 0, previous: undefined };
  const value = parseJson(text);
  const field = (name: string): number | undefined =>
    isRecord(value) && typeof value[name] === "number" ? value[name] : undefined;
  const pid = field("pid");
  return pid === undefined ? undefined : { pid, began: field("began") ?? 0, previous: field("previous") };
}

/** Removes files of processes that were killed between writing them and renaming them into place. */
function sweep(file: string): void {
  const directory = path.dirname(file);
  for (const { name } of nodeFiles.list(directory) ?? [])
    if (name.startsWith(`${path.basename(file)}.`)) nodeFiles.remove(path.join(directory, name));
}

/** Text and time (ms) change together, so that a process killed here leaves no wrong time. */
function write(file: string, text: string, timeMs?: number): void {
  const aside = `${file}.${process.pid}`;
  nodeFiles.remove(aside);
  nodeFiles.create(aside, new TextEncoder().encode(text));
  if (timeMs !== undefined) fs.utimesSync(aside, new Date(timeMs), new Date(timeMs));
  nodeFiles.rename(aside, file);
}
