import type { SearchCandidate, SearchResult } from "../notes/note-index.ts";
import type { AskedWord } from "./prompt.ts";
import { placeKey, placesAround, seriesPlace } from "../notes/statement.ts";
import { isOfDate, saidDates } from "../notes/dates/said-dates.ts";
import { linkKey } from "../notes/names.ts";
import { once } from "../shared/once.ts";

type Field = keyof SearchCandidate["counts"];

/** A word's weight in each field, and how strongly the field's length reduces it (0 to 1). */
type FieldWeights = Readonly<Partial<Record<Field, readonly [weight: number, lengthShare: number]>>>;

/** Name and description are written to be found. Long bodies match by chance, so their length counts in full. */
const FIELD_WEIGHTS: FieldWeights = {
  name: [3, 0.5],
  description: [3, 0.5],
  body: [1, 1],
  /** Words by which a person would search for it. They are few, so their length is ignored. */
  asked: [2, 0],
  /** The subjects of notes that it superseded. */
  before: [1, 0],
};

/** An entry's name is its time, and its description repeats the start of its text. Short texts match less by chance. */
const ENTRY_WEIGHTS: FieldWeights = {
  name: [1, 0.5],
  body: [2, 0.5],
};

const FIELDS = ["name", "description", "body", "asked", "before"] as const satisfies readonly Field[];

/** Shortest length as a share of the average, so that a field of one word does not weigh too much. */
const LEAST_LENGTH = 0.1;

/** Where repetition stops to count (BM25's k1): one occurrence in name or description already counts nearly half. */
const SATURATION = 4;

/** Weight of a related word, as a share of the word itself. */
const RELATED_SHARE = 0.4;

/** A word of a prompt with its weight in this store. */
export interface WeighedWord extends AskedWord {
  /** Higher for rarer words; highest for a word that no note has. */
  readonly weight: number;
  /** Number of notes that have it in any of its own forms. */
  readonly documents: number;
}

/** Most words weighed of a prompt, rarest first; further common words would change nothing. */
const WEIGHED_WORDS = 64;

/**
 * Weighs a prompt's words, of a long prompt the rarest known ones. Words that no note has count as well, since a note
 * that does not answer them covers less of the prompt.
 */
export function weighWords(
  asked: readonly AskedWord[],
  { documents, documentFrequency }: Pick<SearchResult, "documents" | "documentFrequency">,
): readonly WeighedWord[] {
  const words = asked.map((word): WeighedWord => {
    // Notes with the word also have its stem, so the most frequent form shows how common the word is.
    const known = Math.max(...word.forms.map((form) => documentFrequency.get(form) ?? 0));
    return { ...word, weight: rarity(documents, known) ** RARITY_POWER, documents: known };
  });
  if (words.length <= WEIGHED_WORDS) return words;
  const known = words.filter((word) => word.documents > 0);
  return known.toSorted((a, b) => a.documents - b.documents).slice(0, WEIGHED_WORDS);
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

/**
 * BM25F (Robertson and Zaragoza, 2009) as a share of the best possible: 0 means no match; 1 is never reached. Each word
 * counts once, by its best form: repeating it does not ask for more. Text `around` the candidate counts by its share.
 */
function coverage(
  candidate: SearchCandidate,
  words: readonly WeighedWord[],
  averages: SearchResult["averages"],
  fields: FieldWeights,
  around: Surroundings = [],
): number {
  const own = weighedCount(candidate, averages, fields);
  const others = around.map(([other, share]) => [weighedCount(other, averages, fields), share] as const);
  const worth = (term: string): number => {
    let found = own(term);
    for (const [count, share] of others) found += share * count(term);
    return found / (SATURATION + found);
  };
  let [sum, best] = [0, 0];
  for (const { weight, forms, related } of words) {
    let most = 0;
    for (const term of forms) most = Math.max(most, worth(term));
    for (const term of related) most = Math.max(most, RELATED_SHARE * worth(term));
    sum += weight * most;
    best += weight;
  }
  return best === 0 ? 0 : sum / best;
}

/** Counts a term over the fields, weighted and normalised by field length. */
function weighedCount(
  { counts, lengths }: SearchCandidate & { readonly lengths: Lengths },
  averages: Lengths,
  weights: FieldWeights,
): (term: string) => number {
  const fields = FIELDS.flatMap((field) => {
    const [terms, weighing] = [counts[field], weights[field]];
    if (terms === undefined || weighing === undefined) return [];
    const [weight, lengthShare] = weighing;
    const length = Math.max(LEAST_LENGTH, (lengths[field] ?? 0) / Math.max(1, averages[field] ?? 0));
    return [{ terms, scale: weight / (1 - lengthShare + lengthShare * length) }];
  });
  return (term) => fields.reduce((sum, { terms, scale }) => sum + scale * (terms.get(term) ?? 0), 0);
}

type Lengths = Readonly<Partial<Record<Field, number>>>;

/** Most that a link from or to a matching note adds, as a share of that note's score. */
const LINK_SHARE = 0.1;

interface Scored {
  readonly candidate: SearchCandidate;
  readonly score: number;
}

/** Raises scores by those of linked and linking notes, since notes link to related subjects. */
export function raisedByLinks(scored: readonly Scored[]): readonly Scored[] {
  const named = bestScores(scored, ({ entry }) => keysOf(entry));
  const from = bestScores(scored, linksOf);
  return scored.map(({ candidate, score }) => {
    const linking = keysOf(candidate.entry).map((key) => from.get(key) ?? 0);
    const linked = linksOf(candidate).map((key) => named.get(key) ?? 0);
    return { candidate, score: score + LINK_SHARE * Math.max(0, ...linking, ...linked) * (1 - score) };
  });
}

/** The best score of the candidates that have a key. */
function bestScores(
  scored: readonly Scored[],
  keys: (candidate: SearchCandidate) => readonly string[],
): ReadonlyMap<string, number> {
  const best = new Map<string, number>();
  for (const { candidate, score } of scored)
    for (const key of keys(candidate)) best.set(key, Math.max(score, best.get(key) ?? 0));
  return best;
}

/** Files of the candidates that link to a note. */
export function linkingTo(note: SearchCandidate, candidates: readonly SearchCandidate[]): readonly string[] {
  const keys = keysOf(note.entry);
  const linking = candidates.filter((other) => linksOf(other).some((link) => keys.includes(link)));
  return linking.map(({ entry }) => entry.file);
}

/** A note's links, except those to itself. */
function linksOf({ links = [], entry }: SearchCandidate): readonly string[] {
  return links.filter((link) => !keysOf(entry).includes(link));
}

/** A link may use a note's file or its name. */
function keysOf({ file, name }: SearchCandidate["entry"]): readonly string[] {
  return [linkKey(file), linkKey(name)];
}

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
  words: readonly WeighedWord[],
  prompt: string,
): (candidate: SearchCandidate) => number {
  const around = surroundingsAmong(candidates);
  // Parsed on first use, since most stores have no entries.
  const dates = once(() => saidDates(prompt));
  return (candidate) => {
    if (seriesPlace(candidate.entry) === undefined) return coverage(candidate, words, averages, FIELD_WEIGHTS);
    const share = coverage(candidate, words, averages, ENTRY_WEIGHTS, around(candidate.entry));
    return isOfDate(candidate.entry.file, dates()) ? share + DATED_SHARE * share * (1 - share) : share;
  };
}
