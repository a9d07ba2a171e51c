import type { FilePort } from "../../core/notes/file-port.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import {
  type HistoryArchive,
  type Transaction,
  LAST_SEQ,
  problemOfPast,
  type FileChange,
} from "../../core/notes/history.ts";
import type { StoreLock, ExternalChanges, Headroom, NoteStore } from "../../core/notes/store.ts";
import { type NoteIndex, ranksOf } from "../../core/notes/note-index.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { archiveInPassing, archiveJournal, journalHistory, openJournal, wholeHistory } from "./journal.ts";
import { commitChanges } from "./commit.ts";
import { forgetLineages, forgetNote, isForgetPending, presentLives, finishForget } from "./forget.ts";
import { lastForgottenAt } from "./forgotten.ts";
import { keepingPageState, writeIndexFile, restoreIndexFile } from "./index-page.ts";
import { noteLayout } from "./layout.ts";
import { isSeenJustNow, looksUnchanged, rememberDirectories, scanNotes } from "./scan.ts";
import { readPatiently, recordUse } from "./reader.ts";
import {
  adoptChanges,
  findDifference,
  hasLateEdits,
  keepEditsOver,
  nothingChanged,
  sweepLateEdits,
} from "./reconcile.ts";
import { guardPath, isInside, type StoreContext, pathOf, reindex, retiredBy, syncParents } from "./store-context.ts";
import { createFileReplacer } from "./replace-file.ts";
import { appendUse, compactUses, readUsage } from "./usage.ts";
import { sha256 } from "../../core/shared/hash.ts";

/** Whether a killed process left work for `recover`. */
function needsRecovery(context: StoreContext): boolean {
  return !context.journal.isFinished() || isForgetPending(context);
}

/**
 * Completes what a killed process left unfinished: a committed transaction whose files were not updated, an interrupted
 * `forget`, late edits in displaced copies. Runs first whenever the lock is taken.
 */
function recover(context: StoreContext): void {
  restoreIndexFile(context, needsRecovery(context));
  if (!context.journal.isFinished()) {
    const unfinished = context.journal.unfinished();
    const open = redoable(unfinished);
    for (const change of open) redo(context, change);
    keepEditsOver(context, open);
    const own = unfinished.filter(({ actor }) => actor !== "external").flatMap(({ changes }) => changes);
    syncParents(
      context,
      open.map(({ file }) => file),
    );
    reindex(context, [...new Set(own.map(({ file }) => file))]);
    if (own.length > 0) writeIndexFile(context, retiredBy(open));
    context.journal.finish();
  }
  finishForgetIfPossible(context);
  sweepLateEdits(context);
}

/**
 * Only the newest of memdir's own transactions can be incomplete: each one waits until the files of the previous one
 * are on disk. Files that others changed after it are left unchanged.
 */
function redoable(unfinished: readonly Transaction[]): readonly FileChange[] {
  const at = unfinished.findLastIndex(({ actor }) => actor !== "external");
  const since = new Set(unfinished.slice(at + 1).flatMap(({ changes }) => changes.map(({ file }) => file)));
  return unfinished[at]?.changes.filter(({ file }) => !since.has(file)) ?? [];
}

/**
 * Applies a change to its file unless another program has written the file since. If the file is gone, its old text was
 * moved aside by the interrupted replacement, or removed by someone who had not seen the new text: the edit wins.
 */
function redo(context: StoreContext, { file, before, after }: FileChange): void {
  const current = context.files.read(pathOf(context, file));
  if (current === undefined) {
    if (after !== undefined) context.replacer.replace(file, after, undefined);
    return;
  }
  const currentHash = sha256(current);
  if (currentHash === (before && sha256(before)) && currentHash !== (after && sha256(after)))
    context.replacer.replace(file, after, currentHash);
}

