/**
 * Some documents of an index are entries of a series, in which each stands where it was said: an entry of a day's log is
 * `2026/11/2026-11-22.md#093939-1f2e3d4c`, and its stamp's `mtimeMs` is its place among them. A note is a file of its own
 * and in no series.
 */
export interface SeriesPlace {
  /** The file that the entries share. */
  readonly series: string;
  /** From 1. */
  readonly number: number;
}

type Placed = { readonly file: string; readonly mtimeMs: number };

export function seriesPlace({ file, mtimeMs }: Placed): SeriesPlace | undefined {
  // Asked for every note of every search.
  const at = file.indexOf(".md#");
  return at < 1 || mtimeMs < 1 ? undefined : { series: file.slice(0, at + 3), number: mtimeMs };
}

/** A place as a key of a map. */
export function placeKey({ series, number }: SeriesPlace): string {
  return `${series}#${number}`;
}

/** How far an entry's surroundings reach, and how much of what stands there counts for it: an answer follows a question more often than it precedes one. */
const SURROUNDINGS: readonly (readonly [offset: number, share: number])[] = [
  [-1, 0.5],
  [1, 0.25],
  [-2, 0.2],
  [2, 0.1],
];

/** The places around an entry, nearest first, whether there is an entry or not; none for a note. */
export function placesAround(entry: Placed): readonly (SeriesPlace & { readonly share: number })[] {
  const place = seriesPlace(entry);
  if (place === undefined) return [];
  return SURROUNDINGS.filter(([offset]) => place.number + offset > 0).map(([offset, share]) => ({
    series: place.series,
    number: place.number + offset,
    share,
  }));
}

/** Whether two entries stand right beside each other; notes never do. */
export function areBeside(one: Placed, other: Placed): boolean {
  const [first, second] = [seriesPlace(one), seriesPlace(other)];
  return first !== undefined && first.series === second?.series && Math.abs(first.number - second.number) === 1;
}
