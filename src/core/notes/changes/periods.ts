import lists from "./values.json" with { type: "json" };

/** As far as a word counts or is counted. */
interface Counted {
  readonly lower: string;
  readonly term: string;
  readonly kind: string;
  readonly duration?: string;
}

/** Units of time in seconds, by the first name of their row; months and years have no fixed length. */
const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 };
const MONTHS: Readonly<Record<string, number>> = { month: 1, year: 12 };

/** "2 minutes" and "120 seconds" last equally long: so do their numbers, and their units. */
export function withDurations<Word extends Counted>(words: readonly Word[]): readonly Word[] {
  return words.map((word, at) => {
    const previous = words[at - 1];
    const duration = durationOf(word, words[at + 1]) ?? (previous && durationOf(previous, word));
    return duration === undefined ? word : { ...word, duration };
  });
}

function durationOf({ kind, term }: Counted, next: Counted | undefined): string | undefined {
  const unit = PERIODS.get(next?.lower ?? "") ?? "";
  const amount = kind === "number" ? Number(term) : NaN;
  const [seconds, months] = [amount * (SECONDS[unit] ?? NaN), amount * (MONTHS[unit] ?? NaN)];
  return Number.isNaN(seconds) ? (Number.isNaN(months) ? undefined : `${months} months`) : `${seconds} seconds`;
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
const PERIODS = firstNames(lists.periods, 0);
const OFTEN = firstNames(lists.often, 1);

function firstNames(rows: readonly string[], from: number): ReadonlyMap<string, string> {
  return new Map(
    rows
      .map((row) => row.split(" "))
      .flatMap((names) => names.slice(from).map((name) => [name, names[0] ?? name] as const)),
  );
}
