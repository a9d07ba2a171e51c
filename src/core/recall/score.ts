import type { SearchCandidate, SearchResult, TermCounts } from "../notes/note-index.ts";
import type { AskedWord } from "./prompt.ts";

/** How much a word counts in one field, and how strongly the field's length is held against it (0 to 1). */
export interface FieldWeight {
  readonly weight: number;
  readonly lengthShare: number;
}

export interface FieldWeights {
  readonly name: FieldWeight;
  readonly description: FieldWeight;
  readonly body: FieldWeight;
}

/** Name and description are written to be found by. A long body has a bit of everything, and pays for it. */
export const FIELD_WEIGHTS: FieldWeights = {
  name: { weight: 3, lengthShare: 0.5 },
  description: { weight: 3, lengthShare: 0.5 },
  body: { weight: 1, lengthShare: 0.9 },
};

/** Where more of the same word stops to count (BM25's k1): at once in name or description, it counts half. */
const SATURATION = 3;

/** A related word counts this share of one that was said. */
const RELATED_SHARE = 0.4;

/** A prompt that says a note's whole name takes the note this part of the way from its share to a full answer (times that share). */
const NAMED_SHARE = 0.8;

/** A word of a prompt and what each of its terms is worth in this store. */
export interface WeighedWord {
  readonly term: string;
  /** The rarer in the store, the heavier; a word that no note has is heaviest. */
  readonly weight: number;
  /** Notes that have it in some form as said. */
  readonly documents: number;
  readonly forms: readonly string[];
  /** Related terms that the store has, with the weight of each. */
  readonly related: readonly (readonly [term: string, weight: number])[];
}

/** As much of a candidate as a score rests on. */
type Counted = Pick<SearchCandidate, "counts" | "lengths">;

export interface WeighedWords {
  readonly words: readonly WeighedWord[];
  /** The sum over all words: what a note would reach that has each of them without end. */
  readonly best: number;
}

/**
 * Weighs the rarest `limit` of the words that the store knows, and the unknown ones: those that no note has
 * are part of what was asked, and a note that answers the rest answers so much less of it.
 */
export function weighWords(asked: readonly AskedWord[], { documents, documentFrequency }: Pick<SearchResult, "documents" | "documentFrequency">, limit: number): WeighedWords {
  const frequency = (term: string): number => documentFrequency.get(term) ?? 0;
  const words = asked.map(({ term, forms, related }): WeighedWord => {
    // The stem is in every note that has the word: the commonest form says how common the word is.
    const known = Math.max(...forms.map(frequency));
    const weight = rarity(documents, known);
    const present = related.filter((other) => frequency(other) > 0);
    return { term, weight, documents: known, forms, related: present.map((other) => [other, RELATED_SHARE * Math.min(weight, rarity(documents, frequency(other)))]) };
  });
  const chosen = words.length <= limit ? words : words.filter((word) => word.documents > 0).toSorted((a, b) => a.documents - b.documents).slice(0, limit);
  return { words: chosen, best: chosen.reduce((sum, { weight }) => sum + weight, 0) };
}

/**
 * In a store of three notes a word that one of them has looks common, and no note would ever cover a prompt.
 * Rarity is judged as if there were at least this many notes; measured stores are larger.
 */
const LEAST_DOCUMENTS = 20;

/** What a term says that so many of the notes have (BM25's inverse document frequency). */
export function rarity(present: number, frequency: number): number {
  const documents = Math.max(present, LEAST_DOCUMENTS);
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/**
 * BM25F (Robertson and Zaragoza, 2009) as a share of the best possible: 0 has no word, 1 is out of reach. A word
 * counts once, in whichever of its forms counts most: who says it twice has not asked for two things. The more of
 * the note's name the prompt says, the more it counts: two words of a name of two mean the note, of a name of six less.
 * What stands `around` is counted as if it stood in the candidate, as far as its share goes.
 */
export function coverage(candidate: Counted, { words, best }: WeighedWords, averages: SearchResult["averages"], fields: FieldWeights = FIELD_WEIGHTS, around: readonly (readonly [Counted, number])[] = []): number {
  if (best === 0) return 0;
  const own = weighedCount(candidate, averages, fields);
  const others = around.map(([other, share]) => [weighedCount(other, averages, fields), share] as const);
  const worth = (term: string, weight: number): number => {
    let found = own(term);
    for (const [count, share] of others) found += share * count(term);
    return (weight * found) / (SATURATION + found);
  };
  let sum = 0;
  for (const { weight, forms, related } of words) {
    let most = 0;
    for (const term of forms) most = Math.max(most, worth(term, weight));
    for (const [term, less] of related) most = Math.max(most, worth(term, less));
    sum += most;
  }
  const share = sum / best;
  return share + NAMED_SHARE * namedShare(candidate, words) * share * (1 - share);
}

/** Counts a term in the three fields, each with its weight and held against the field's length. */
function weighedCount({ counts, lengths }: Counted, averages: SearchResult["averages"], fields: FieldWeights): (term: string) => number {
  const scale = ({ weight, lengthShare }: FieldWeight, length: number, average: number): number => weight / (1 - lengthShare + (lengthShare * length) / Math.max(1, average));
  const name = scale(fields.name, lengths.name, averages.name);
  const description = scale(fields.description, lengths.description, averages.description);
  const body = scale(fields.body, lengths.body, averages.body);
  return (term) => name * countOf(counts.name, term) + description * countOf(counts.description, term) + body * countOf(counts.body, term);
}

/** How much of a note's name the prompt says, 0 to 1. */
function namedShare({ counts, lengths }: Counted, words: readonly WeighedWord[]): number {
  let said = 0;
  for (const { forms } of words) for (const form of forms) said += countOf(counts.name, form);
  return said === 0 ? 0 : Math.min(1, said / lengths.name);
}

function countOf(counts: TermCounts, term: string): number {
  return counts.get(term) ?? 0;
}
