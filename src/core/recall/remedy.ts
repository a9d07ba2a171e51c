import type { SearchCandidate } from "../notes/note-index.ts";
import { isFunctionWord } from "./function-words.ts";
import type { SpokenWord } from "./spoken-words.ts";

/** What would make a note be found by a prompt. */
export interface Remedy {
  /** Words of the prompt to put into the note's description. */
  readonly words: readonly string[];
  /** How likely to help the note would then be judged, about: 0 to 1. */
  readonly score: number;
  /** Whether that is enough to be shown whole. */
  readonly enough: boolean;
}

/** Adds the prompt's words to the description, the most useful first, until the note is judged `needed` likely to help. */
export function findRemedy(
  candidate: SearchCandidate,
  asked: readonly SpokenWord[],
  needed: number,
  judged: (candidate: SearchCandidate) => number,
): Remedy {
  let present = candidate;
  let score = judged(present);
  const words: string[] = [];
  const open = new Set(
    asked.filter(
      ({ word, terms }) =>
        !FILLERS.has(word.toLowerCase()) &&
        !isFunctionWord(word.toLowerCase()) &&
        terms.some((term) => !candidate.counts.description.has(term)),
    ),
  );
  while (score < needed && open.size > 0) {
    const tried = [...open]
      .map((word) => ({ word, with: described(present, word.terms) }))
      .map((one) => ({ ...one, score: judged(one.with) }));
    const [best] = tried.toSorted((a, b) => b.score - a.score);
    if (best === undefined || best.score <= score) break;
    open.delete(best.word);
    words.push(best.word.word);
    present = best.with;
    score = best.score;
  }
  return { words, score, enough: score >= needed };
}

/** Words of talk that a prompt may have and no description should: they would find the note for anything. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    "please thanks thank okay ok hey hi hello let lets let's want wants wanted need needs needed help helps like likes really actually basically just simply maybe perhaps probably kind sort thing things stuff way ways " +
    "may might can could shall should will would must ought cannot when whenever where wherever which while who whom whose what why how there here than then also still yet very too much many more most some any all each every both either neither not nor only own same such again once ever never always often sometimes before after during between through over under above below about against into onto upon within without across along among around because although though unless until whether else instead per via since now today " +
    "something anything everything nothing someone anyone somehow make makes made making get gets got getting go goes going know knows think see look looks tell show give take try trying sure right well good bad nice new"
  ).split(" "),
);

function described(candidate: SearchCandidate, terms: readonly string[]): SearchCandidate {
  const description = new Map(candidate.counts.description);
  for (const term of terms) description.set(term, (description.get(term) ?? 0) + 1);
  return {
    ...candidate,
    counts: { ...candidate.counts, description },
    lengths: { ...candidate.lengths, description: candidate.lengths.description + terms.length },
  };
}