/** A history that cannot be rewritten does not block other writes; `verify` reports it until it is done. */
function finishForgetIfPossible(context: StoreContext): void {
  try {
    finishForget(context);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

export interface StoreParts {
  /** The directory of notes, absolute; created by the first write. */
  readonly directory: string;
  /** memdir's own directory for this store, absolute. */
  readonly state: string;
  readonly files: FilePort;
  readonly lock: StoreLock;
  readonly index: NoteIndex;
  /** Called when history is first needed; `undefined` without git. */
  readonly archive: () => HistoryArchive | undefined;
  readonly codec: FrontmatterCodec;
  readonly clock: Clock;
  /** Sub-directories that are stores of their own. */
  readonly excluded?: readonly string[];
  /** Lists MEMORY.md by file name, so that it differs only when notes do. Default: by rank. */
  readonly orderedByName?: boolean;
  /** How long a write waits for other writers (ms). Default 10,000. */
  readonly lockTimeoutMs?: number;
}

/** A reader that finds changes waits no longer than this for a writer (ms). */
const READER_LOCK_MS = 50;

export function openStore(parts: StoreParts): NoteStore {
  const context = contextOf(parts);
  const { files, index, directory, state } = context;
  /** Does not create the directory of notes: a store of which only the history is left stays that way. */
  const lockedAsIs = <T>(work: () => T): T => {
    files.makeDirectory(state);
    return context.lock.run(context.lockTimeoutMs, () => {
      noteLayout(state, files);
      recover(context);
      return work();
    });
  };
  const locked = <T>(work: () => T): T => {
    files.makeDirectory(directory);
    return lockedAsIs(work);
  };
  return {
    directory,
    state,
    index,
    read: (file) => (file === INDEX_FILE || isInside(context, file) ? readPatiently(context, file) : undefined),
    commit: (changes, note) => locked(() => commitChanges(context, changes, note)),
    reconcile: (mode) => reconcile(context, mode),
    history: () =>
      unlessReadOnly(
        () => {
          locked(() => adoptAndArchive(context));
          return context.archive ?? journalHistory(context);
        },
        () => wholeHistory(context),
      ),
    lives: () =>
      unlessReadOnly(
        () => lockedAsIs(() => presentLives(context)),
        () => wholeHistory(context).lives(),
      ),
    lastForgetAt: () => lastForgottenAt(context),
    adoptHistory: (transactions) => locked(() => adoptHistory(context, transactions)),
    forget: (file) =>
      locked(() => {
        guardPath(context, file);
        return forgetNote(context, file);
      }),
    forgetLineages: (lineages) => lockedAsIs(() => forgetLineages(context, lineages)),
    recordUse: (used) => recordUse(context, used),
    recordHelp: (helped) => recordHelp(context, helped),
    usage: () => readUsage(context),
    rebuildIndexFile: () => locked(() => rebuildIndexFile(context)),
    rebuildIndex: () => locked(() => rebuild(context)),
    verify: () => faultsOf(context),
    tidy: (timeoutMs) => tidy(context, locked, timeoutMs),
    close() {
      context.lock.close();
      index.close();
    },
  };
}

/** A store that cannot be written can still be read. */
function unlessReadOnly<T>(work: () => T, asItIs: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof MemoryError && isReadOnly(error)) return asItIs();
    throw error;
  }
}

function isReadOnly({ code }: MemoryError): boolean {
  return code === "permission" || code === "disk-full";
}

function contextOf(parts: StoreParts): StoreContext {
  let archive: { readonly opened: HistoryArchive | undefined } | undefined;
  return {
    ...parts,
    get archive() {
      archive ??= { opened: parts.archive() };
      return archive.opened;
    },
    journal: openJournal(parts.state, parts.files),
    replacer: createFileReplacer(parts.directory, parts.state, parts.files, () => parts.clock.now()),
    excluded: new Set(parts.excluded),
    orderedByName: parts.orderedByName ?? false,
    lockTimeoutMs: parts.lockTimeoutMs ?? 10_000,
  };
}

function rebuildIndexFile(context: StoreContext): Headroom {
  adoptChanges(context);
  const headroom = writeIndexFile(context, new Set());
  context.journal.finish();
  return headroom;
}

/** Other processes can write while the history is packed; an unfinished pack is removed. */
function tidy(context: StoreContext, locked: <T>(work: () => T) => T, timeoutMs: number): void {
  if (context.files.stat(context.directory) === undefined) return;
  const packing = locked(() => {
    compactUses(context);
    context.index.setUses(ranksOf(readUsage(context)));
    archiveInPassing(context);
    return context.archive?.packing();
  });
  if (packing === undefined) return;
  try {
    packing.work(timeoutMs);
  } finally {
    locked(() => packing.finish());
  }
}

