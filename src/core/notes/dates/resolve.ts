import { dayIn } from "../../shared/clock.ts";
import type { DateResolver, ResolvedDate, WhenSaid } from "./date-resolver.ts";
import { announces, directionOf, isBarred, mayCome, type Place, withoutQuotations } from "./direction.ts";
import { isHabit, withoutLists } from "./habit.ts";
import { languagesOf } from "./language.ts";
import type { Phrase } from "./phrases.ts";
import type { Unit } from "./words/date-words.ts";

/** Days since 1970-01-01; Monday is weekday 0. */
type Day = number;

const DAY_MS = 86_400_000;

function dayNumber(iso: string): Day {
  return Math.round(Date.parse(`${iso}T00:00:00Z`) / DAY_MS);
}

function isoDay(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

function mondayOf(day: Day): Day {
  return day - weekdayOf(day);
}

/** First and last day of a week, month, quarter or year, `offset` units after the one that contains `day`. */
function spanOf(unit: Unit, day: Day, offset: number): { readonly first: Day; readonly last: Day } {
  if (unit === "day") return { first: day + offset, last: day + offset };
  if (unit === "week") return { first: mondayOf(day) + 7 * offset, last: mondayOf(day) + 7 * offset + 6 };
  const date = new Date(day * DAY_MS);
  const months = unit === "month" ? 1 : unit === "quarter" ? 3 : 12;
  const month = Math.floor(date.getUTCMonth() / months) * months;
  const begin = (steps: number): Day => Math.round(Date.UTC(date.getUTCFullYear(), month + steps * months, 1) / DAY_MS);
  return { first: begin(offset), last: begin(offset + 1) - 1 };
}

/** `2026-11`, `2026-Q4`, `2026`; a day and a week are named by their first day. */
function spanName(unit: Unit, first: Day): string {
  const iso = isoDay(first);
  if (unit === "year") return iso.slice(0, 4);
  if (unit === "month") return iso.slice(0, 7);
  return unit === "quarter" ? `${iso.slice(0, 4)}-Q${Math.ceil(Number(iso.slice(5, 7)) / 3)}` : iso;
}

/** The day of a month nearest to `from` in one direction; `undefined` if that month has no such day. */
function monthDay(month: number, dayOfMonth: number, from: Day, direction: "back" | "forward"): Day | undefined {
  const year = new Date(from * DAY_MS).getUTCFullYear();
  const days = [year - 1, year, year + 1].flatMap((one) => {
    const date = new Date(Date.UTC(one, month, dayOfMonth));
    return date.getUTCMonth() === month && dayOfMonth > 0 ? [Math.round(date.getTime() / DAY_MS)] : [];
  });
  return direction === "back" ? days.findLast((day) => day <= from) : days.find((day) => day >= from);
}

/**
 * Resolves days in words, in nine languages. Tense decides: a weekday is the last one for the past and the next one for
 * the future. Without a tense it stays unresolved, and so does what states a rule, is quoted, or may mean two days.
 */
export const dateResolver: DateResolver = {
  resolve(text, when) {
    const said = dayOf(when);
    const prose = withoutQuotations(text);
    return sentencesOf(prose).flatMap(({ at, sentence }) =>
      inSentence(sentence, prose, said).map((found) => ({ ...found, start: found.start + at, end: found.end + at })),
    );
  },
  leavesOpen(text) {
    const prose = withoutQuotations(text);
    return sentencesOf(prose).some(({ sentence }) =>
      readings(sentence, prose)
        .flat()
        .some((place) => place.phrase.meaning.kind === "weekday" && !isBarred(place) && mayCome(place)),
    );
  },
};

/** Unknown zones count as UTC. */
function dayOf({ ms, timeZone }: WhenSaid): Day {
  try {
    return dayNumber(dayIn(timeZone, ms));
  } catch (error) {
    if (error instanceof RangeError) return dayNumber(dayIn("UTC", ms));
    throw error;
  }
}

function sentencesOf(text: string): readonly { readonly at: number; readonly sentence: string }[] {
  const found: { at: number; sentence: string }[] = [];
  let at = 0;
  for (const { index, 0: mark } of [
    ...text.matchAll(/(?<!\d)[.!?](?=\s|$)|[。！？；;\n]/gu),
    { index: text.length, 0: "" },
  ]) {
    if (index > at && index - at <= LONGEST) found.push({ at, sentence: text.slice(at, index) });
    at = index + mark.length;
  }
  return found;
}

/** A longer text is not a sentence and is skipped (characters). */
const LONGEST = 1_000;

/** The dates on which all languages that the sentence may be in agree. */
function inSentence(written: string, whole: string, said: Day): readonly ResolvedDate[] {
  const [first = [], ...others] = readings(written, whole).map((places) => resolvedIn(places, said));
  return first.filter((one) =>
    others.every((found) =>
      found.some(({ start, end, shown }) => start === one.start && end === one.end && shown === one.shown),
    ),
  );
}

/** The phrases of a sentence, in each language that it may be in. */
function readings(written: string, whole: string): readonly (readonly Place[])[] {
  const small = written.toLowerCase();
  const sentence = small.length === written.length ? small : written;
  return languagesOf(sentence, whole).map((language) =>
    language.find(sentence).map((phrase): Place => ({ language, written, sentence, phrase })),
  );
}

function resolvedIn(places: readonly Place[], said: Day): readonly ResolvedDate[] {
  if (places.some(isHabit)) return [];
  return withoutLists(places).flatMap((place): ResolvedDate[] => {
    if (isBarred(place) || isName(place)) return [];
    const found = dateOf(place, said);
    if (found === undefined) return [];
    const { start, end } = place.phrase;
    const possessive = /^['’]s\b/u.exec(place.sentence.slice(end))?.[0].length ?? 0;
    if (COMPOUND.test(place.sentence.slice(end + possessive))) return [];
    return [{ start, end: end + possessive, day: isoDay(found.last), shown: found.shown }];
  });
}

/** "yesterday's-news": part of a name. */
const COMPOUND = /^[-/_]\p{L}/u;

/** "The Tomorrow team": words that begin with a capital within a sentence. */
function isName({ language: { words }, written, phrase: { start, end, meaning } }: Place): boolean {
  const mayBeName = meaning.kind === "day" || (words.hasCapitalNouns !== true && meaning.kind === "span");
  return (
    mayBeName &&
    /^\p{Lu}\p{Ll}/u.test(written.slice(start, end)) &&
    /[\p{L}\p{N},'’]\s*$/u.test(written.slice(0, start))
  );
}

interface Found {
  readonly last: Day;
  readonly shown: string;
}

function oneDay(day: Day): Found {
  return { last: day, shown: isoDay(day) };
}

function maybeDay(day: Day | undefined): Found | undefined {
  return day === undefined ? undefined : oneDay(day);
}

function dateOf(place: Place, said: Day): Found | undefined {
  const { meaning } = place.phrase;
  switch (meaning.kind) {
    case "day":
      return meaning.offset === 0 && isPossessive(place.sentence, place.phrase)
        ? undefined
        : oneDay(said + meaning.offset);
    case "weekday":
      return maybeDay(weekdayDate(place, meaning, said));
    case "weekday-in-week":
      return isWeekInDoubt(place, said) ? undefined : oneDay(mondayOf(said) + 7 * meaning.offset + meaning.weekday);
    case "count":
      return meaning.offset > 0 && !announces(place, meaning.perhaps) ? undefined : counted(meaning, said);
    case "span":
      return spanned(place, meaning, said);
    case "end":
      return meaning.unit === "week" || (meaning.offset === 0 && isEveryTime(place))
        ? undefined
        : oneDay(spanOf(meaning.unit, said, meaning.offset).last);
    case "month-day": {
      const direction = directionOf(place);
      const day = direction && monthDay(meaning.month, meaning.day, said, direction);
      // "They cancelled the demo on 12 January", in November: the next one is meant as well as the last.
      return day === undefined || said - day > LONG_AGO ? undefined : oneDay(day);
    }
  }
}

/** Days after which who speaks of a date would add the year. */
const LONG_AGO = 300;

/** "Invoices are sent at the end of the month": each month, since nothing is announced. */
function isEveryTime(place: Place): boolean {
  return directionOf(place) === undefined && !announces(place, true);
}

type Weekday = Extract<Phrase["meaning"], { readonly kind: "weekday" }>;

function weekdayDate(place: Place, { weekday, which }: Weekday, said: Day): Day | undefined {
  const today = weekdayOf(said);
  const ahead = said + (((weekday - today + 6) % 7) + 1);
  const back = said - (((today - weekday + 6) % 7) + 1);
  switch (which) {
    case "last":
      // The day before would be called yesterday, so the one a week earlier may be meant.
      return said - back === 1 ? undefined : back;
    case "coming":
      return ahead;
    case "next":
      // Later this week it may mean this week or the one after; the next day would be called tomorrow.
      return weekday <= today ? ahead : ahead - said === 1 ? ahead + 7 : undefined;
    case "this": {
      const direction = directionOf(place);
      if (direction !== undefined) return direction === "back" ? back : ahead;
      return weekday > today ? ahead : undefined;
    }
    case "bare": {
      const direction = weekday === today || belongsToNoun(place) ? undefined : directionOf(place);
      return direction && (direction === "back" ? back : ahead);
    }
  }
}

/** "Friday deploys": a weekday without a preposition may describe the word after it. */
function belongsToNoun({ language: { free, until, since }, sentence, phrase }: Place): boolean {
  const before = sentence.slice(0, phrase.start);
  if (isPossessive(sentence, phrase)) return true;
  return (
    free !== undefined &&
    !/\b(?:on|by|since|until|till|before|after|for)\s+$/iu.test(before) &&
    !until.test(before) &&
    !since.test(before) &&
    !free.test(sentence.slice(phrase.end))
  );
}

function isPossessive(sentence: string, { end }: Phrase): boolean {
  return /^['’]s\b/u.test(sentence.slice(end));
}

type Count = Extract<Phrase["meaning"], { readonly kind: "count" }>;

/** Days and weeks are exact to the day; "two months ago" is a month, not a day. */
function counted({ unit, offset }: Count, said: Day): Found {
  if (unit === "day") return oneDay(said + offset);
  if (unit === "week") return oneDay(said + 7 * offset);
  const { first, last } = spanOf(unit, said, offset);
  return { last, shown: spanName(unit, first) };
}

type Span = Extract<Phrase["meaning"], { readonly kind: "span" }>;

function spanned(place: Place, { unit, offset }: Span, said: Day): Found | undefined {
  if (unit === "week" && isWeekInDoubt(place, said)) return undefined;
  const { first, last } = spanOf(unit, said, offset);
  const name = spanName(unit, first);
  return { last, shown: unit === "week" ? place.language.words.week.replace("{day}", name) : name };
}

/** On a Sunday, "this week" is the one that ends or the one that begins, depending on the calendar. */
function isWeekInDoubt({ language: { words } }: Place, said: Day): boolean {
  return words.weekBeginsOnSunday === true && weekdayOf(said) === SUNDAY;
}

const SUNDAY = 6;
