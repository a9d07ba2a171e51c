import { findRemovedNote } from "../../../core/memory/removed-note.ts";
import type { NoteRef, Workspace } from "../../../core/memory/workspace.ts";
import { type Invocation, resolveNote } from "../command.ts";

/** `diff 3` is `diff --version 3`: history prints bare numbers. */
export function noteOrVersion(invocation: Invocation): { readonly reference: string | undefined; readonly id: string | undefined } {
  const [first] = invocation.positionals;
  const id = invocation.option("version");
  return id === undefined && first !== undefined && /^\d+$/u.test(first) ? { reference: undefined, id: first } : { reference: first, id };
}

/** A note that is there, or one that was: a removed note is named by its file, with or without its type. */
export function noteInTime(workspace: Workspace, reference: string): NoteRef {
  for (const { store } of workspace.stores) store.reconcile("full");
  return findRemovedNote(workspace, reference) ?? resolveNote(workspace, reference);
}
