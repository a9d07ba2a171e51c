import { findDuplicates, rivalsOf as contradicting } from "../../core/dream/duplicates.ts";
import { readNotes } from "../../core/dream/operation.ts";
import { doubtsIn } from "../../core/notes/doubts.ts";
import { isConflictCopy } from "../../core/notes/names.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { dreamNotes } from "./dream-notes.ts";
import { letBothHold } from "../notes/rivals.ts";
import { supersede } from "../notes/supersede.ts";
import { type NoteRef, type ScopedStore, shownRef, type Workspace } from "../workspace/workspace.ts";

/** Two notes on one subject that cannot both be true. */
export interface Conflict {
  readonly scoped: ScopedStore;
  readonly newer: string;
  readonly older: string;
  /** What each says, with its day, in the same order. */
  readonly reason: string;
  /** More notes that contradict these or each other in the same way; only some are listed. */
  readonly others: readonly string[];
  /** How many of these are not listed. */
  readonly more: number;
}

/**
 * Unsettled contradictions in every scope, one entry for all notes that contradict each other. They are always on one
 * subject and in one scope.
 */
export function findConflicts(workspace: Workspace): readonly Conflict[] {
  return workspace.stores.flatMap((scoped) => {
    const notes = readNotes(dreamNotes(workspace, scoped, { verifies: false }).notes);
    const operations = findDuplicates(notes, workspace.clock.timeZone);
    const found = operations.flatMap(({ kind, files, reason, more = 0 }): Conflict[] => {
      const [newer, older, ...others] = withoutCopies(files);
      return kind === "conflict" && newer !== undefined && older !== undefined
        ? [{ scoped, newer, older, reason, others, more }]
        : [];
    });
    return [...found, ...markedOf(scoped, found)];
  });
}

/** A note and its conflict copy are listed as two texts of one note, so they are not a contradiction too. */
function withoutCopies(files: readonly string[]): readonly string[] {
  return files.filter((file) => !files.some((note) => isConflictCopy(file, note)));
}

/** Contradictions recorded in a note when it was written, if comparing all notes did not find them. */
function markedOf(scoped: ScopedStore, found: readonly Conflict[]): readonly Conflict[] {
  const isFound = (newer: string, older: string): boolean =>
    found.some((one) => [newer, older].every((file) => [one.newer, one.older, ...one.others].includes(file)));
  return [...doubtsIn([scoped])].flatMap(([key, { contradicts }]): Conflict[] => {
    const newer = key.slice(scoped.scope.length + 1);
    const says = (file: string): string => scoped.store.index.entry(file)?.description ?? file;
    return contradicts
      .filter((older) => !isFound(newer, older))
      .map((older) => ({
        scoped,
        newer,
        older,
        reason: `"${says(newer)}" against "${says(older)}": which one holds?`,
        others: [],
        more: 0,
      }));
  });
}

/**
 * Keeps this note; every note that contradicts it is superseded by it. Returns those notes.
 * @throws MemoryError `not-found` without a conflict.
 */
export function keepNote(workspace: Workspace, ref: NoteRef): readonly NoteRef[] {
  const others = rivalsOf(workspace, ref);
  for (const old of others) supersede(workspace, old, ref, `settled a conflict: ${ref.file} holds, not ${old.file}`);
  return others;
}

/** Records in the note that both hold, so that it is never asked again, on any machine. */
export function keepBoth(workspace: Workspace, ref: NoteRef): readonly NoteRef[] {
  const others = rivalsOf(workspace, ref);
  letBothHold(
    workspace,
    ref,
    others.map(({ file }) => file),
  );
  return others;
}

function rivalsOf(workspace: Workspace, { scoped, file }: NoteRef): readonly NoteRef[] {
  const marked = doubtsIn([scoped]).get(`${scoped.scope}:${file}`) ?? { contradicts: [], contradictedBy: [] };
  const found = [
    ...new Set([
      ...contradicting(
        readNotes(dreamNotes(workspace, scoped, { verifies: false }).notes),
        file,
        workspace.clock.timeZone,
      ),
      ...marked.contradicts,
      ...marked.contradictedBy,
    ]),
  ];
  if (found.length === 0)
    throw new MemoryError(
      "not-found",
      `${shownRef(workspace, { scoped, file })} contradicts no other note; \`memdir conflicts\` lists what does`,
    );
  return found.map((other) => ({ scoped, file: other }));
}
