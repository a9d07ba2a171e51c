/** Two parts of a statement that changed places around a third. */
export interface Exchange {
  /** Where in the statement the part begins that comes first, and the one that comes last. */
  readonly first: number;
  readonly last: number;
}

/**
 * Where the same words in another order may say something else: "Alice reviews Bob's code", "Bob reviews Alice's
 * code". A part that only moved to the front says the same: "on Mondays we deploy". `places`: for each word its place
 * in the other statement.
 */
export function exchangeIn(places: readonly number[]): Exchange | undefined {
  const sorted = places.toSorted((one, other) => one - other);
  const ranks = places.map((place) => sorted.indexOf(place));
  const start = ranks.findIndex((rank, at) => rank !== at);
  const end = ranks.findLastIndex((rank, at) => rank !== at);
  if (start === -1) return undefined;
  const runs = runsIn(ranks.slice(start, end + 1));
  const isTurned = runs
    .toReversed()
    .flat()
    .every((rank, at) => rank === start + at);
  const [one = [], between = []] = runs;
  return runs.length === 3 && isTurned ? { first: start, last: start + one.length + between.length } : undefined;
}

/** The stretches in which each number is the one before and one. */
function runsIn(ranks: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  for (const rank of ranks) {
    const run = runs.at(-1);
    if (run?.at(-1) === rank - 1) run.push(rank);
    else runs.push([rank]);
  }
  return runs;
}

/** The place of each word in another statement; without words that are not there. */
export function placesIn<Word>(
  words: readonly Word[],
  others: readonly Word[],
  isSame: (one: Word, other: Word) => boolean,
): readonly number[] {
  const taken = new Set<number>();
  return words.flatMap((word) => {
    const place = others.findIndex((other, at) => !taken.has(at) && isSame(word, other));
    if (place === -1) return [];
    taken.add(place);
    return [place];
  });
}
