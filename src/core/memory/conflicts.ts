import { findDuplicates } from "../dream/duplicates.ts";
import { readNotes } from "../dream/note.ts";
import { splitFrontmatter } from "../notes/frontmatter.ts";
import { setFields } from "../notes/write-note.ts";
import { MemoryError } from "../shared/errors.ts";
import { dreamNotes, settledWith } from "./dream-notes.ts";
import { commitOrThrow, supersede } from "./supersede.ts";
import { type NoteRef, type ScopedStore, shownRef, type Workspace } from "./workspace.ts";

/** Two notes on one subject of which not both can be true. */
export interface Conflict {
  readonly scoped: ScopedStore;
  readonly newer: string;
  readonly older: string;
  /** What each says, with its day. */
  readonly reason: string;
}

/** Contradictions that nobody has settled, of every scope; always within one subject and one scope. */
export function findConflicts(workspace: Workspace): readonly Conflict[] {
  return workspace.stores.flatMap((scoped) => {
    const operations = findDuplicates(readNotes(dreamNotes(workspace, scoped).notes), workspace.clock.timeZone);
    return operations.flatMap(({ kind, files: [newer, older], reason }): Conflict[] => (kind === "conflict" && newer !== undefined && older !== undefined ? [{ scoped, newer, older, reason }] : []));
  });
}

/** The note holds; every note that contradicts it is superseded by it. Gives those. @throws MemoryError `not-found` without a conflict. */
export function keepNote(workspace: Workspace, ref: NoteRef): readonly NoteRef[] {
  const others = rivalsOf(workspace, ref);
  for (const old of others) supersede(workspace, old, ref, `settled a conflict: ${ref.file} holds, not ${old.file}`);
  return others;
}

/** Both hold: written into the note, so that it is never asked again, on any machine. */
export function keepBoth(workspace: Workspace, ref: NoteRef): readonly NoteRef[] {
  const others = rivalsOf(workspace, ref);
  const base = ref.scoped.store.read(ref.file);
  if (base === undefined) throw new MemoryError("not-found", `${ref.file} is gone`);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(base);
  const settled = new Set([...settledWith(workspace.codec.read(splitFrontmatter(text).block).data), ...others.map(({ file }) => file)]);
  const content = setFields(text, [[["metadata", "agreesWith"], [...settled].toSorted().join(", ")]], workspace.codec);
  commitOrThrow(ref.scoped, [{ kind: "write", file: ref.file, base, content }], `settled a conflict: ${[ref, ...others].map(({ file }) => file).join(" and ")} both hold`);
  return others;
}

function rivalsOf(workspace: Workspace, { scoped, file }: NoteRef): readonly NoteRef[] {
  const found = findConflicts(workspace).filter((one) => one.scoped.scope === scoped.scope && (one.newer === file || one.older === file));
  if (found.length === 0) throw new MemoryError("not-found", `${shownRef(workspace, { scoped, file })} contradicts no other note; \`memdir conflicts\` lists what does`);
  return found.map((one) => ({ scoped, file: one.newer === file ? one.older : one.newer }));
}
