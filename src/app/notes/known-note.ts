import { relate } from "../../core/capture/duplicates.ts";
import type { NoteDraft } from "../../core/notes/note.ts";
import { oneLine } from "../../core/shared/text.ts";
import type { NearNote } from "./rivals.ts";
import type { NoteRef, ScopedStore } from "../workspace/workspace.ts";

/** A live note that says what a draft says: the very text, or nearly. */
export interface KnownNote {
  readonly kind: "same" | "near";
  readonly ref: NoteRef;
  readonly name: string;
  readonly description: string;
}

/** Whatever their type and name; the first that is the same, else the first that is near as capture sees it. */
export function findKnown(
  stores: readonly ScopedStore[],
  nearIn: (scoped: ScopedStore) => readonly NearNote[],
  draft: NoteDraft,
): KnownNote | undefined {
  const wanted = oneLine(draft.body);
  let near: KnownNote | undefined;
  for (const scoped of stores) {
    for (const { file, description, body, note } of nearIn(scoped)) {
      const known = { ref: { scoped, file }, name: note.name, description };
      if (oneLine(body) === wanted) return { kind: "same", ...known };
      const relation = near === undefined ? relate(draft, { description, body }) : undefined;
      if (relation === "duplicate" || relation === "may-be-known") near = { kind: "near", ...known };
    }
  }
  return near;
}
