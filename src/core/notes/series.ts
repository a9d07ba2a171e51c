/**
 * Some documents of an index are entries of a series, in which each stands where it was said: the third entry of a
 * day's log is `2026/11/2026-11-22.md#3`. A note is a file of its own and in no series.
 */
export interface SeriesPlace {
  /** The file that the entries share. */
  readonly series: string;
  /** From 1. */
  readonly number: number;
}

const ENTRY = /^(.+\.md)#([1-9]\d{0,8})$/u;

export function seriesPlace(file: string): SeriesPlace | undefined {
  // Asked for every note of every search.
  if (!file.includes(".md#")) return undefined;
  const [, series, number] = ENTRY.exec(file) ?? [];
  return series === undefined ? undefined : { series, number: Number(number) };
}

/** How far an entry's surroundings reach, and how much of what stands there counts for it: an answer follows a question more often than it precedes one. */
const SURROUNDINGS: readonly (readonly [offset: number, share: number])[] = [[-1, 0.5], [1, 0.25], [-2, 0.2], [2, 0.1]];

/** The entries that may stand around one, nearest first, whether there are any or not; none for a note. */
export function entriesAround(file: string): readonly { readonly file: string; readonly share: number }[] {
  const place = seriesPlace(file);
  if (place === undefined) return [];
  return SURROUNDINGS.filter(([offset]) => place.number + offset > 0).map(([offset, share]) => ({ file: `${place.series}#${place.number + offset}`, share }));
}

/** The entries right before and after one, whether they are there or not; none for a note. */
export function entriesBeside(file: string): readonly string[] {
  const place = seriesPlace(file);
  return place === undefined ? [] : [place.number - 1, place.number + 1].filter((number) => number > 0).map((number) => `${place.series}#${number}`);
}
