import type { SearchCandidate, SearchResult, TermCounts } from "../notes/note-index.ts";
import type { AskedWord } from "./prompt.ts";
import { placeKey, placesAround, seriesPlace } from "../notes/statement.ts";
import { isOfDate, type SaidDate, saidDates } from "./rivals.ts";
import { linkKey } from "../notes/names.ts";

/** A word's weight in one field, and how strongly the field's length reduces it (0 to 1). */
interface FieldWeight {
  readonly weight: number;
  readonly lengthShare: number;
}

interface FieldWeights {
  readonly name: FieldWeight;
  readonly description: FieldWeight;
  readonly body: FieldWeight;
  /** Words by which a person would search for it. They are few, so their length is ignored. */
  readonly asked: number;
  /** The subjects of notes that it superseded. */
  readonly before: number;
}

/** Name and description are written to be found. Long bodies match by chance, so their length counts in full. */
const FIELD_WEIGHTS: FieldWeights = {
  name: { weight: 3, lengthShare: 0.5 },
  description: { weight: 3, lengthShare: 0.5 },
  body: { weight: 1, lengthShare: 1 },
  asked: 2,
  before: 1,
};

/** Shortest length as a share of the average, so that a field of one word does not weigh too much. */
const LEAST_LENGTH = 0.1;

/** Where repetition stops to count (BM25's k1): one occurrence in name or description already counts nearly half. */
const SATURATION = 4;

/** Weight of a related word, as a share of the word itself. */
const RELATED_SHARE = 0.4;

/** A word of a prompt and the weights of its terms in this store. */
export interface WeighedWord {
  readonly term: string;
  /** Higher for rarer words; highest for a word that no note has. */
  readonly weight: number;
  /** Number of notes that have it in any of its own forms. */
  readonly documents: number;
  readonly forms: readonly string[];
  /** Related terms in the store, with their weights. */
  readonly related: readonly (readonly [term: string, weight: number])[];
}

export interface WeighedWords {
  readonly words: readonly WeighedWord[];
  /** Sum of all weights: the score of a note with unlimited occurrences of each word. */
  readonly best: number;
}

/**
 * Weighs a prompt's words, of a long prompt the rarest `limit` known ones. Words that no note has count as well, since
 * a note that does not answer them covers less of the prompt.
 */
export function weighWords(
  asked: readonly AskedWord[],
  { documents, documentFrequency }: Pick<SearchResult, "documents" | "documentFrequency">,
  limit: number,
): WeighedWords {
  const frequency = (term: string): number => documentFrequency.get(term) ?? 0;
  const words = asked.map(({ term, forms, related }): WeighedWord => {
    // Notes with the word also have its stem, so the most frequent form shows how common the word is.
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
 * Least number of notes assumed for rarity. In a store of three notes a word in one of them would look common, and no
 * note would cover a prompt. Measured stores are larger.
 */
const LEAST_DOCUMENTS = 20;

/** Weight of a term that this many notes have (BM25's inverse document frequency). */
export function rarity(present: number, frequency: number): number {
  const documents = Math.max(present, LEAST_DOCUMENTS);
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/**
 * Flattens rarity. A prompt is a sentence, not a list of keywords, so an everyday word that is rare in the store is
 * mostly chance. Any value from 0.2 to 0.5 ranked unseen stores about equally well.
 */
const RARITY_POWER = 0.4;

function worthOf(documents: number, frequency: number): number {
  return rarity(documents, frequency) ** RARITY_POWER;
}

/**
 * BM25F (Robertson and Zaragoza, 2009) as a share of the best possible: 0 means no match; 1 is never reached. Each word
 * counts once, by its best form: repeating it does not ask for more. Text `around` the candidate counts by its share.
 */
function coverage(
  candidate: SearchCandidate,
  { words, best }: WeighedWords,
  averages: SearchResult["averages"],
  fields: FieldWeights,
  around: Surroundings = [],
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

/** Counts a term over the fields, weighted and normalised by field length. */
function weighedCount(
  { counts, lengths }: SearchCandidate,
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

/** Most that a link from or to a matching note adds, as a share of that note's score. */
const LINK_SHARE = 0.1;

interface Scored {
  readonly candidate: SearchCandidate;
  readonly score: number;
}

/** Raises scores by those of linked and linking notes, since notes link to related subjects. */
export function raisedByLinks<T extends Scored>(scored: readonly T[]): readonly T[] {
  // Most notes have no links.
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

/** A note's links, except those to itself. */
function linksOf({ links = [], entry }: SearchCandidate): readonly string[] {
  if (links.length === 0) return links;
  const own = keysOf(entry);
  return links.filter((link) => !own.includes(link));
}

/** A link may use a note's file or its name. */
function keysOf({ file, name }: SearchCandidate["entry"]): readonly string[] {
  return [linkKey(file), linkKey(name)];
}

/** An entry's name is its time, and its description repeats the start of its text. Short texts match less by chance. */
const ENTRY_WEIGHTS: FieldWeights = {
  name: { weight: 1, lengthShare: 0.5 },
  description: { weight: 0, lengthShare: 0.5 },
  body: { weight: 2, lengthShare: 0.5 },
  asked: 0,
  before: 0,
};

/** Share of the missing score that an entry gains, scaled by its score, for being of a date in the prompt. */
const DATED_SHARE = 0.4;

/** Entries around an entry, each with the share that counts. */
type Surroundings = readonly (readonly [candidate: SearchCandidate, share: number])[];

/** Finds the neighbours of entries among `candidates`; notes have none. */
export function surroundingsAmong(
  candidates: readonly SearchCandidate[],
): (entry: SearchCandidate["entry"]) => Surroundings {
  const entries = new Map(
    candidates.flatMap((candidate) => {
      const place = seriesPlace(candidate.entry);
      return place === undefined ? [] : [[placeKey(place), candidate] as const];
    }),
  );
  if (entries.size === 0) return () => [];
  return (entry) =>
    placesAround(entry).flatMap(({ share, ...place }) => {
      const candidate = entries.get(placeKey(place));
      return candidate === undefined ? [] : [[candidate, share] as const];
    });
}

/**
 * The share of the prompt that each candidate covers (see `coverage`). For an entry of a series, neighbouring entries
 * count too, since an answer seldom repeats the question. A note is judged alone.
 */
export function scoring(
  { candidates, averages }: Pick<SearchResult, "candidates" | "averages">,
  words: WeighedWords,
  prompt: string,
): (candidate: SearchCandidate) => number {
  const around = surroundingsAmong(candidates);
  // Parsed on first use, since most stores have no entries.
  let dates: readonly SaidDate[] | undefined;
  return (candidate) => {
    if (seriesPlace(candidate.entry) === undefined) return coverage(candidate, words, averages, FIELD_WEIGHTS);
    const share = coverage(candidate, words, averages, ENTRY_WEIGHTS, around(candidate.entry));
    dates ??= saidDates(prompt);
    return isOfDate(candidate.entry.file, dates) ? share + DATED_SHARE * share * (1 - share) : share;
  };
}
