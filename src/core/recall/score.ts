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
  /** Words by which a person would look for it. They are few, so their number says nothing. */
  readonly asked: number;
  /** What the notes that it superseded were about. */
  readonly before: number;
}

/** Name and description are written to be found by. A long body has a bit of everything, and pays for it. */
export const FIELD_WEIGHTS: FieldWeights = {
  name: { weight: 3, lengthShare: 0.5 },
  description: { weight: 3, lengthShare: 0.5 },
  body: { weight: 1, lengthShare: 1 },
  asked: 2,
  before: 1,
};

/** Of the average: a field of one word does not say it ever so strongly. */
const LEAST_LENGTH = 0.1;

/** Where more of the same word stops to count (BM25's k1): at once in name or description, it counts nearly half. */
const SATURATION = 4;

/** A related word counts this share of one that was said. */
const RELATED_SHARE = 0.4;

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
export function weighWords(
  asked: readonly AskedWord[],
  { documents, documentFrequency }: Pick<SearchResult, "documents" | "documentFrequency">,
  limit: number,
): WeighedWords {
  const frequency = (term: string): number => documentFrequency.get(term) ?? 0;
  const words = asked.map(({ term, forms, related }): WeighedWord => {
    // The stem is in every note that has the word: the commonest form says how common the word is.
    const known = Math.max(...forms.map(frequency));
    const weight = worthOf(documents, known);
    const present = related.filter((other) => frequency(other) > 0);
    return {
      term,
      weight,
      documents: known,
      forms,
      related: present.map((other) => [other, RELATED_SHARE * Math.min(weight, worthOf(documents, frequency(other)))]),
    };
  });
  const chosen =
    words.length <= limit
      ? words
      : words
          .filter((word) => word.documents > 0)
          .toSorted((a, b) => a.documents - b.documents)
          .slice(0, limit);
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
 * A prompt is a sentence, not a list of keywords: that one everyday word of it happens to be rare in the store is mostly
 * chance, so rarity counts, but flatter than in a search. Anything from 0.2 to 0.5 ranked unseen stores alike.
 */
const RARITY_POWER = 0.4;

function worthOf(documents: number, frequency: number): number {
  return rarity(documents, frequency) ** RARITY_POWER;
}

/**
 * BM25F (Robertson and Zaragoza, 2009) as a share of the best possible: 0 has no word, 1 is out of reach. A word
 * counts once, in whichever of its forms counts most: who says it twice has not asked for two things.
 * What stands `around` is counted as if it stood in the candidate, as far as its share goes.
 */
export function coverage(
  candidate: Counted,
  { words, best }: WeighedWords,
  averages: SearchResult["averages"],
  fields: FieldWeights = FIELD_WEIGHTS,
  around: readonly (readonly [Counted, number])[] = [],
): number {
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
  return sum / best;
}

/** Counts a term in the fields, each with its weight and held against the field's length. */
function weighedCount(
  { counts, lengths }: Counted,
  averages: SearchResult["averages"],
  fields: FieldWeights,
): (term: string) => number {
  const scale = ({ weight, lengthShare }: FieldWeight, length: number, average: number): number =>
    weight / (1 - lengthShare + lengthShare * Math.max(LEAST_LENGTH, length / Math.max(1, average)));
  const name = scale(fields.name, lengths.name, averages.name);
  const description = scale(fields.description, lengths.description, averages.description);
  const body = scale(fields.body, lengths.body, averages.body);
  return (term) =>
    name * countOf(counts.name, term) +
    description * countOf(counts.description, term) +
    body * countOf(counts.body, term) +
    fields.asked * countOf(counts.asked, term) +
    fields.before * countOf(counts.before, term);
}

function countOf(counts: TermCounts | undefined, term: string): number {
  return counts?.get(term) ?? 0;
}
