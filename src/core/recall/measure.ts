const COMMON_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on or our " +
    "please should so some than that the their them then there these they this to us was we were what when where which who why will with would you your"
  ).split(" "),
);

const SATURATION = 1.2;

const LENGTH_SHARE = 0.75;

/**
 * The baseline that recall is measured against: plain BM25 over whole files, common English words left out, no
 * stemming, no fields. Gives the keys of texts that share a word with the prompt, best first.
 */
export function plainRanker(texts: ReadonlyMap<string, string>): (prompt: string) => readonly string[] {
  const counted = [...texts].map(([key, text]) => {
    const words = wordsOf(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { key, counts, length: words.length };
  });
  const average = Math.max(1, counted.reduce((total, { length }) => total + length, 0) / Math.max(1, counted.length));
  const frequency = new Map<string, number>();
  for (const { counts } of counted)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weightOf = (word: string): number => {
    const present = frequency.get(word) ?? 0;
    return Math.log(1 + (counted.length - present + 0.5) / (present + 0.5));
  };
  return (prompt) => {
    const words = [...new Set(wordsOf(prompt))];
    const scoreOf = ({
      counts,
      length,
    }: {
      readonly counts: ReadonlyMap<string, number>;
      readonly length: number;
    }): number =>
      words.reduce((score, word) => {
        const count = counts.get(word) ?? 0;
        return (
          score +
          (weightOf(word) * count * (SATURATION + 1)) /
            (count + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average))
        );
      }, 0);
    return counted
      .map((text) => ({ key: text.key, score: scoreOf(text) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
      .map(({ key }) => key);
  };
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !COMMON_WORDS.has(word));
}

/** What a recall found, by `scope:file`. */
export interface RecallFindings {
  readonly shown: readonly string[];
  readonly pointed: readonly string[];
}

export interface RecallDifference {
  /** `lost` weighs most: a note that was shown whole is neither shown nor pointed at. */
  readonly outcome: "same" | "gained" | "moved" | "lost";
  /** Shown now, and neither shown nor pointed at before. */
  readonly gained: readonly string[];
  /** Shown before, not found now. */
  readonly lost: readonly string[];
  /** Shown before, pointed at now; and the other way round. */
  readonly lowered: readonly string[];
  readonly raised: readonly string[];
}

/**
 * Compares what a prompt found before and after a change of the notes or of recall. A note that was merged into
 * another counts as found when that one is: `successor` names it.
 */
export function compareRecalls(
  before: RecallFindings,
  after: RecallFindings,
  successor: (key: string) => string | undefined = () => undefined,
): RecallDifference {
  const shown = new Set(after.shown);
  const pointed = new Set(after.pointed);
  const findable = (key: string): string => {
    const chain = new Set([key]);
    let now = key;
    for (let next = successor(now); next !== undefined && !chain.has(next) && !shown.has(now); next = successor(now)) {
      chain.add(next);
      now = next;
    }
    return now;
  };
  const successors = new Map(before.shown.map((key) => [key, findable(key)]));
  const known = new Set([...before.shown, ...before.pointed, ...successors.values()]);
  const gained = after.shown.filter((key) => !known.has(key));
  const lost = before.shown.filter(
    (key) => !shown.has(successors.get(key) ?? key) && !pointed.has(successors.get(key) ?? key),
  );
  const lowered = before.shown.filter(
    (key) => !shown.has(successors.get(key) ?? key) && pointed.has(successors.get(key) ?? key),
  );
  const raised = before.pointed.filter((key) => shown.has(key) && !before.shown.includes(key));
  const outcome =
    lost.length > 0 ? "lost" : lowered.length + raised.length > 0 ? "moved" : gained.length > 0 ? "gained" : "same";
  return { outcome, gained, lost, lowered, raised };
}

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
