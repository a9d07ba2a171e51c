import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openSyncBase } from "../../adapters/sqlite/sync-base.ts";
import type { Lineage } from "../../core/notes/lineage.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { forgetInBase } from "../../core/sync/base.ts";

/** Where a store keeps what it knows of the space it syncs with. */
export function syncStateIn(state: string): string {
  return `${state}/sync/sync.db`;
}

/** Removes every text of the lineages from what sync keeps, and has the spaces told at the next run; gives what failed. */
export function forgetInSpaces(states: readonly string[], lineages: ReadonlySet<Lineage>): readonly MemoryError[] {
  return states.flatMap((state) => {
    const file = syncStateIn(state);
    if (nodeFiles.stat(file) === undefined) return [];
    try {
      const base = openSyncBase(file);
      try {
        base.write(forgetInBase(base.state, lineages));
      } finally {
        base.close();
      }
      return [];
    } catch (error) {
      if (error instanceof MemoryError) return [error];
      throw error;
    }
  });
}
