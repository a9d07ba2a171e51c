import { splitScope } from "../notes/note.ts";
import { baseName } from "../notes/parse-note.ts";
import { versionsOf } from "./versions.ts";
import type { NoteRef, ScopedStore, Workspace } from "./workspace.ts";

/** A note that is gone but has a past: named by its file, with or without its type. `undefined` when it is there or never was. */
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
  return removed.find((file) => folded(file) === wanted) ?? removed.find((file) => folded(file).replace(/^(?:user|feedback|project|reference)-/u, "") === wanted);
}

function folded(text: string): string {
  return baseName(text).normalize("NFKC").toLowerCase().replace(/[\s_-]+/gu, "-");
}
