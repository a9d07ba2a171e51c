import { transferOf } from "../../core/notes/history.ts";
import { lastUndo, nextStep, undo, type UndoResult, versionToUndo } from "../notes/versions.ts";
import type { Version } from "../../core/notes/history.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import type { ChangeOutcome } from "../../core/notes/store.ts";
import { findOperation } from "../workspace/operation-records.ts";
import { undoOperation } from "./project-operations.ts";
import { findTransfer } from "../workspace/transfer-records.ts";
import { undoTransfer } from "./transfers.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { counted } from "../../core/shared/text.ts";

/** The store with the newest undoable change: a bare `undo` or `redo` acts on it. */
export function lastChangedStore({ stores }: Pick<OpenWorkspace, "stores">): ScopedStore | undefined {
  const times = stores.map((scoped) => Date.parse(versionToUndo(scoped, undefined)?.time ?? "") || 0);
  return stores[times.indexOf(Math.max(...times))];
}

/**
 * Undoes a version like `undo`; half of a move between stores is undone in both. If the last change was a forget, only a
 * named note or version is undone: a user who asks for the forgotten note must not lose another change instead.
 */
export function undoAnywhere(
  workspace: OpenWorkspace,
  scoped: ScopedStore,
  file: string | undefined,
  id?: string,
): UndoResult {
  const version = versionToUndo(scoped, file, id);
  if (version !== undefined && file === undefined && id === undefined && isForgetSince(workspace, version))
    return {
      outcome: "nothing",
      message:
        "the last change was a forget, which cannot be undone; `memdir undo --steps 1` undoes the change before it",
    };
  const transferId = version === undefined ? undefined : transferOf(version.reason);
  const transfer = transferId === undefined ? undefined : findTransfer(workspace.locations.memdirHome, transferId);
  if (version === undefined || transfer === undefined) return undo(workspace, scoped, file, id);
  const operation = findOperation(workspace.locations.memdirHome, transfer.id);
  if (operation === undefined) undoTransfer(workspace, transfer);
  else undoOperation(workspace, operation);
  const changes = transfer.files.flatMap(({ from, to, made }): ChangeOutcome[] => [
    { outcome: "created", file: from },
    ...(made ? [{ outcome: "deleted", file: to } as const] : []),
  ]);
  return { outcome: "undone", version, changes };
}

function isForgetSince({ stores }: OpenWorkspace, { time }: Pick<Version, "time">): boolean {
  return stores.some(({ store }) => (store.lastForgetAt() ?? "") > time);
}

/** Undoes the last `count` steps one by one, newest first; stops at the first that cannot be undone. */
export function undoSteps(
  workspace: OpenWorkspace,
  scoped: ScopedStore,
  file: string | undefined,
  count: number,
): readonly UndoResult[] {
  const results: UndoResult[] = [];
  for (let step = 0; step < count; step++) {
    const version = nextStep(scoped, file);
    const result: UndoResult =
      version === undefined
        ? {
            outcome: "nothing",
            message: step === 0 ? "there is no change to undo" : `only ${counted(step, "change")} could be undone`,
          }
        : undoAnywhere(workspace, scoped, file, version.id);
    results.push(result);
    if (result.outcome !== "undone") break;
  }
  return results;
}

/** Repeats what the last undo reverted, if nothing else was changed since. */
export function redo(workspace: OpenWorkspace, scoped: ScopedStore, file: string | undefined): UndoResult {
  const last = lastUndo(scoped, file);
  if (last === undefined) return { outcome: "nothing", message: "nothing to redo: the last change was not an undo" };
  const result = undoAnywhere(workspace, scoped, file, last.by.id);
  return result.outcome === "nothing" ? result : { ...result, version: last.version };
}
