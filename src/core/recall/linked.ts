import type { SearchCandidate } from "../notes/note-index.ts";
import { linkKey } from "../notes/links.ts";

/** What a note gains at most for a link from or to a note that answers the prompt: this part of that note's score. */
const LINK_SHARE = 0.1;

interface Scored {
  readonly candidate: SearchCandidate;
  readonly score: number;
}

/** Scores, raised by those of the notes that they link to and are linked from: who writes about a subject links to what belongs to it. */
export function raisedByLinks<T extends Scored>(scored: readonly T[]): readonly T[] {
  // Most notes link to nothing.
  if (scored.every(({ candidate: { links = [] } }) => links.length === 0)) return scored;
  const named = new Map<string, number>();
  const from = new Map<string, number>();
  const keep = (best: Map<string, number>, key: string, score: number): void => {
    best.set(key, Math.max(score, best.get(key) ?? 0));
  };
  for (const { candidate, score } of scored) {
    for (const key of keysOf(candidate.entry)) keep(named, key, score);
    for (const key of linksOf(candidate)) keep(from, key, score);
  }
  return scored.map((one) => {
    const support = Math.max(
      0,
      ...keysOf(one.candidate.entry).map((key) => from.get(key) ?? 0),
      ...linksOf(one.candidate).map((key) => named.get(key) ?? 0),
    );
    return support === 0 ? one : { ...one, score: one.score + LINK_SHARE * support * (1 - one.score) };
  });
}

/** Files of the candidates that link to a note. */
export function linkingTo(note: SearchCandidate, candidates: readonly SearchCandidate[]): readonly string[] {
  const keys = keysOf(note.entry);
  return candidates
    .filter((other) => other.entry.file !== note.entry.file && linksOf(other).some((link) => keys.includes(link)))
    .map(({ entry }) => entry.file);
}

/** What a note links to, itself left out: no note vouches for itself. */
function linksOf({ links = [], entry }: SearchCandidate): readonly string[] {
  if (links.length === 0) return links;
  const own = keysOf(entry);
  return links.filter((link) => !own.includes(link));
}

/** A link names a note's file or its name. */
function keysOf({ file, name }: SearchCandidate["entry"]): readonly string[] {
  return [linkKey(file), linkKey(name)];
}
