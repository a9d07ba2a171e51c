import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { IndexEntry, NoteIndex } from "../../core/notes/note-index.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { sha256 } from "../../core/shared/hash.ts";

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
