import { versionsOf } from "../../../core/memory/versions.ts";
import type { NoteRef, ScopedStore, Workspace } from "../../../core/memory/workspace.ts";
import { splitScope } from "../../../core/notes/note.ts";
import { baseName } from "../../../core/notes/parse-note.ts";
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
  const { scope, rest } = splitScope(reference);
  for (const scoped of workspace.stores) {
    if (scope !== undefined && scope !== scoped.scope) continue;
    const file = removedFile(scoped, rest);
    if (file !== undefined) return { scoped, file };
  }
  return resolveNote(workspace, reference);
}

function removedFile({ store }: ScopedStore, reference: string): string | undefined {
  const wanted = folded(reference);
  const isPresent = store.index.entries().some(({ file, name }) => folded(file) === wanted || folded(name) === wanted);
  if (isPresent) return undefined;
  const past = new Set(versionsOf({ scope: "project", store }).flatMap(({ files }) => files.map(({ file }) => file)));
  const removed = [...past].filter((file) => store.index.entry(file) === undefined && file !== "MEMORY.md");
  return removed.find((file) => folded(file) === wanted) ?? removed.find((file) => folded(file).replace(/^(?:user|feedback|project|reference)-/u, "") === wanted);
}

function folded(text: string): string {
  return baseName(text).normalize("NFKC").toLowerCase().replace(/[\s_-]+/gu, "-");
}
