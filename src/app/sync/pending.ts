import { readSyncBase } from "../../adapters/sqlite/sync-base.ts";
import type { SyncState } from "../../core/sync/base.ts";
import { syncStateIn } from "../workspace/settle-forgets.ts";
import { isConflictCopy, originalName } from "../../core/notes/names.ts";
import type { FileStamp } from "../../core/notes/note-index.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import type { SyncedSpace } from "./spaces.ts";

/** Changes that wait to be sent, according to the index; only hashes are read. */
export function pendingIn(
  store: Pick<NoteStore, "index"> | undefined,
  space: SyncedSpace,
): { readonly pending: number; readonly cursor: string } {
  const stamps = store?.index.stamps() ?? new Map<string, FileStamp>();
  const hashes = new Map([...stamps].map(([file, { hash }]) => [file, hash]));
  const state = readSyncBase(syncStateIn(space.state));
  return state === undefined
    ? { pending: hashes.size, cursor: "" }
    : { pending: countOf(state, hashes), cursor: state.cursor };
}

function countOf({ entries, unsentForgets }: SyncState, hashes: ReadonlyMap<string, string>): number {
  const changed = [...hashes].filter(([key, hash]) => entries.get(key)?.hash !== hash).length;
  const gone = [...entries.values()].filter(
    ({ key, state }) => state === "live" && !key.startsWith("#") && !hashes.has(key),
  ).length;
  return changed + gone + unsentForgets.size;
}

/** Unsettled conflict copies in a store, according to its index. */
export function conflictCopies({ index }: Pick<NoteStore, "index">): readonly string[] {
  return index
    .entries()
    .flatMap(({ file, supersededBy }) =>
      supersededBy === undefined && isConflictCopy(file, originalName(file) ?? "") ? [file] : [],
    );
}
