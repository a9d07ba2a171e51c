import type { SearchCandidate, SearchResult, TermCounts } from "../notes/note-index.ts";
import type { AskedWord } from "./prompt.ts";
import { placeKey, placesAround, seriesPlace } from "../notes/statement.ts";
import { isOfDate, type SaidDate, saidDates } from "./rivals.ts";
import { linkKey } from "../notes/names.ts";

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
const FIELD_WEIGHTS: FieldWeights = {
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
function coverage(
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

/** An entry's name says when it was written, and its description repeats how its text begins. It is short: none has a bit of everything. */
const ENTRY_WEIGHTS: FieldWeights = {
  name: { weight: 1, lengthShare: 0.5 },
  description: { weight: 0, lengthShare: 0.5 },
  body: { weight: 2, lengthShare: 0.5 },
  asked: 0,
  before: 0,
};

/** What an entry gains for being of a date that the prompt says, as a share of what it has and lacks. */
const DATED_SHARE = 0.4;

/** What stands around an entry, with how much of it counts. */
type Surroundings = readonly (readonly [candidate: SearchCandidate, share: number])[];

/** Finds what stands around the entries among `candidates`; nothing stands around a note. */
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
 * How much of the prompt each candidate of a search covers (see `coverage`). For an entry of a series, the entries
 * around it count as further fields: an answer seldom repeats what was asked. A note stands on its own.
 */
export function scoring(
  { candidates, averages }: Pick<SearchResult, "candidates" | "averages">,
  words: WeighedWords,
  prompt: string,
  fields: FieldWeights = FIELD_WEIGHTS,
): (candidate: SearchCandidate) => number {
  const around = surroundingsAmong(candidates);
  // Most stores have no entries, and then nobody asks what the prompt says of dates.
  let dates: readonly SaidDate[] | undefined;
  return (candidate) => {
    const { file } = candidate.entry;
    if (seriesPlace(candidate.entry) === undefined) return coverage(candidate, words, averages, fields);
    const share = coverage(candidate, words, averages, ENTRY_WEIGHTS, around(candidate.entry));
    dates ??= saidDates(prompt);
    return isOfDate(file, dates) ? share + DATED_SHARE * share * (1 - share) : share;
  };
}
