/** What a ranker gave for a labelled prompt, notes by `scope:file`. */
export interface RankedAnswer {
  readonly wanted: readonly string[];
  /** Best first. */
  readonly ranked: readonly string[];
  readonly shown: readonly string[];
  readonly pointed: readonly string[];
}

/** Shares between 0 and 1; `undefined` where there was nothing to measure it on. */
export interface RecallFigures {
  readonly prompts: number;
  /** Prompts for which nothing should be shown. */
  readonly negatives: number;
  /** Wanted notes among the first one and the first five, of as many as fit there. */
  readonly first: number | undefined;
  readonly five: number | undefined;
  /** Mean of 1 ÷ rank of the first wanted note. */
  readonly reciprocalRank: number | undefined;
  /** Of the notes that were shown whole: how many were wanted; of the wanted: how many were shown; and their harmonic mean. */
  readonly precision: number | undefined;
  readonly recall: number | undefined;
  readonly f1: number | undefined;
  /** Wanted notes that were shown or pointed at. */
  readonly reach: number | undefined;
  /** Negatives for which nothing was shown whole. */
  readonly silent: number | undefined;
}

export function measureRecall(answers: readonly RankedAnswer[]): RecallFigures {
  const positive = answers.filter(({ wanted }) => wanted.length > 0);
  const negative = answers.filter(({ wanted }) => wanted.length === 0);
  const right = sum(answers, ({ shown, wanted }) => shared(shown, wanted));
  const shown = sum(answers, (answer) => answer.shown.length);
  const wanted = sum(answers, (answer) => answer.wanted.length);
  const precision = share(right, shown);
  const recall = share(right, wanted);
  return {
    prompts: answers.length,
    negatives: negative.length,
    first: mean(positive, (answer) => hits(answer, 1)),
    five: mean(positive, (answer) => hits(answer, 5)),
    reciprocalRank: mean(positive, ({ ranked, wanted: good }) =>
      reciprocal(ranked.findIndex((key) => good.includes(key))),
    ),
    precision,
    recall,
    // Nothing shown where something was wanted is no missing figure but a bad one.
    f1: wanted === 0 ? undefined : right === 0 ? 0 : share(2 * right, shown + wanted),
    reach: share(
      sum(answers, (answer) => shared([...answer.shown, ...answer.pointed], answer.wanted)),
      wanted,
    ),
    silent: share(negative.filter((answer) => answer.shown.length === 0).length, negative.length),
  };
}

function hits({ ranked, wanted }: RankedAnswer, count: number): number {
  return shared(ranked.slice(0, count), wanted) / Math.min(count, wanted.length);
}

function reciprocal(index: number): number {
  return index === -1 ? 0 : 1 / (index + 1);
}

function shared(found: readonly string[], wanted: readonly string[]): number {
  const set = new Set(found);
  return wanted.filter((key) => set.has(key)).length;
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}

function mean<T>(items: readonly T[], valueOf: (item: T) => number): number | undefined {
  return share(sum(items, valueOf), items.length);
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
