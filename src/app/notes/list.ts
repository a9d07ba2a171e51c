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

/** Notes of all scopes in use; superseded ones only on request. */
export function listNotes(workspace: Workspace, options: { readonly superseded?: boolean } = {}): ListedNote[] {
  return workspace.stores.flatMap((scoped) => {
    scoped.store.reconcile("full");
    return scoped.store.index
      .entries()
      .filter(({ supersededBy }) => options.superseded === true || supersededBy === undefined)
      .map((entry) => ({ scoped, entry: { ...entry, shownType: shownType(entry) } }));
  });
}

/** The notes as they were after version `seq`. */
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
  /** Without secrets, like its text. */
  readonly note: Note;
  readonly text: string;
  /** Identifies this text, so that `revise` can say what a change is based on. */
  readonly version: string;
  readonly links: readonly string[];
}

/** One note, now or as of a version. `undefined` if it no longer exists. */
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
