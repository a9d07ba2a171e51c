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
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { IndexEntry, NoteIndex } from "../../core/notes/note-index.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { ScopedStore } from "./workspace.ts";

/** What making one store's state smaller may take; what is not done then is done another time (ms). */
const TIDY_MS = 20_000;

/** State that grows is made smaller, where that is due; that it cannot be takes nothing from what was written. */
export function tidyStores(stores: Iterable<ScopedStore>, deadline: number): void {
  for (const { store } of stores) {
    const left = Math.min(TIDY_MS, deadline - Date.now());
    try {
      if (left > 0) store.tidy(left);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
    }
  }
}

/** Notes read before they are put in: all of a large store at once would take its size in memory several times over. */
const BATCH = 250;

/** Fills an empty index with these files as `read` gives them. */
export function fillIndex(
  index: NoteIndex,
  entries: readonly Pick<IndexEntry, "file" | "mtimeMs">[],
  read: (file: string) => Uint8Array | undefined,
  codec: FrontmatterCodec,
): void {
  for (let start = 0; start < entries.length; start += BATCH) {
    index.apply({
      upsert: entries.slice(start, start + BATCH).flatMap(({ file, mtimeMs }) => {
        const bytes = read(file);
        return bytes === undefined
          ? []
          : [{ file, hash: sha256(bytes), size: bytes.byteLength, mtimeMs, note: parseNote(file, bytes, codec) }];
      }),
    });
  }
}

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
