import { noteKey, type NotePlace } from "./names.ts";
import type { Scope } from "./note.ts";
import type { NoteIndex } from "./note-index.ts";

type Stores = readonly {
  readonly scope: Scope;
  readonly store: { readonly index: Pick<NoteIndex, "contradictions" | "entry"> };
}[];

/** Unsettled contradictions of a note: the files it contradicts, and the files of newer notes that contradict it. */
export interface Doubts {
  readonly contradicts: readonly string[];
  readonly contradictedBy: readonly string[];
}

/** Two notes of one scope that contradict each other. */
export interface NoticedRivals {
  readonly scope: Scope;
  readonly newer: string;
  readonly older: string;
}

/** Unsettled contradictions in the active stores, by note: those recorded in the notes, and those just noticed. */
export function doubtsIn(stores: Stores, noticed: readonly NoticedRivals[] = []): ReadonlyMap<string, Doubts> {
  const doubts = new Map<string, Doubts>();
  const add = (place: NotePlace, given: Partial<Doubts>): void => {
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
  for (const { scope, newer, older } of noticed) {
    add({ scope, file: newer }, { contradicts: [older] });
    add({ scope, file: older }, { contradictedBy: [newer] });
  }
  return doubts;
}

function isLive(entry: ReturnType<NoteIndex["entry"]>): boolean {
  return entry !== undefined && entry.supersededBy === undefined;
}
