import { expression, NEVER, wholeWords, phraseFinder, type PhraseFinder } from "./phrases.ts";
import { CHINESE } from "./words/chinese.ts";
import type { DateWords } from "./words/date-words.ts";
import { DUTCH } from "./words/dutch.ts";
import { ENGLISH } from "./words/english.ts";
import { FRENCH } from "./words/french.ts";
import { GERMAN } from "./words/german.ts";
import { ITALIAN } from "./words/italian.ts";
import { JAPANESE } from "./words/japanese.ts";
import { PORTUGUESE } from "./words/portuguese.ts";
import { SPANISH } from "./words/spanish.ts";

/** A language with its compiled expressions. */
export interface Language extends PhraseFinder {
  readonly words: DateWords;
  readonly past: RegExp;
  readonly future: RegExp;
  readonly progressive: RegExp;
  readonly events: RegExp;
  readonly standing: RegExp;
  readonly cut: RegExp;
  readonly until: RegExp;
  readonly untilAfter: RegExp;
  readonly since: RegExp;
  readonly sinceAfter: RegExp;
  readonly aim: RegExp;
  readonly notAfter: RegExp;
  readonly notBefore: RegExp;
  /** Before and after the first weekday of what moved to another one, and before that one. */
  readonly moves: readonly [from: RegExp, to: RegExp, moved: RegExp];
  readonly free: RegExp | undefined;
  /** Right before or right after a count that is not exact: "roughly", "four or", "and a half". */
  readonly inexact: RegExp;
  readonly inexactAfter: RegExp;
  readonly of: RegExp;
  readonly ofAfter: RegExp;
  readonly duty: RegExp;
  readonly be: RegExp;
  readonly which: readonly (readonly [before: RegExp, after: RegExp])[];
  readonly some: readonly [before: RegExp, after: RegExp];
  readonly anyOne: RegExp;
  readonly begins: RegExp;
  /** Right after a phrase: its date is already there. */
  readonly dated: RegExp;
}

const LATIN = [ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH];
const made = new Map<DateWords, Language>();

/** Compiles each language when a text first needs it. */
function languageOf(words: DateWords): Language {
  const known = made.get(words);
  if (known !== undefined) return known;
  const language = makeLanguage(words);
  made.set(words, language);
  return language;
}

function makeLanguage(words: DateWords): Language {
  const cue = (source = NEVER): RegExp => expression(source, "u");
  const before = (source: string): RegExp =>
    words.isUnspaced === true
      ? expression(`(?:${source || NEVER})\\s*$`, "u")
      : expression(`(?<![\\w\\u00C0-\\u024F])(?:${source})[\\s(]*$`, "u");
  const months = words.months.join("|");
  const weekday = `(?:${words.weekdays.join("|")})`;
  const after = (source = NEVER): RegExp => expression(`^\\s*(?:${source.replaceAll("{d}", weekday)})`, "u");
  const around = ([one, other]: readonly [string, string]): readonly [RegExp, RegExp] => [
    expression(`(?:${one || NEVER})$`, "u"),
    after(other),
  ];
  return {
    words,
    ...phraseFinder(words),
    past: cue(words.past),
    future: cue(words.future),
    progressive: cue(words.progressive),
    events: expression(wholeWords(words.events || NEVER), "u"),
    standing: expression(words.standing, "u"),
    cut: expression(words.cut, "gu"),
    until: before(words.until),
    untilAfter: after(words.untilAfter),
    since: before(words.since),
    sinceAfter: after(words.sinceAfter),
    aim: before(words.aim),
    notAfter: before(`${words.notAfter}|${weekday} ?(?:[-–/,&]|${words.joins})`),
    notBefore: after(`${words.notBefore}|(?:[-–/,&]|${words.joins}) ?${weekday}`),
    moves: movesOf(words, weekday),
    dated: expression(
      `^(?:\\s*[(（][^)）]{0,24}\\d|,? (?:the |le |el |il |den |der |de )?(?:\\d{4}[-/.年]\\d|\\d{1,2}[./]\\d{1,2}|the \\d|\\d{1,2}(?:st|nd|rd|th|er|º|\\.)? ?(?:of |de )?(?:${months})|(?:${months}) ?\\d))`,
      "u",
    ),
    ...inexact(words),
    of: before(words.of || NEVER),
    ofAfter: after(words.ofAfter),
    duty: cue(words.duty),
    be: expression(wholeWords(words.be ?? NEVER), "gu"),
    which: words.which.map(around),
    some: around(words.some),
    anyOne: expression(`^\\W*(?:${words.anyOne || NEVER})`, "u"),
    begins: expression(wholeWords(words.begins || NEVER), "u"),
    free: words.free === undefined ? undefined : after(words.free),
  };
}

