import { firstNames } from "./named-words.ts";
import lists from "./values.json" with { type: "json" };

/** As far as a word counts or is counted. */
interface Counted {
  readonly lower: string;
  readonly term: string;
  readonly kind: string;
  readonly duration?: string;
}

/** What a unit is of: milliseconds, or months, which have no fixed length. By the first name of its row. */
const LENGTHS: ReadonlyMap<string, readonly [amount: number, of: string]> = new Map([
  ["millisecond", [1, "ms"]],
  ["second", [1000, "ms"]],
  ["minute", [60_000, "ms"]],
  ["hour", [3_600_000, "ms"]],
  ["day", [86_400_000, "ms"]],
  ["week", [604_800_000, "ms"]],
  ["month", [1, "months"]],
  ["year", [12, "months"]],
]);

/** "2 minutes" and "120 seconds" last equally long: so do their numbers, and their units. */
export function withDurations<Word extends Counted>(words: readonly Word[]): readonly Word[] {
  return words.map((word, at) => {
    const previous = words[at - 1];
    const duration = durationOf(word, words[at + 1]) ?? (previous && durationOf(previous, word));
    return duration === undefined ? word : { ...word, duration };
  });
}

function durationOf({ kind, term }: Counted, next: Counted | undefined): string | undefined {
  const length = LENGTHS.get(PERIODS.get(next?.lower ?? "") ?? "");
  const amount = Number(term);
  if (kind !== "number" || length === undefined || Number.isNaN(amount)) return undefined;
  return `${amount * length[0]} ${length[1]}`;
}

/** How often, how long, and units: "daily" and "every day" are the same, "the day" is none. */
export function periodsIn(words: readonly Counted[]): string {
  return words
    .flatMap(({ lower, duration }, at) => {
      const period = PERIODS.get(lower);
      const counted = period !== undefined && isCounted(words[at - 1]) ? (duration ?? period) : undefined;
      return OFTEN.get(lower) ?? counted ?? [];
    })
    .toSorted()
    .join(" ");
}

function isCounted(previous: Counted | undefined): boolean {
  return previous !== undefined && (previous.kind === "number" || COUNTING.has(previous.lower));
}

const COUNTING: ReadonlySet<string> = new Set(lists.counting.split(" "));

/** Each unit by the first name of its row, and each word such as "daily" by the unit that its row begins with. */
const PERIODS = firstNames(lists.periods);
const OFTEN = firstNames(lists.often, { from: 1 });
