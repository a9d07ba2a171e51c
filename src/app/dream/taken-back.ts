import type { DreamLine, DreamRecord } from "../../core/dream/dream-log.ts";
import type { DreamOperation, RefusedOperation } from "../../core/dream/operation.ts";
import { takenBack } from "../notes/versions.ts";
import type { ScopedStore } from "../workspace/workspace.ts";

/** Whether an earlier dream did this to these notes and a person took it back: nobody says that twice. */
export function isTakenBackIn(scoped: ScopedStore, dreams: readonly DreamRecord[]): (operation: DreamLine) => boolean {
  const applied = dreams.filter(({ version }) => version !== undefined);
  if (applied.length === 0) return () => false;
  const taken = takenBack(scoped);
  const lines = applied.filter(({ version }) => taken.has(String(version))).flatMap((dream) => dream.applied);
  const keys = new Set(lines.map(keyOf));
  return (operation) => keys.has(keyOf(operation));
}

/** Two notes that were not to be one stay two whatever they say by then; what is corrected in one may be something else. */
function keyOf({ kind, files, reason }: DreamLine): string {
  const isOfNotes = kind === "merge" || kind === "supersede" || kind === "retire";
  return JSON.stringify([kind, files.toSorted(), isOfNotes ? "" : reason]);
}

export function refusedAsTakenBack(operation: DreamOperation): RefusedOperation {
  return {
    operation,
    reason: "taken-back",
    message: "an earlier dream did this and it was taken back; do it by hand if you want it by now",
  };
}
