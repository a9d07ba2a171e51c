import type { IndexEntry } from "../../core/notes/note-index.ts";
import type { Note } from "../../core/notes/note.ts";
import { contentVersion } from "../../core/shared/hash.ts";
import { linksIn } from "../../core/notes/names.ts";
import { parseNote, shownType, shownNote, shownText } from "../../core/notes/parse-note.ts";
import { contentOf } from "./versions.ts";
import type { NoteRef, ScopedStore, Workspace } from "../workspace/workspace.ts";

export interface ListedNote {
  readonly scoped: ScopedStore;
  readonly entry: Pick<
    IndexEntry,
    "file" | "name" | "description" | "type" | "pinned" | "time" | "problems" | "supersededBy" | "uses"
  > & { readonly shownType: string };
}

/** Notes of every scope in force; superseded ones only when asked for. */
export function listNotes(workspace: Workspace, options: { readonly superseded?: boolean } = {}): ListedNote[] {
  return workspace.stores.flatMap((scoped) => {
    scoped.store.reconcile("full");
    return scoped.store.index
      .entries()
      .filter(({ supersededBy }) => options.superseded === true || supersededBy === undefined)
      .map((entry) => ({ scoped, entry: { ...entry, shownType: shownType(entry) } }));
  });
}

/** The notes as they were at the end of a moment. */
export function listAsOf(
  workspace: Workspace,
  scoped: ScopedStore,
  seq: number,
): { readonly file: string; readonly note: Note }[] {
  const history = scoped.store.history();
  return history
    .filesAt(seq)
    .filter((file) => file !== "MEMORY.md")
    .flatMap((file) => {
      const content = history.contentAt(seq, file);
      return content === undefined ? [] : [{ file, note: shownNote(parseNote(file, content, workspace.codec)) }];
    });
}

export interface ShownNote {
  /** Without secrets, as its text is. */
  readonly note: Note;
  readonly text: string;
  /** Names this text, for `revise` to say what a change was made from. */
  readonly version: string;
  readonly links: readonly string[];
}

/** One note, present or as of a version. `undefined` when it is gone. */
export function showNote(workspace: Workspace, ref: NoteRef, seq?: number): ShownNote | undefined {
  const bytes = seq === undefined ? ref.scoped.store.read(ref.file) : contentOf(ref, seq);
  if (bytes === undefined) return undefined;
  const note = shownNote(parseNote(ref.file, bytes, workspace.codec));
  return {
    note,
    text: shownText(bytes),
    version: contentVersion(bytes),
    links: linksIn(note.body),
  };
}
