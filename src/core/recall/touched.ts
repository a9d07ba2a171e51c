import type { SearchCandidate, SearchResult } from "../notes/note-index.ts";
import { analyse } from "../notes/terms.ts";
import { rarity } from "./score.ts";

/** A term by which a note would name a touched file, and how much that says, 0 to 1. */
export interface TouchedName {
  readonly term: string;
  readonly share: number;
}

/** More files than this are a sweep through the tree, not what the work is about. */
const MOST_PATHS = 20;

/** A note that names a touched file by its whole name goes this part of the way to a full answer. */
const TOUCHED_SHARE = 0.2;

/**
 * What to look for: `user-store.ts`, `user-store` (a plain word such as `parser` says too little without its
 * ending) and the directory. Paths as the agent has them, `/` or `\\` as separator, the latest first.
 */
export function touchedNames(paths: readonly string[]): readonly TouchedName[] {
  const names = new Map<string, number>();
  const add = (text: string, share: number): void => {
    const [term] = analyse(text);
    if (term !== undefined) names.set(term, Math.max(share, names.get(term) ?? 0));
  };
  for (const path of paths.slice(0, MOST_PATHS)) {
    const [base = "", directory = ""] = path.split(/[\\/]+/u).filter((part) => part !== "" && part !== ".").toReversed();
    const name = base.replace(/(?<=.)\.[^.]*$/u, "");
    add(base, 1);
    if (analyse(name).length > 1 && /[-_.]|\p{Ll}\p{Lu}/u.test(name)) add(name, 0.8);
    add(directory, 0.2);
  }
  return [...names].map(([term, share]) => ({ term, share }));
}

/** The score of a candidate, raised when it names what was touched; the more notes name it, the less it says. */
export function raisedByTouched(score: number, { counts }: Pick<SearchCandidate, "counts">, names: readonly TouchedName[], { documents, documentFrequency }: Pick<SearchResult, "documents" | "documentFrequency">): number {
  let most = 0;
  for (const { term, share } of names) {
    if (!counts.name.has(term) && !counts.description.has(term) && !counts.body.has(term)) continue;
    most = Math.max(most, (share * rarity(documents, documentFrequency.get(term) ?? 0)) / rarity(documents, 1));
  }
  return score + TOUCHED_SHARE * most * (1 - score);
}