/** "From Monday morning to Thursday": two days of a plan, with the time of day between them. */
function movesOf({ isUnspaced, moves: [from, to] }: DateWords, weekday: string): Language["moves"] {
  const gap = "[^,.;:，。、；：]{0,20}?";
  const [begin, joined] =
    isUnspaced === true
      ? [`(?:${from})`, `${gap}(?:${to})[^,.;，。、；]{0,2}?`]
      : [`(?<![\\w\\u00C0-\\u024F])(?:${from}) (?:\\p{L}{1,3} )?`, `${gap}\\s(?:${to}) (?:\\p{L}{1,3} )?`];
  return [
    expression(`${begin}$`, "u"),
    expression(`^${joined}${weekday}`, "u"),
    expression(`${begin}${weekday}${joined}$`, "u"),
  ];
}

/** "Four or five days ago", "half a year ago", "a year and two months ago": counts that a date would make too exact. */
function inexact(words: DateWords): Pick<Language, "inexact" | "inexactAfter"> {
  const number = `(?:${Object.keys(words.numbers).join("|")}|\\d+)`;
  const units = Object.values(words.units).join("|");
  const [begin, space, joined] =
    words.isUnspaced === true
      ? ["", "", `(?:[-–/・、，,]|${words.joins})?`]
      : [`(?<![\\w\\u00C0-\\u024F])`, " ", `(?:[.,/&]| ?[-–/] ?| (?:${words.joins}) )`];
  return {
    inexact: expression(
      `${begin}${number}(?:${space}(?:${units}))?${joined}$|${begin}(?:${words.unsure})[\\s(]*$`,
      "u",
    ),
    inexactAfter: expression(
      `^,?\\s*(?:${words.unsureAfter})(?![a-zA-Z\\u00C0-\\u024F])|^ ?(?:[-–/]|${words.joins}) ?${number} ?(?:${units})`,
      "u",
    ),
  };
}

/**
 * The languages that a sentence may be in: mostly one; several if its words do not decide, none if it contains no words
 * for days.
 */
export function languagesOf(sentence: string, whole: string): readonly Language[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sentence)) return [languageOf(JAPANESE)];
  if (/\p{Script=Han}/u.test(sentence)) return [languageOf(CHINESE)];
  hint ??= expression(wholeWords(LATIN.flatMap(dayWords).join("|")), "u");
  if (!hint.test(sentence)) return [];
  const likely = closest(
    LATIN.map((words) => ({ one: words, score: knownIn(sentence, words) })),
    NEAR,
  ).map(languageOf);
  const best = closest(likely.map((one) => ({ one, score: knownIn(sentence, one.words) + named(one, sentence) })));
  return best.length < 2 ? best : closest(best.map((one) => ({ one, score: knownIn(whole, one.words) })));
}

/** All words that may be part of a phrase; most sentences contain none. */
let hint: RegExp | undefined;

function dayWords({ weekdays, shortWeekdays = [], units, months, days, endOf }: DateWords): readonly string[] {
  const alone = endOf.flatMap(([, phrase]) => (phrase.includes("{") ? [] : [phrase]));
  return [
    ...weekdays,
    ...shortWeekdays,
    ...Object.values(units),
    ...months,
    ...days.map(([, phrase]) => phrase),
    ...alone,
  ];
}

/** A language is ruled out if it has fewer frequent words than the best one by more than this. */
const NEAR = 2;

function knownIn(text: string, words: DateWords): number {
  let set = frequent.get(words);
  if (set === undefined)
    frequent.set(words, (set = new Set([...words.known.split("|"), ...Object.keys(words.numbers)])));
  let count = 0;
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}]+/gu)) if (set.has(word)) count++;
  return count;
}

const frequent = new Map<DateWords, ReadonlySet<string>>();

function named({ find }: Language, sentence: string): number {
  return find(sentence).reduce((sum, { start, end }) => sum + (end - start > SHORT ? 2 : 1), 0);
}

/** A word as short as "hier" is often also a word of another language (characters). */
const SHORT = 4;

function closest<T>(scored: readonly { readonly one: T; readonly score: number }[], within = 0): readonly T[] {
  const most = Math.max(...scored.map(({ score }) => score));
  return scored.filter(({ score }) => score >= most - within).map(({ one }) => one);
}
