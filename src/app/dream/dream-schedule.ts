import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { openDreamLock } from "../../adapters/files/dream-lock.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import { DREAM_GATES, type DreamDue, isDreamDue } from "../../core/dream/operation.ts";
import { loggedRecalls } from "../recall/log-recall.ts";
import { modeIn } from "../workspace/modes.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { loggedSessions } from "./dream-log-news.ts";
import { isAlive } from "../workspace/alive.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** Less than this is not worth the pause (bytes). */
const WORTH_BYTES = 32 * 1024 * 1024;

let collect: (() => void) | undefined;

/** The least that the heap held since it was last collected; at first, about what a process holds before it works. */
let settledBytes = 32 * 1024 * 1024;

/**
 * Gives back what a finished piece of work left behind. The engine would let the heap of a process that works through
 * a large store grow to several times what is in use; between two phases a collection costs some 100 ms. What the
 * program of a library's user holds would only be walked through again, so growth alone counts.
 */
export function releaseMemory(): void {
  if (heapBytes() >= settledBytes + WORTH_BYTES) {
    collect ??= exposedCollector();
    collect();
    settledBytes = heapBytes();
  } else settledBytes = Math.min(settledBytes, heapBytes());
}

function heapBytes(): number {
  return v8.getHeapStatistics().total_heap_size;
}

function exposedCollector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  const gc: unknown = vm.runInNewContext("gc");
  return typeof gc === "function" ? () => void Reflect.apply(gc, undefined, []) : () => undefined;
}

/** A dream never takes longer (ms). */
export const LONGEST_MS = 600_000;

/** Whether a dream is due by itself: a day since the last one and five sessions with recalls or captures since. */
export function dreamDue(workspace: OpenWorkspace, scoped: ScopedStore): DreamDue {
  return isDreamDue(lockOf(workspace, scoped).last(), workspace.clock.now(), (ms) =>
    sessionsSince(workspace, scoped, ms),
  );
}

/** Newest notes whose evidence is read for the sessions they came from. */
const MOST_EVIDENCE = 100;

/** Sessions that recalled something here, that a log tells of, or that a note of this scope written since came from. */
function sessionsSince(workspace: OpenWorkspace, scoped: ScopedStore, ms: number): number {
  const { recallLog, codec } = workspace;
  const { store } = scoped;
  const sessions = new Set(
    loggedRecalls(recallLog)
      .filter(({ time }) => Date.parse(time) > ms)
      .flatMap(({ session }) => (session === undefined ? [] : [session])),
  );
  for (const session of loggedSessions(workspace, scoped, ms)) sessions.add(session);
  if (sessions.size >= DREAM_GATES.sessions) return sessions.size;
  store.reconcile("quick");
  const written = store.index
    .entries()
    .filter(({ time }) => time > ms)
    .toSorted((a, b) => b.time - a.time)
    .slice(0, MOST_EVIDENCE);
  for (const { file } of written) {
    const bytes = store.read(file);
    const session = bytes === undefined ? undefined : parseNote(file, bytes, codec).evidence?.session;
    if (session !== undefined && session !== "") sessions.add(session);
  }
  return sessions.size;
}

/** For `memdir status`: when the last dream of the project was and when the next will be. */
export function dreamStatus(
  workspace: OpenWorkspace,
): { readonly last: string | undefined; readonly next: string; readonly line: string } | undefined {
  const scoped = workspace.stores.find(({ scope }) => scope === "project");
  if (scoped === undefined) return undefined;
  const lock = lockOf(workspace, scoped);
  const ms = lock.last();
  const last = ms === undefined ? undefined : new Date(ms).toISOString();
  const before = last === undefined ? "none yet" : `last ${last.slice(0, 16).replace("T", " ")} UTC`;
  const next = lock.holder() === undefined ? nextDream(workspace, scoped) : "one is running";
  return { last, next, line: `${before}; ${next}` };
}

function nextDream(workspace: OpenWorkspace, scoped: ScopedStore): string {
  const { mode } = modeIn(workspace.modes, scoped.scope);
  if (mode !== "auto" && mode !== "confirm") return `not automatic in mode ${mode}`;
  const due = dreamDue(workspace, scoped);
  return due.due ? "the next is due, after the next captured turn" : due.message;
}

export function lockOf({ clock }: OpenWorkspace, { store }: ScopedStore): ReturnType<typeof openDreamLock> {
  return openDreamLock({
    directory: store.directory,
    guard: createSqliteLock(path.join(store.state, "dream.db")),
    now: () => clock.now(),
    isAlive,
    longestMs: LONGEST_MS,
  });
}
