import { linkKey, linksIn } from "../../core/notes/links.ts";
import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import type { LoggedRecall } from "../../core/recall/log-line.ts";
import type { KeptRecallLog } from "../../core/recall/recall-log.ts";
import { loggedRecalls } from "../recall/logged-recalls.ts";
import type { NoteStore } from "../../core/notes/store.ts";

export interface KeptLink {
  readonly target: string;
  /** As `linkKey` gives it. */
  readonly key: string;
}

/** What many reads need and what changes seldom, kept between them. */
export interface Kept {
  /** What a note's text points at; read once for each text that it had. */
  linksOf(store: Pick<NoteStore, "read">, entry: Pick<IndexEntry, "file" | "hash">): readonly KeptLink[];
  /** Recalls of the log, oldest first; read again when the log has grown. */
  recalls(log: KeptRecallLog): readonly LoggedRecall[];
}

export function createKept(): Kept {
  const links = new Map<string, readonly KeptLink[]>();
  let read: { readonly bytes: number; readonly recalls: readonly LoggedRecall[] } | undefined;
  return {
    linksOf(store, { file, hash }) {
      const known = links.get(hash);
      if (known !== undefined) return known;
      const bytes = store.read(file);
      const targets = bytes === undefined ? [] : linksIn(splitFrontmatter(new TextDecoder().decode(bytes)).body);
      const found = targets.map((target) => ({ target, key: linkKey(target) }));
      links.set(hash, found);
      return found;
    },
    recalls(log) {
      const { bytes } = log.health();
      if (read?.bytes !== bytes) read = { bytes, recalls: loggedRecalls(log) };
      return read.recalls;
    },
  };
}
