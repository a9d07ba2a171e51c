import { putFile } from "./put-file.ts";
import { type CursorKey, type Cursors, parseCursor } from "../../core/transcripts/cursor.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import { sha256 } from "../../core/shared/hash.ts";

/** Some 300 bytes each. A session whose cursor is gone is read anew, which adds nothing. */
const MOST_CURSORS = 2_000;

export interface CursorFiles {
  /** Absolute; made when first needed. */
  readonly directory: string;
  readonly files: Pick<
    FilePort,
    "read" | "stat" | "list" | "create" | "rename" | "remove" | "makeDirectory" | "syncDirectory"
  >;
  /** For names that no other process uses. */
  readonly newId: () => string;
}

/** One small file a session and store, replaced as a whole. */
export function openCursors({ directory, files, newId }: CursorFiles): Cursors {
  return {
    read(key) {
      const bytes = files.read(fileOf(directory, key));
      return bytes === undefined ? undefined : parseCursor(new TextDecoder().decode(bytes));
    },
    write(key, cursor) {
      files.makeDirectory(directory);
      const file = fileOf(directory, key);
      putFile(file, JSON.stringify(cursor), { files, aside: `${file}.${newId()}.tmp`, named: true });
    },
    prune() {
      const names = (files.list(directory) ?? [])
        .filter(({ kind }) => kind === "file")
        .map(({ name }) => `${directory}/${name}`);
      // What a kill left between two steps of a write.
      for (const file of names) if (file.endsWith(".tmp")) files.remove(file);
      const kept = names.filter((file) => file.endsWith(".json"));
      const byAge = kept
        .map((file) => ({ file, time: files.stat(file)?.mtimeMs ?? 0 }))
        .toSorted((a, b) => b.time - a.time);
      for (const { file } of byAge.slice(MOST_CURSORS)) files.remove(file);
    },
  };
}

function fileOf(directory: string, { agent, session, store }: CursorKey): string {
  return `${directory}/${sha256(`${agent}\n${session}\n${store}`).slice(0, 32)}.json`;
}
