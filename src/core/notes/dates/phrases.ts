import type { DateWords, Unit } from "./words/date-words.ts";

/** A letter of the languages in Latin script: classes of all letters take a thousand times as long to compile. */
const LETTER = "a-zA-Z\\u00C0-\\u024F";

const WORD = `[${LETTER}0-9_]`;

const BOUNDARY = `(?:(?<!${WORD})(?=${WORD})|(?<=${WORD})(?!${WORD}))`;

/** A pattern that matches nothing. */
export const NEVER = "(?!)";

/** Limits a pattern to whole words. */
export function wholeWords(source: string): string {
  return `(?<!${WORD})(?:${source})(?!${WORD})`;
}

/** Compiles a table's expression; `\b`, `\p{L}` and `\p{Ll}` cover the letters of all these languages. */
export function expression(source: string, flags: string): RegExp {
  return new RegExp(
    source
      .replaceAll("\\b", BOUNDARY)
      .replaceAll("\\p{L}", `[${LETTER}]`)
      .replaceAll("\\p{Ll}", "[a-z\\u00DF-\\u00FF]"),
    flags,
  );
}

/** What the words of a phrase mean, before dates are computed. */
export type Meaning =
  | { readonly kind: "day"; readonly offset: number }
  | { readonly kind: "weekday"; readonly weekday: number; readonly which: "last" | "next" | "coming" | "this" | "bare" }
  | { readonly kind: "weekday-in-week"; readonly weekday: number; readonly offset: number }
  | { readonly kind: "count"; readonly unit: Unit; readonly offset: number; readonly perhaps: boolean }
  | { readonly kind: "span"; readonly unit: Unit; readonly offset: number }
  | { readonly kind: "end"; readonly unit: Unit; readonly offset: number }
  | { readonly kind: "month-day"; readonly month: number; readonly day: number };

export interface Phrase {
  readonly start: number;
  readonly end: number;
  readonly meaning: Meaning;
}

/** Finds the phrases of one language in texts. */
export interface PhraseFinder {
  find(text: string): readonly Phrase[];
}

interface Pattern {
  readonly expression: RegExp;
  readonly mean: (groups: Readonly<Record<string, string | undefined>>) => Meaning | undefined;
}

/** Larger counts are durations or ages, not exact days. */
const MOST: Readonly<Record<Unit, number>> = { day: 29, week: 12, month: 18, quarter: 6, year: 20 };

export function phraseFinder(words: DateWords): PhraseFinder {
  const patterns = patternsOf(words);
  return {
    find(text) {
      const found = patterns.flatMap(({ expression: pattern, mean }) =>
        [...text.matchAll(pattern)].flatMap((match): Phrase[] => {
          const meaning = mean(groupsOf(match));
          return meaning === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, meaning }];
        }),
      );
      return longestFirst(found);
    },
  };
}

