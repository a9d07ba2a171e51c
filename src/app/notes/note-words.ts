import { withoutLine } from "../../core/notes/index-file.ts";
import { NOTE_TYPES, type NoteType, type Scope, SCOPES, splitScope } from "../../core/notes/note.ts";
import { shownType } from "../../core/notes/parse-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";

/** The words in which surfaces speak of notes. */
export { NOTE_TYPES, SCOPES, shownType, splitScope, withoutLine };

/** @throws MemoryError `invalid-input` for a word that is not a type. */
export function noteType(text: string | undefined): NoteType | undefined {
  const type = NOTE_TYPES.find((one) => one === text);
  if (text !== undefined && type === undefined)
    throw new MemoryError("invalid-input", `unknown type "${text}"; use one of ${NOTE_TYPES.join(", ")}`);
  return type;
}

/** @throws MemoryError `invalid-input` for a word that is not a scope. */
export function noteScope(text: string | undefined): Scope | undefined {
  const scope = SCOPES.find((one) => one === text);
  if (text !== undefined && scope === undefined)
    throw new MemoryError("invalid-input", `unknown scope "${text}"; use one of ${SCOPES.join(", ")}`);
  return scope;
}
