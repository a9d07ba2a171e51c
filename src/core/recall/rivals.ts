import type { Scope } from "../notes/note.ts";
import type { NoteIndex } from "../notes/note-index.ts";
import { noteKey } from "./ledger.ts";

interface Place {
  readonly scope: Scope;
  readonly file: string;
}

/** What is shown whole and in a line, the likeliest first. */
export interface Shown<Whole extends Place, Line extends Whole> {
  readonly selected: readonly Whole[];
  readonly pointed: readonly Line[];
}

export interface RivalRule<Line extends Place> {
  /** A note of a store as it is pointed at; `undefined` when it is not in force. */
  readonly line: (place: Place) => Line | undefined;
  /** Whether the session was given the note whole before, unchanged. */
  readonly isKnown: (line: Line) => boolean;
}

type Stores = readonly {
  readonly scope: Scope;
  readonly store: { readonly index: Pick<NoteIndex, "contradictions" | "entry"> };
}[];

/** The files that a note contradicts, and those of newer notes that contradict it, while nobody settled which holds. */
export interface Doubts {
  readonly contradicts: readonly string[];
  readonly contradictedBy: readonly string[];
}

/** Unsettled contradictions of the stores in force, by note. */
export function doubtsIn(stores: Stores): ReadonlyMap<string, Doubts> {
  const doubts = new Map<string, Doubts>();
  const add = (place: Place, given: Partial<Doubts>): void => {
    const { contradicts = [], contradictedBy = [] } = doubts.get(noteKey(place)) ?? {};
    doubts.set(noteKey(place), {
      contradicts: [...contradicts, ...(given.contradicts ?? [])],
      contradictedBy: [...contradictedBy, ...(given.contradictedBy ?? [])],
    });
  };
  for (const { scope, store } of stores)
    for (const [file, named] of store.index.contradictions()) {
      const older = named.filter((old) => isLive(store.index.entry(old)));
      if (older.length === 0) continue;
      add({ scope, file }, { contradicts: older });
      for (const old of older) add({ scope, file: old }, { contradictedBy: [file] });
    }
  return doubts;
}

function isLive(entry: ReturnType<NoteIndex["entry"]>): boolean {
  return entry !== undefined && entry.supersededBy === undefined;
}

/**
 * The newer of two that contradict one another comes first, and never is the older shown whole where the newer is not: it
 * is shown whole too, or, where the session has it already, the older is pointed at.
 */
export function newerFirst<Whole extends Place, Line extends Whole>(
  { selected, pointed }: Shown<Whole, Line>,
  doubts: ReadonlyMap<string, Doubts>,
  { line, isKnown }: RivalRule<Line>,
): Shown<Whole, Line> {
  if (doubts.size === 0) return { selected, pointed };
  const newerThan = ({ scope, file }: Place): readonly Line[] =>
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

/** Each once, at its first place. */
function once<T extends Place>(notes: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return notes.filter((note) => {
    const key = noteKey(note);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