/** Of overlapping phrases, keeps the one that begins first; among those, the longest. */
function longestFirst(found: readonly Phrase[]): readonly Phrase[] {
  const kept: Phrase[] = [];
  for (const phrase of found.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (phrase.start >= (kept.at(-1)?.end ?? 0)) kept.push(phrase);
  return kept;
}

function patternsOf(words: DateWords): readonly Pattern[] {
  const weekday = lookUp(words.weekdays.map((day, at) => `${day}|${words.shortWeekdays?.[at] ?? NEVER}`));
  const month = lookUp(words.months);
  const countOf = (text = ""): number => words.numbers[text.toLowerCase()] ?? Number(text);
  const counted = unitLookUp(words.units);
  const spans = { ...words.units, ...words.spans };
  const spanned = unitLookUp(spans);
  const on =
    (which: "last" | "next" | "coming" | "this" | "bare"): Pattern["mean"] =>
    ({ d }) =>
      given(weekday(d), (index): Meaning => ({ kind: "weekday", weekday: index, which }));
  const count =
    (sign: 1 | -1, perhaps: boolean): Pattern["mean"] =>
    ({ n, u }) => {
      const [unit, number] = [counted(u), countOf(n)];
      return unit === undefined || !(number >= 1 && number <= MOST[unit])
        ? undefined
        : { kind: "count", unit, offset: sign * number, perhaps };
    };
  const compile = (phrase: string): RegExp => compilePhrase(phrase, words, spans);
  const each = (phrases: readonly string[], mean: Pattern["mean"]): Pattern[] =>
    phrases.map((phrase) => ({ expression: compile(phrase), mean }));
  const withOffset = (
    phrases: readonly (readonly [number, string])[],
    mean: (offset: number) => Pattern["mean"],
  ): Pattern[] => phrases.flatMap(([offset, phrase]) => each([phrase], mean(offset)));
  return [
    ...withOffset(words.days, (offset) => () => ({ kind: "day", offset })),
    ...each(words.last, on("last")),
    ...each(words.next, on("next")),
    ...each(words.coming, on("coming")),
    ...each(words.this, on("this")),
    ...each([words.bare], on("bare")),
    ...withOffset(
      words.inWeek,
      (offset) =>
        ({ d }) =>
          given(weekday(d), (index): Meaning => ({ kind: "weekday-in-week", weekday: index, offset })),
    ),
    ...each(words.ago, count(-1, false)),
    ...each(words.ahead, count(1, false)),
    ...each(words.perhapsAhead, count(1, true)),
    ...withOffset(
      words.inSpan,
      (offset) =>
        ({ s }) =>
          spanMeaning("span", spanned(s), offset),
    ),
    ...withOffset(
      words.endOf,
      (offset) =>
        ({ s }) =>
          spanMeaning("end", s === undefined ? "month" : spanned(s), offset),
    ),
    ...each(words.dates, ({ m, k }) =>
      given(month(m), (index): Meaning => ({ kind: "month-day", month: index, day: Number(k) })),
    ),
  ];
}

function spanMeaning(kind: "span" | "end", unit: Unit | undefined, offset: number): Meaning | undefined {
  return unit === undefined || unit === "day" ? undefined : { kind, unit, offset };
}

function given<T>(value: number | undefined, mean: (value: number) => T): T | undefined {
  return value === undefined ? undefined : mean(value);
}

/** A name may occur only once in an expression, so the groups are numbered; groups that did not match are omitted. */
function groupsOf(match: RegExpMatchArray): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(match.groups ?? {}).flatMap(([name, text]) => (text === undefined ? [] : [[name.charAt(0), text]])),
  );
}

function compilePhrase(phrase: string, words: DateWords, spans: Readonly<Record<Unit, string>>): RegExp {
  const parts: Readonly<Record<string, string>> = {
    d: words.weekdays.join("|"),
    w: (words.shortWeekdays ?? []).join("|"),
    n: `${Object.keys(words.numbers).join("|")}|\\d{1,3}`,
    u: Object.values(words.units).join("|"),
    s: Object.values(spans).join("|"),
    m: words.months.join("|"),
    k: "[0-3]?\\d",
  };
  let number = 0;
  const source = phrase.replace(
    /\{([dwnusmk])\}/gu,
    (_, name: string) => `(?<${name === "w" ? "d" : name}${number++}>${parts[name] ?? ""})`,
  );
  return words.isUnspaced === undefined
    ? expression(wholeWords(source.replaceAll(" ", "\\s+")), "gu")
    : expression(`(?<!\\d)${words.inside === undefined ? "" : `(?<!${words.inside})`}(?:${source})`, "gu");
}

function lookUp(alternativesOf: readonly string[]): (text: string | undefined) => number | undefined {
  const whole = alternativesOf.map((one) => expression(`^(?:${one})$`, "u"));
  return (text) => {
    const index = text === undefined ? -1 : whole.findIndex((pattern) => pattern.test(text));
    return index < 0 ? undefined : index;
  };
}

function unitLookUp(units: Readonly<Record<Unit, string>>): (text: string | undefined) => Unit | undefined {
  const find = lookUp(UNITS.map((unit) => units[unit]));
  return (text) => {
    const index = find(text);
    return index === undefined ? undefined : UNITS[index];
  };
}

const UNITS: readonly Unit[] = ["day", "week", "month", "quarter", "year"];
