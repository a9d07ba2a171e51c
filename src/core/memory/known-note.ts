import { relate } from "../capture/duplicates.ts";
import type { NoteDraft } from "../notes/note.ts";
import { parseNote } from "../notes/parse-note.ts";
import { analyse } from "../notes/terms.ts";
import { oneLine } from "../shared/text.ts";
import type { NoteRef, ScopedStore, Workspace } from "./workspace.ts";

/** A live note that says what a draft says: the very text, or nearly. */
export interface KnownNote {
  readonly kind: "same" | "near";
  readonly ref: NoteRef;
  readonly name: string;
  readonly description: string;
}

/** So many notes of each store, those that share most words with the draft, are compared with it. */
const COMPARED = 12;

/** Whatever their type and name; the first that is the same, else the first that is near as capture sees it. */
export function findKnown(workspace: Workspace, stores: readonly ScopedStore[], draft: NoteDraft): KnownNote | undefined {
  const wanted = oneLine(draft.body);
  const terms = analyse(draft.body);
  let near: KnownNote | undefined;
  for (const scoped of stores) {
    scoped.store.reconcile("quick");
    for (const { entry: { file } } of scoped.store.index.search(terms, COMPARED).candidates) {
      const bytes = scoped.store.read(file);
      if (bytes === undefined) continue;
      const { name, description, body, supersededBy } = parseNote(file, bytes, workspace.codec);
      if (supersededBy !== undefined) continue;
      const known = { ref: { scoped, file }, name, description };
      if (oneLine(body) === wanted) return { kind: "same", ...known };
      if (isNear(draft, { description, body })) near ??= { kind: "near", ...known };
    }
  }
  return near;
}

/** As capture sees it; but what differs in a number (a port, a day, a version), or in which comes first, is another fact. */
function isNear(draft: NoteDraft, note: { readonly description: string; readonly body: string }): boolean {
  const numbers = (text: string): string => (text.match(/\d+/gu) ?? []).join(" ");
  return numbers(draft.body) === numbers(note.body) && relate(draft, note) === "duplicate";
}
