import { requireLayout } from "../../adapters/files/layout.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openStore } from "../../adapters/files/store.ts";
import { openGitArchive } from "../../adapters/git/archive.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import { openNoteIndex } from "../../adapters/sqlite/note-index.ts";
import { yamlFrontmatter } from "../../adapters/yaml/frontmatter.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import type { Locations, StoreLocation } from "./locations.ts";

/** The store of one place, this project's or another's. @throws MemoryError `unavailable` where a newer memdir wrote its state. */
export function openStoreAt(
  place: StoreLocation,
  locations: Pick<Locations, "hasGit" | "environment">,
  clock: Clock,
  lockTimeoutMs?: number,
): NoteStore {
  const { directory, state, excluded, inRepository = false } = place;
  requireLayout(state, nodeFiles);
  makeState(state);
  return openStore({
    directory,
    state,
    excluded,
    orderedByName: inRepository,
    files: nodeFiles,
    lock: createSqliteLock(`${state}/lock.db`),
    index: openNoteIndex(`${state}/index.db`),
    archive: () => (locations.hasGit() ? openGitArchive(`${state}/history.git`, locations.environment) : undefined),
    codec: yamlFrontmatter,
    clock,
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
  });
}

/** Where nothing can be written the index is kept in memory, and says so. */
export function makeState(state: string): void {
  try {
    nodeFiles.makeDirectory(state);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}
