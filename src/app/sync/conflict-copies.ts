import { isConflictCopy, originalName } from "../../core/notes/names.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { commitOrThrow } from "../notes/supersede.ts";
import { conflictCopies } from "./pending.ts";
import { type NoteRef, type ScopedStore, shownRef, type Workspace } from "../workspace/workspace.ts";

/** Two texts of one note, because both sides changed the same lines. */
export interface CopyConflict {
  readonly scoped: ScopedStore;
  readonly note: string;
  readonly copy: string;
  /** The note was removed since; only the copy remains. */
  readonly isAlone: boolean;
}

/** Unsettled conflict copies of every scope. */
export function findCopies({ stores }: Pick<Workspace, "stores">): readonly CopyConflict[] {
  return stores.flatMap((scoped) =>
    conflictCopies(scoped.store).map((copy): CopyConflict => {
      const note = originalName(copy) ?? copy;
      return { scoped, note, copy, isAlone: scoped.store.index.entry(note) === undefined };
    }),
  );
}

/** Whether a note has conflict copies, or is one. */
export function hasCopies({ scoped, file }: NoteRef): boolean {
  return copiesOf({ scoped, file }).length > 0;
}

/**
 * Keeps this text under the note's name and removes the others, which `undo` restores. Returns the removed ones.
 * @throws MemoryError `conflict` if a text changed meanwhile.
 */
export function keepText(workspace: Workspace, { scoped, file }: NoteRef): readonly NoteRef[] {
  const copies = copiesOf({ scoped, file });
  const note = originalOf(file, copies);
  const kept = textOf(workspace, { scoped, file });
  const before = scoped.store.read(note);
  const content = new TextDecoder("utf-8", { ignoreBOM: true }).decode(kept);
  const lineage = scoped.store.lives().present.get(file)?.lineage;
  commitOrThrow(
    scoped,
    [
      ...(file === note ? [{ kind: "expect", file, hash: hashOf(scoped, file) } as const] : []),
      ...(file !== note && before !== undefined
        ? [{ kind: "write", file: note, base: before, content, exact: true } as const]
        : []),
      ...(before === undefined
        ? [{ kind: "create", file: note, content, ...(lineage !== undefined && { lineage }) } as const]
        : []),
      ...copies.map(
        (copy) => ({ kind: "delete", file: copy, base: textOf(workspace, { scoped, file: copy }) }) as const,
      ),
    ],
    `settled a conflict: the text of ${file} holds`,
  );
  return [note, ...copies].filter((one) => one !== file).map((one) => ({ scoped, file: one }));
}

function copiesOf({ scoped, file }: NoteRef): readonly string[] {
  const all = conflictCopies(scoped.store);
  const note = originalOf(file, all);
  return all.filter((copy) => isConflictCopy(copy, note));
}

function originalOf(file: string, copies: readonly string[]): string {
  return copies.includes(file) ? (originalName(file) ?? file) : file;
}

function textOf(workspace: Workspace, ref: NoteRef): Uint8Array {
  const bytes = ref.scoped.store.read(ref.file);
  if (bytes === undefined) throw new MemoryError("not-found", `${shownRef(workspace, ref)} is gone`);
  return bytes;
}

function hashOf({ store }: ScopedStore, file: string): string {
  return store.index.entry(file)?.hash ?? "";
}
