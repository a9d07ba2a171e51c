import type { SearchCandidate, SearchResult, TermCounts } from "../notes/note-index.ts";

/** How much a term counts in each field, and how strongly a field's length is held against it (0 to 1). */
export interface FieldWeights {
  readonly name: number;
  readonly description: number;
  readonly body: number;
  readonly lengthShare: number;
}

/** The description is the one line written to be found by; it counts double. */
export const FIELD_WEIGHTS: FieldWeights = { name: 1, description: 2, body: 1, lengthShare: 0.75 };

/** Where more of the same term stops to count (BM25's k1). */
const SATURATION = 1.2;

/** Terms of one query with the weight of each: the rarer in the store, the heavier; unknown ones heaviest. */
export interface WeighedTerms {
  readonly weights: ReadonlyMap<string, number>;
  /** The sum over all terms: what a note would reach that has each of them without end. */
  readonly best: number;
}

/**
 * Weighs the rarest `limit` of the terms that the store knows, and the unknown ones: those that no note has
 * are part of what was asked, and a note that answers the rest answers so much less of it.
 */
export function weighTerms(terms: readonly string[], result: SearchResult, limit: number): WeighedTerms {
  const frequency = (term: string): number => result.documentFrequency.get(term) ?? 0;
  const chosen = terms.length <= limit ? terms : [...terms].toSorted((a, b) => frequency(a) - frequency(b)).filter((term) => frequency(term) > 0).slice(0, limit);
  const weights = new Map(chosen.map((term) => [term, rarity(result.documents, frequency(term))]));
  let best = 0;
  for (const weight of weights.values()) best += weight;
  return { weights, best };
}

/**
 * In a store of three notes a word that one of them has looks common, and no note would ever cover a prompt.
 * Rarity is judged as if there were at least this many notes; measured stores are larger.
 */
const LEAST_DOCUMENTS = 20;

function rarity(present: number, frequency: number): number {
  const documents = Math.max(present, LEAST_DOCUMENTS);
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** BM25F (Robertson and Zaragoza, 2009) as a share of the best possible: 0 has no term, 1 is out of reach. */
export function coverage(candidate: SearchCandidate, terms: WeighedTerms, averages: SearchResult["averages"], fields: FieldWeights = FIELD_WEIGHTS): number {
  if (terms.best === 0) return 0;
  const { counts, lengths } = candidate;
  const scale = (length: number, average: number): number => 1 - fields.lengthShare + (fields.lengthShare * length) / Math.max(1, average);
  const name = fields.name / scale(lengths.name, averages.name);
  const description = fields.description / scale(lengths.description, averages.description);
  const body = fields.body / scale(lengths.body, averages.body);
  let sum = 0;
  for (const [term, weight] of terms.weights) {
    const found = name * countOf(counts.name, term) + description * countOf(counts.description, term) + body * countOf(counts.body, term);
    if (found > 0) sum += (weight * found) / (SATURATION + found);
  }
  return sum / terms.best;
}

function countOf(counts: TermCounts, term: string): number {
  return counts.get(term) ?? 0;
}
