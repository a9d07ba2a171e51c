import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openDreamLock } from "../adapters/files/dream-lock.ts";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { createSqliteLock } from "../adapters/sqlite/lock.ts";
import { openNoteIndex } from "../adapters/sqlite/note-index.ts";
import { dreamLine, type DreamRecord, readDreamLog, refusedLine } from "../core/dream/dream-log.ts";
import { type DreamDue, isDreamDue } from "../core/dream/gates.ts";
import type { TrialStore } from "../core/memory/dream-regression.ts";
import { type DreamOptions, type DreamOutcome, dreamOfStore } from "../core/memory/dream-store.ts";
import type { DreamTexts } from "../core/memory/dream-texts.ts";
import { loggedRecalls } from "../core/memory/logged-recalls.ts";
import type { ScopedStore } from "../core/memory/workspace.ts";
import type { Scope } from "../core/notes/note.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { fillIndex } from "./fill-index.ts";
import type { OpenWorkspace } from "./workspace.ts";

/** What a dream is asked for; see `DreamOptions`. */
export type DreamRequest = Omit<DreamOptions, "trial">;

export type DreamResult =
  | { readonly kind: "dreamt"; readonly outcome: DreamOutcome; readonly ms: number }
  /** Another process consolidates these notes right now. */
  | { readonly kind: "busy"; readonly pid: number };

/** A dream never takes longer (ms). */
const LONGEST_MS = 600_000;
/** Dreams remembered a store; older ones leave the log, their versions stay in history. */
const KEPT_DREAMS = 200;

/** Scopes that are consolidated by themselves; a team's notes change in a pull request. */
const DREAM_SCOPES: readonly Scope[] = ["project", "user", "local", "agent"];

/** Consolidates the notes of one scope. What happened is in its log, a failure too. */
export async function dream(workspace: OpenWorkspace, scoped: ScopedStore, request: DreamRequest): Promise<DreamResult> {
  const started = performance.now();
  const lock = lockOf(workspace, scoped);
  const trial = (one: ScopedStore, texts: DreamTexts): TrialStore => openTrial(workspace, one, texts);
  if (request.dryRun) return { kind: "dreamt", outcome: await dreamOfStore(workspace, scoped, { ...request, trial }), ms: performance.now() - started };
  if (!lock.take()) return { kind: "busy", pid: lock.holder() ?? 0 };
  let done = false;
  try {
    const outcome = await dreamOfStore(workspace, scoped, { ...request, trial });
    const ms = performance.now() - started;
    keep(scoped, recordOf(workspace, outcome, ms));
    done = true;
    return { kind: "dreamt", outcome, ms };
  } finally {
    lock.release(done);
  }
}

/** Whether a dream is due by itself: a day since the last one and five sessions with recalls or captures since. */
export function dreamDue(workspace: OpenWorkspace, scoped: ScopedStore): DreamDue {
  return isDreamDue(lockOf(workspace, scoped).last(), workspace.clock.now(), (ms) => sessionsSince(workspace, ms));
}

function sessionsSince({ recallLog }: OpenWorkspace, ms: number): number {
  return new Set(loggedRecalls(recallLog).filter(({ time }) => Date.parse(time) > ms).flatMap(({ session }) => (session === undefined ? [] : [session]))).size;
}

/** Newest first. */
export function dreamsOf(scoped: ScopedStore): readonly DreamRecord[] {
  const bytes = nodeFiles.read(logOf(scoped));
  return bytes === undefined ? [] : readDreamLog(new TextDecoder().decode(bytes)).toReversed();
}

function lockOf({ clock }: OpenWorkspace, { store }: ScopedStore): ReturnType<typeof openDreamLock> {
  return openDreamLock({ directory: store.directory, guard: createSqliteLock(path.join(store.state, "dream.db")), now: () => clock.now(), isAlive, longestMs: LONGEST_MS });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function recordOf({ clock }: OpenWorkspace, outcome: DreamOutcome, ms: number): DreamRecord {
  return {
    time: new Date(clock.now()).toISOString(), scope: outcome.scope, notes: outcome.notes, ms: Math.round(ms), version: outcome.version,
    applied: outcome.applied.map(dreamLine), refused: outcome.refused.map(refusedLine), told: outcome.told.map(dreamLine),
  };
}

/** The log is for people: that it cannot be written takes nothing from a dream that was applied. */
function keep(scoped: ScopedStore, record: DreamRecord): void {
  const file = logOf(scoped);
  const kept = [...dreamsOf(scoped).toReversed(), record].slice(-KEPT_DREAMS);
  const aside = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(aside, kept.map((one) => `${JSON.stringify(one)}\n`).join(""));
    fs.renameSync(aside, file);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function logOf({ store }: ScopedStore): string {
  return path.join(store.state, "dreams.jsonl");
}

/** An index of its own over the notes with their new texts, in a directory that goes with it. */
function openTrial(workspace: OpenWorkspace, { store }: ScopedStore, texts: DreamTexts): TrialStore {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "memdir-dream-"));
  const index = openNoteIndex(path.join(directory, "index.db"));
  const contents = new Map([...texts].map(([file, { content }]) => [file, new TextEncoder().encode(content)]));
  const read = (file: string): Uint8Array | undefined => contents.get(file) ?? store.read(file);
  const entries = store.index.entries();
  fillIndex(index, entries, read, workspace.codec);
  index.addUses(entries.flatMap(({ file, uses }) => Array.from({ length: Math.min(uses, MOST_USES) }, () => file)));
  return {
    index, read,
    reconcile: () => ({ added: [], changed: [], removed: [], skipped: [] }),
    recordUse: () => undefined,
    close() {
      index.close();
      fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Beyond this, use says nothing more about a note's worth. */
const MOST_USES = 50;

/** The stores of the scopes asked for. @throws MemoryError `not-found` where a named one does not exist. */
export function dreamStores(workspace: OpenWorkspace, scope: string | undefined): readonly ScopedStore[] {
  const stores = workspace.stores.filter((one) => (scope === undefined ? DREAM_SCOPES.includes(one.scope) : one.scope === scope));
  if (stores.length > 0) return stores;
  throw new MemoryError("not-found", scope === undefined ? "there are no notes here yet, so there is nothing to consolidate" : `there are no ${scope} notes here; scopes: ${workspace.scopes.join(", ")}`);
}
