import { once } from "../../shared/once.ts";
import { Names, valueNamed } from "./named-words.ts";
import lists from "./values.json" with { type: "json" };
import when from "./when.json" with { type: "json" };

/** Words around a statement that are not part of it. */
const LEAD_IN =
  /^(?:(?:please|also|ok(?:ay)?|so|and|oh|well|honestly|actually|note|remember|i (?:think|guess|believe)|by the way|heads up|just so you know|fyi|for the record)\b[,:]?(?: that| to)?\s+|(?:update|correction|change|decision)\s*:\s*|os? (?=\p{Lu}\p{Ll}))+/iu;

/** "…, thanks": polite, without meaning of its own. */
const POLITE_END =
  /,? (?:please|thanks|thank you|bitte|danke|merci|s['’]il (?:te|vous) plaît|por favor|gracias|obrigad[oa]|grazie|пожалуйста|спасибо)$/iu;

const REMINDER = once(() => new RegExp(`^(?:${lists.reminders})(?:[:,–—] *|[，、：])`, "u"));

/** Leaves out "just a reminder:". */
export function withoutReminder(text: string): string {
  return text.slice(REMINDER().exec(text.toLowerCase())?.[0].length ?? 0);
}

/** A sentence on one line, without the words around it. */
export function bare(sentence: string): string {
  return withoutReminder(sentence)
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\s.!?。！？]+$/u, "")
    .replace(LEAD_IN, "")
    .replace(POLITE_END, "");
}

/** Removes the framing that capture adds around the user's own words. */
export function unquoted(body: string): string {
  return body.replace(/^In the user['’]s words:\s*["“]([\s\S]*?)["”]\s*$/u, "$1").replace(/^The user says:\s*/u, "");
}

/** Leaves out the date that was added to a day and month: "March 14 (2027-03-14)". */
export function withoutAdded(body: string): string {
  if (!HAS_DATE.test(body)) return body;
  const small = lower(body);
  const dates = [...small.matchAll(DATED_DAY())].map(({ index, groups = {}, 0: found }) => {
    const end = index + found.length;
    return { from: index + (groups["day"]?.length ?? 0), to: end };
  });
  return dates.toReversed().reduce((text, { from, to }) => text.slice(0, from) + text.slice(to), body);
}

/** Few texts have a date, and to read the days and months of a long one takes time. */
const HAS_DATE = /[(（]\d{4}-/u;

const DATED_DAY = once(() => {
  const day = String.raw`\d{1,2}(?:\.|st|nd|rd|th|er|º)?`;
  const either = String.raw`${MONTH}+ ${day}|${day} (?:d[aeiou]l? |of )?${MONTH}+|\d[日号일]`;
  return new RegExp(String.raw`(?<day>${either})\s?[(（]\d{4}-\d\d-\d\d[)）]`, "gu");
});

interface Timeless {
  readonly text: string;
  /** It says since when it holds. */
  readonly isSince: boolean;
}

/** Leaves out when a change was made: "last week", "as of Monday". */
export function withoutWhen(text: string): Timeless {
  const whole = sentenceWithoutWhen(text);
  const texts = whole.text.split(PARTS);
  if (texts.length === 1) return whole;
  const parts = texts.map(partWithoutWhen);
  return { text: parts.map((part) => part.text).join(" "), isSince: [whole, ...parts].some(({ isSince }) => isSince) };
}

const PARTS = /(?<=[,;.!?]) /u;

function partWithoutWhen(part: string): Timeless {
  const end = /[,;.!?]*$/u.exec(part)?.[0] ?? "";
  const { text, isSince } = sentenceWithoutWhen(part.slice(0, part.length - end.length));
  return { text: text + end, isSince };
}

function sentenceWithoutWhen(sentence: string): Timeless {
  if (!namesMoment(sentence)) return { text: sentence, isSince: false };
  const small = lower(sentence);
  for (const at of [0, ...lastPlaces(small)])
    for (const [pattern, isSince] of WHEN()) {
      const found = lengthOfWhen(pattern, small, at);
      if (found === undefined) continue;
      const text = sentence.slice(0, at) + sentence.slice(at + found);
      // A single word that is left ("released" of "released yesterday") is not a statement.
      if (text !== "" && text.includes(" ") === sentence.includes(" ")) return { text, isSince };
    }
  return { text: sentence, isSince: false };
}

/** The characters of a moment with which a sentence begins or ends. */
function lengthOfWhen(pattern: RegExp, small: string, at: number): number | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(small);
  const { from, onward, gap } = found?.groups ?? {};
  if (found === null || (from !== undefined && onward === undefined)) return undefined;
  return (gap === undefined) === at > 0 ? found[0].length : undefined;
}

/** Where the last words of a sentence may begin. An expression that has to search for it takes long to compile. */
function lastPlaces(sentence: string): readonly number[] {
  return [...sentence.matchAll(/,? +/gu)].map(({ index }) => index).slice(-LAST_WORDS);
}

const LAST_WORDS = 9;

/**
 * In small letters, every character at its place, and for each letter of the name of a day or a month one sign, so that
 * no expression has to know the names.
 */
function lower(text: string): string {
  const small = text.toLowerCase();
  if (small.length !== text.length) return text;
  return small.replace(/\p{L}+/gu, (word) => {
    const sign = signOf(word);
    return sign === undefined ? word : sign.repeat(word.length);
  });
}

function signOf(word: string): string | undefined {
  const kind = valueNamed(word)?.kind;
  return kind === "day" ? DAY : kind === "month" ? MONTH : undefined;
}

const DAY = "\u0001";
const MONTH = "\u0002";

/** Tells most sentences from those worth the expressions. */
function namesMoment(sentence: string): boolean {
  if (UNSPACED.test(sentence) || /\d/u.test(sentence)) return true;
  return (sentence.toLowerCase().match(/\p{L}+/gu) ?? []).some(
    (word) => signOf(word) !== undefined || HEADS().get(word).length > 0,
  );
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}]/u;
const HEADS = once(() => new Names(when.heads.map((names) => [names, true])));

/** Small letters of the scripts with spaces: a class of all letters takes a hundred times as long to compile. */
const LETTER = "[a-z\u00DF-\u024F\u0430-\u045F]";

/** A date that was added to words that mean one: " (2026-11-17)". */
const ADDED = String.raw`(?: \((?:week of )?\d{4}(?:-[\dqw]+)*\))?`;

/** Each with whether it says since when something holds. What follows a moment is `gap`, unless a sentence ends there. */
const WHEN = once((): readonly (readonly [RegExp, isSince: boolean])[] => {
  const times = `(?:${when.times.join("|").replaceAll("DAY", `${DAY}+`).replaceAll("MONTH", `${MONTH}+`)})`;
  const moment = String.raw`(?:${times}|(?:le |el |il |dem )?${DAY}+|${MONTH}+(?: \d{1,4}(?:st|nd|rd|th)?)?|\d{4}|v?\d+\.\d[\d.]*)`;
  const since = String.raw`(?:${when.since}|(?<from>${when.from})) ${moment}${ADDED}(?<onward> (?:${when.after}))?`;
  const at = `${times}(?:${when.after})?${ADDED}`;
  const end = `(?:$|(?!${LETTER})(?<gap>[,:]? +))`;
  const unspaced = `(?:${when.unspaced})${ADDED.replaceAll("\\(", "[(（]")}(?<gap>[,，、]?)`;
  return [
    [new RegExp(`(?:,? +)?${since}${end}`, "y"), true],
    [new RegExp(`(?:,? +)?${at}${end}`, "y"), false],
    [new RegExp(unspaced, "y"), true],
  ];
});
