import type { FilePort } from "../../core/notes/file-port.ts";
import { joined, parseWish, type SyncWish } from "../../core/sync/wish.ts";

export interface SyncWishFiles {
  /** Absolute; created when first needed. */
  readonly directory: string;
  readonly files: Pick<FilePort, "read" | "list" | "note" | "rename" | "remove" | "makeDirectory">;
  /** Makes names unique to this process. */
  readonly newId: () => string;
}

export interface SyncWishes {
  /** One per `name`: a later wish is merged with the waiting one. @throws MemoryError when it cannot be written. */
  keep(name: string, wish: SyncWish): void;
  /** The oldest wish. */
  next(): { readonly name: string; readonly wish: SyncWish } | undefined;
  /** Removes a wish; a request from now on is a new wish. */
  take(name: string): void;
}

/** One small file per place that wants to sync. */
export function openSyncWishes({ directory, files, newId }: SyncWishFiles): SyncWishes {
  const fileOf = (name: string): string => `${directory}/${name}${WISH}`;
  const read = (name: string): SyncWish | undefined => {
    const bytes = files.read(fileOf(name));
    return bytes === undefined ? undefined : parseWish(new TextDecoder().decode(bytes));
  };
  return {
    keep(name, wish) {
      files.makeDirectory(directory);
      // A `.tmp` file is not a wish, so a kill between the two steps leaves no invalid wish.
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
