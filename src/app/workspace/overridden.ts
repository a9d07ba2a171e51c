import { isNearer, type Scope } from "../../core/notes/note.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import type { ReadableStore } from "../../core/notes/store.ts";

/** Stores in force, as far as it matters which of two notes counts. */
type Stores = readonly { readonly scope: Scope; readonly store: Pick<ReadableStore, "index"> }[];

/**
 * The scope whose note counts in place of this one: the nearest that holds a live note of the same file name and
 * type. A file is named after a note's type and name, so this is the same name on the same subject.
 */
export function overriddenBy(
  stores: Stores,
  scope: Scope,
  entry: Pick<IndexEntry, "file" | "type">,
): Scope | undefined {
  let nearest: Scope | undefined;
  for (const other of stores) {
    if (!isNearer(other.scope, nearest ?? scope)) continue;
    const rival = other.store.index.entry(entry.file);
    if (rival !== undefined && rival.supersededBy === undefined && rival.type === entry.type) nearest = other.scope;
  }
  return nearest;
}
