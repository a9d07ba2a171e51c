import { compareStatements } from "../notes/compare.ts";
import { splitFrontmatter } from "../notes/frontmatter.ts";
import type { Scope } from "../notes/note.ts";
import type { Doubts, NoticedRivals } from "../notes/doubts.ts";
import type { IndexEntry } from "../notes/note-index.ts";
import { statementOf } from "../notes/statement.ts";
import type { ReadableStore } from "../notes/store.ts";
import { noteKey, type NotePlace } from "../notes/names.ts";

/** What is shown whole and in one line, likeliest first. */
export interface Shown<Whole extends NotePlace, Line extends Whole> {
  readonly selected: readonly Whole[];
  readonly pointed: readonly Line[];
}

export interface RivalRule<Line extends NotePlace> {
  /** A note of a store as a pointer; `undefined` when it is not in force. */
  readonly line: (place: NotePlace) => Line | undefined;
  /** Whether the session was already given the whole note, unchanged. */
  readonly isKnown: (line: Line) => boolean;
}

/**
 * Puts the newer of two contradicting notes first. The older is shown whole only with the newer; if the session already
 * has the newer, the older becomes a pointer.
 */
export function newerFirst<Whole extends NotePlace, Line extends Whole>(
  { selected, pointed }: Shown<Whole, Line>,
  doubts: ReadonlyMap<string, Doubts>,
  { line, isKnown }: RivalRule<Line>,
): Shown<Whole, Line> {
  const newerThan = ({ scope, file }: NotePlace): readonly Line[] =>
    (doubts.get(noteKey({ scope, file }))?.contradictedBy ?? []).flatMap((newer) => line({ scope, file: newer }) ?? []);
  const isOutdated = (note: Whole): boolean => newerThan(note).some(isKnown);
  const demoted = selected.filter(isOutdated).flatMap((note) => line(note) ?? []);
  const whole = once(selected.filter((note) => !isOutdated(note)).flatMap((note) => [...newerThan(note), note]));
  const given = new Set(whole.map(noteKey));
  const lines = once(
    [...demoted, ...pointed].flatMap((note) => [...newerThan(note).filter((newer) => !isKnown(newer)), note]),
  );
  return { selected: whole, pointed: lines.filter((note) => !given.has(noteKey(note))) };
}

/** Removes repetitions; the first occurrence stays. */
function once<T extends NotePlace>(notes: readonly T[]): readonly T[] {
  const keys = notes.map(noteKey);
  return notes.filter((note, at) => keys.indexOf(noteKey(note)) === at);
}

/**
 * Contradictions among the notes given for a prompt, by their descriptions. Notes that memdir wrote record their
 * contradictions; a note that a person or a client wrote is first compared here.
 */
export function noticeRivals(
  stores: readonly { readonly scope: Scope; readonly store: Pick<ReadableStore, "read"> }[],
  chosen: readonly { readonly scope: Scope; readonly entry: IndexEntry }[],
): readonly NoticedRivals[] {
  return stores.flatMap(({ scope, store }) => {
    const entries = chosen.flatMap((one) => (one.scope === scope ? [one.entry] : []));
    const contradicts = (newer: IndexEntry, older: IndexEntry): boolean =>
      older.time < newer.time &&
      compareStatements(statementOf(newer.description), statementOf(older.description)).kind === "contradicts" &&
      !areRelated(store, newer.file, older.file);
    const newestFirst = entries.toSorted((a, b) => b.time - a.time);
    return newestFirst.flatMap((newer) =>
      newestFirst
        .filter((older) => contradicts(newer, older))
        .map((older) => ({ scope, newer: newer.file, older: older.file })),
    );
  });
}

/** Whether the frontmatter of one names the other, so that their relation is already recorded. */
function areRelated(store: Pick<ReadableStore, "read">, one: string, other: string): boolean {
  const names = (file: string, wanted: string): boolean =>
    splitFrontmatter(new TextDecoder().decode(store.read(file))).block.includes(wanted);
  return names(one, other) || names(other, one);
}
