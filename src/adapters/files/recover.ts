import type { FileChange, Transaction } from "../../core/notes/history.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { finishForget, isForgetPending } from "./forget.ts";
import { restoreIndexFile, writeIndexFile } from "./index-page.ts";
import { sweepLateEdits } from "./reconcile.ts";
import { pathOf, reindex, retiredBy, type StoreContext, syncParents } from "./store-context.ts";

/** Whether a killed process left something for `recover` to do. */
export function needsRecovery(context: StoreContext): boolean {
  return !context.journal.isFinished() || isForgetPending(context);
}

/**
 * Completes what a killed process left half done: a committed transaction whose files had not
 * followed, a `forget` that was interrupted, late edits into displaced copies. Runs first whenever
 * the lock is taken.
 */
export function recover(context: StoreContext): void {
  restoreIndexFile(context, needsRecovery(context));
  if (!context.journal.isFinished()) {
    const unfinished = context.journal.unfinished();
    const open = redoable(unfinished);
    for (const change of open) redo(context, change);
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
 * Only the newest transaction of our own can be incomplete: each one waits for the files of the one
 * before, on disk. What others changed after it stays as they left it.
 */
function redoable(unfinished: readonly Transaction[]): readonly FileChange[] {
  const at = unfinished.findLastIndex(({ actor }) => actor !== "external");
  const since = new Set(unfinished.slice(at + 1).flatMap(({ changes }) => changes.map(({ file }) => file)));
  return unfinished[at]?.changes.filter(({ file }) => !since.has(file)) ?? [];
}

/** The file follows its transaction unless somebody else has written it since. */
function redo(context: StoreContext, { file, before, after }: FileChange): void {
  const current = context.files.read(pathOf(context, file));
  const currentHash = current && sha256(current);
  const beforeHash = before && sha256(before);
  const isInterrupted =
    current === undefined &&
    beforeHash !== undefined &&
    context.replacer.displaced(file).some((copy) => sha256(copy) === beforeHash);
  if (isInterrupted) context.replacer.replace(file, after, undefined);
  else if (currentHash === beforeHash && currentHash !== (after && sha256(after)))
    context.replacer.replace(file, after, currentHash);
}

/** A history that cannot be rewritten does not stop others from writing; `verify` tells of it until it is done. */
function finishForgetIfPossible(context: StoreContext): void {
  try {
    finishForget(context);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
