import type { SearchCandidate } from "../notes/note-index.ts";
import { linkKey } from "../notes/links.ts";

/** What a note gains at most for being linked from a note that answers the prompt: this part of that note's score. */
const LINK_SHARE = 0.15;

interface Scored {
  readonly candidate: SearchCandidate;
  readonly score: number;
}

/** Scores, raised by those of the notes that link to them: who writes about a subject links to what it rests on. */
export function raisedByLinks<T extends Scored>(scored: readonly T[]): readonly T[] {
  const best = new Map<string, number>();
  for (const { candidate: { links = [], entry }, score } of scored) {
    // Most notes link to nothing.
    if (links.length === 0) continue;
    const own = keysOf(entry);
    for (const link of links) if (!own.includes(link)) best.set(link, Math.max(score, best.get(link) ?? 0));
  }
  if (best.size === 0) return scored;
  return scored.map((one) => {
    const support = Math.max(0, ...keysOf(one.candidate.entry).map((key) => best.get(key) ?? 0));
    return support === 0 ? one : { ...one, score: one.score + LINK_SHARE * support * (1 - one.score) };
  });
}

/** Files of the candidates that link to a note. */
export function linkingTo(note: SearchCandidate, candidates: readonly SearchCandidate[]): readonly string[] {
  const keys = keysOf(note.entry);
  return candidates.filter(({ links = [], entry }) => entry.file !== note.entry.file && links.some((link) => keys.includes(link))).map(({ entry }) => entry.file);
}

/** A link names a note's file or its name. */
function keysOf({ file, name }: SearchCandidate["entry"]): readonly string[] {
  return [linkKey(file), linkKey(name)];
}
