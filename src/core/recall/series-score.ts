import type { SearchCandidate, SearchResult } from "../notes/note-index.ts";
import { placeKey, placesAround, seriesPlace } from "../notes/series.ts";
import { isOfDate, type SaidDate, saidDates } from "./said-dates.ts";
import { coverage, FIELD_WEIGHTS, type FieldWeights, type WeighedWords } from "./score.ts";

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
export type Surroundings = readonly (readonly [candidate: SearchCandidate, share: number])[];

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
 * around it count as further fields: an answer seldom repeats what was asked. A note stands by itself.
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
