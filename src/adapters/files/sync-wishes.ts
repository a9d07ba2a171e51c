import type { FilePort } from "../../core/notes/file-port.ts";
import { joined, parseWish, type SyncWish } from "../../core/sync/wish.ts";

export interface SyncWishFiles {
  /** Absolute; made when first needed. */
  readonly directory: string;
  readonly files: Pick<FilePort, "read" | "list" | "note" | "rename" | "remove" | "makeDirectory">;
  /** For names that no other process uses. */
  readonly newId: () => string;
}

export interface SyncWishes {
  /** One a `name`: a later one is joined with what waits. @throws MemoryError when it cannot be written. */
  keep(name: string, wish: SyncWish): void;
  /** The first that was wanted. */
  next(): { readonly name: string; readonly wish: SyncWish } | undefined;
  /** What is wanted from here on is a wish of its own. */
  take(name: string): void;
}

/** One small file a place that wants to sync. */
export function openSyncWishes({ directory, files, newId }: SyncWishFiles): SyncWishes {
  const fileOf = (name: string): string => `${directory}/${name}${WISH}`;
  const read = (name: string): SyncWish | undefined => {
    const bytes = files.read(fileOf(name));
    return bytes === undefined ? undefined : parseWish(new TextDecoder().decode(bytes));
  };
  return {
    keep(name, wish) {
      files.makeDirectory(directory);
      // `.tmp` is not a wish: a kill between the two steps leaves nothing that is taken for one.
      const temporary = `${directory}/${name}.${newId()}.tmp`;
      try {
        files.note(temporary, new TextEncoder().encode(JSON.stringify(joined(wish, read(name)))));
        files.rename(temporary, fileOf(name));
      } catch (error) {
        files.remove(temporary);
        throw error;
      }
    },
    next() {
      const names = (files.list(directory) ?? []).flatMap((entry) =>
        entry.kind === "file" && entry.name.endsWith(WISH) ? [entry.name.slice(0, -WISH.length)] : [],
      );
      const wishes = names.flatMap((name) => {
        const wish = read(name);
        if (wish === undefined) files.remove(fileOf(name));
        return wish === undefined ? [] : [{ name, wish }];
      });
      return wishes.toSorted((a, b) => a.wish.since - b.wish.since)[0];
    },
    take: (name) => files.remove(fileOf(name)),
  };
}

const WISH = ".json";
