import { splitScope } from "../../core/notes/note.ts";
import { baseName } from "../../core/notes/parse-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { truncate } from "../../core/shared/text.ts";
import { entryStays, namesEntry } from "./log-entry.ts";
import { versionsOf } from "./versions.ts";
import { findNote, type Found, type NoteRef, type ScopedStore, type Workspace } from "../workspace/workspace.ts";

/** How to see all notes, for the message that there is no such note. */
const BY_COMMAND = "`memdir list` shows all";

/** The note of that name. @throws MemoryError `not-found` with similar names, or with those it could mean. */
export function noteNamed(workspace: Workspace, reference: string, listed = BY_COMMAND): NoteRef {
  const found = lookFor(workspace, reference);
  if (found.found) return found.ref;
  if (namesEntry(reference)) throw entryStays(reference);
  throw new MemoryError("not-found", missingNote(reference, found, listed));
}

/** The note of that name, if any. @throws MemoryError `not-found` if it could mean several. */
export function noteIfThere(workspace: Workspace, reference: string, listed = BY_COMMAND): NoteRef | undefined {
  const found = lookFor(workspace, reference);
  if (found.found) return found.ref;
  if (found.ambiguous) throw new MemoryError("not-found", missingNote(reference, found, listed));
  return undefined;
}

function lookFor(workspace: Workspace, reference: string): Found {
  for (const { store } of workspace.stores) store.reconcile("full");
  return findNote(workspace, reference);
}

/** A note that exists or existed. A removed note is named by its file, with or without its type. */
export function noteInTime(workspace: Workspace, reference: string, listed = BY_COMMAND): NoteRef {
  return noteInTimeIfThere(workspace, reference, listed) ?? noteNamed(workspace, reference, listed);
}

/** The same; `undefined` if there never was one. @throws MemoryError `not-found` if it could mean several. */
export function noteInTimeIfThere(workspace: Workspace, reference: string, listed = BY_COMMAND): NoteRef | undefined {
  // Existing notes come first: a note that moved is gone from one scope and lives in another.
  return noteIfThere(workspace, reference, listed) ?? findRemovedNote(workspace, reference);
}

/** The message when a reference names no note, or several. */
export function missingNote(
  reference: string,
  { near, ambiguous }: Pick<Extract<Found, { readonly found: false }>, "near" | "ambiguous">,
  listed = BY_COMMAND,
): string {
  const hint =
    near.length === 0 ? listed : ambiguous ? `it could be ${near.join(", ")}` : `did you mean ${near.join(", ")}?`;
  const what = ambiguous ? "more than one note is called" : "there is no note";
  return `${what} "${truncate(reference, 200)}"; ${hint}`;
}

/** A removed note, named by its file, with or without its type. `undefined` if it exists or never did. */
export function findRemovedNote(workspace: Workspace, reference: string): NoteRef | undefined {
  const { scope, rest } = splitScope(reference);
  for (const scoped of workspace.stores) {
    if (scope !== undefined && scope !== scoped.scope) continue;
    const file = removedFile(scoped, rest);
    if (file !== undefined) return { scoped, file };
  }
  return undefined;
}

function removedFile({ store }: ScopedStore, reference: string): string | undefined {
  const wanted = folded(reference);
  const isPresent = store.index.entries().some(({ file, name }) => folded(file) === wanted || folded(name) === wanted);
  if (isPresent) return undefined;
  const past = new Set(versionsOf({ scope: "project", store }).flatMap(({ files }) => files.map(({ file }) => file)));
  const removed = [...past].filter((file) => store.index.entry(file) === undefined && file !== "MEMORY.md");
  return (
    removed.find((file) => folded(file) === wanted) ??
    removed.find((file) => folded(file).replace(/^(?:user|feedback|project|reference)-/u, "") === wanted)
  );
}

function folded(text: string): string {
  return baseName(text)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/gu, "-");
}