function adoptAndArchive(context: StoreContext): void {
  adoptChanges(context);
  archiveJournal(context);
}

function adoptHistory(context: StoreContext, transactions: readonly Transaction[]): boolean {
  const problem = problemOfPast(transactions);
  if (problem !== undefined)
    throw new MemoryError("invalid-input", `this past cannot be taken over: ${problem}; nothing was written`);
  adoptChanges(context);
  if (context.journal.nextSeq() !== 1) return false;
  context.journal.adopt(transactions);
  archiveJournal(context);
  return true;
}

function faultsOf(context: StoreContext): readonly string[] {
  const damage = context.archive?.verify() ?? [];
  return [
    ...damage,
    // If history cannot be read, there is no last number to check.
    ...(damage.length === 0 ? countingProblem(context) : []),
    ...(isForgetPending(context)
      ? ["a forgotten note could not be taken out of the history yet; it is tried again with every write"]
      : []),
  ];
}

/** If a store's last number is too high to increment, nothing more is recorded, and no other check reports it. */
function countingProblem({ journal, archive }: StoreContext): readonly string[] {
  const last = Math.max(journal.nextSeq() - 1, archive?.lastSeq() ?? 0);
  return Number.isSafeInteger(last) && last <= LAST_SEQ
    ? []
    : [`its versions cannot be counted on from number ${last}, so nothing new is recorded`];
}

/** As in `recordUse`, uses that cannot be written are not counted. */
function recordHelp(context: StoreContext, helped: readonly string[]): void {
  if (helped.length === 0) return;
  try {
    appendUse(context, helped, "helped");
    context.index.setUses(ranksOf(readUsage(context)));
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

function rebuild(context: StoreContext): void {
  adoptChanges(context);
  keepingPageState(context, () => {
    context.index.clear();
    adoptChanges(context);
  });
  context.index.setUses(ranksOf(readUsage(context)));
}

function reconcile(context: StoreContext, mode: "glance" | "quick" | "full"): ExternalChanges {
  if (context.files.stat(context.directory) === undefined && context.index.count() === 0) return nothingChanged;
  const isCrashed = needsRecovery(context);
  if (mode === "glance" && !isCrashed && isSeenJustNow(context)) return nothingChanged;
  const isInterrupted = isCrashed || hasLateEdits(context);
  if (mode !== "full" && !isInterrupted && looksUnchanged(context, context.clock.now())) return nothingChanged;
  const startedAt = context.clock.now();
  const isFresh = context.index.count() === 0;
  if (isFresh && !isInterrupted) return fillIndex(context);
  const seen = findDifference(context);
  const news = [seen.added, seen.changed, seen.removed, seen.stampsOnly, seen.scan.leftovers];
  if (!isInterrupted && news.every(({ length }) => length === 0)) {
    if (context.index.degraded === undefined) rememberDirectories(context, seen.scan.directories, startedAt);
    return { ...nothingChanged, skipped: seen.skipped };
  }
  const result = adoptAsReader(context, mode !== "full" && !isFresh ? READER_LOCK_MS : context.lockTimeoutMs) ?? seen;
  if (isFresh) context.index.setUses(ranksOf(readUsage(context)));
  return result;
}

/** Fills an empty index, at first use or after a loss: every file is read once, under the lock if it is available. */
function fillIndex(context: StoreContext): ExternalChanges {
  const { notes, skipped } = scanNotes(context.directory, context.files, context.excluded, context.clock.now());
  if (notes.length === 0) return { ...nothingChanged, skipped };
  const adopted = adoptAsReader(context, context.lockTimeoutMs) ?? adoptChanges(context, false);
  context.index.setUses(ranksOf(readUsage(context)));
  return adopted;
}

/** If the store is locked, the index is used as it is (`undefined`); a read-only store is indexed without a journal. */
function adoptAsReader(context: StoreContext, timeoutMs: number): ExternalChanges | undefined {
  try {
    context.files.makeDirectory(context.state);
    return context.lock.run(timeoutMs, () => {
      recover(context);
      return adoptChanges(context);
    });
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    if (error.code === "locked") return undefined;
    if (isReadOnly(error)) return adoptChanges(context, false);
    throw error;
  }
}
