import { SHOWN_IN_VAIN } from "../notes/help.ts";
import { type DreamNote, isProtected } from "./note.ts";
import type { DreamOperation } from "./operation.ts";

/** A note that agents saw often and never used is proposed to be retired; nothing of the kind is done unasked. */
export function proposeRetiring(note: DreamNote): DreamOperation[] {
  const shown = note.shownInVain ?? 0;
  if (shown < SHOWN_IN_VAIN || isProtected(note)) return [];
  return [
    {
      kind: "retire",
      cause: "unused",
      files: [note.file],
      reason: `was shown ${shown} times, and nobody opened, cited, edited or pinned it since`,
      edits: [{ kind: "retire", file: note.file, by: "nothing" }],
      ask: true,
    },
  ];
}
