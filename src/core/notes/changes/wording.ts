import { once, readOnce } from "../../shared/once.ts";
import { stem } from "../terms.ts";
import { withoutReminder, withoutWhen } from "./framing.ts";
import { mattersOf, UNSPACED_VALUES, valueNamed } from "./named-words.ts";
import { withDurations } from "./periods.ts";
import { CAPITAL_SETTINGS, JOINTS, LIGHT, SETTINGS } from "./phrases.ts";
import { type Stance, stanceOf, withoutPortugueseNo } from "./poles.ts";
import { rejectedIn } from "./rejected.ts";
import { kindOf } from "./relations.ts";
import { type SignName, signsIn } from "./signs.ts";
import { synonymsOf, withFirstSynonyms } from "./synonyms.ts";
import lists from "./values.json" with { type: "json" };

export type WordKind = "number" | "day" | "month" | "time" | "code" | "name" | "word";

/** A word, with what is needed to compare two statements. */
export interface Word {
  /** Used for comparison: the stem of an English word, a number in digits, the place of a day in the week. */
  readonly term: string;
  readonly lower: string;
  readonly kind: WordKind;
  /** Begins with a capital letter; of the first word of a sentence this says little. */
  readonly isCapital: boolean;
  /** "Alice's" */
  readonly isOwner: boolean;
  /** Carries no meaning of its own. */
  readonly isLight: boolean;
  /** The kind of environment, place, component, people or condition that it names. */
  readonly setting: string | undefined;
  readonly tool: string | undefined;
  /** Of a number and its unit of time. */
  readonly duration?: string;
  readonly matters: readonly number[];
  /** The rows of interchangeable words that it is in. */
  readonly synonyms: readonly number[];
}

export interface Wording {
  readonly words: readonly Word[];
  /** The words that are not light, without duplicates. */
  readonly content: readonly Word[];
  readonly signs: ReadonlySet<SignName>;
  /** Signs in its first words. */
  readonly firstSigns: ReadonlySet<SignName>;
  /** Substrings of four characters; of two in scripts without spaces. */
  readonly grams: ReadonlySet<string>;
  readonly isNegative: boolean;
  readonly stance: () => Stance;
  readonly isQuestion: boolean;
  /** It ends as a question, and does not answer one: "Isn't it Rita?" */
  readonly isAsking: boolean;
  readonly isQuoting: boolean;
  /** It is German. */
  readonly capitalsAreNouns: boolean;
  readonly sentences: number;
  /** Its parts between punctuation marks, without when a change was made. */
  readonly clauses: () => readonly Wording[];
  /** Terms of the words that it turns down: "Black" of "Ruff, not Black". */
  readonly rejected: () => ReadonlySet<string>;
}

/** A longer text is an account, not a statement (characters). */
const LONGEST = 600;

const FIRST_CHARACTERS = 30;

export const wordingOf: (text: string) => Wording = readOnce(readWording);

function readWording(body: string): Wording {
  const text = withoutReminder(body).slice(0, LONGEST);
  const { text: lasting } = withoutWhen(text.replace(/[.!?。！？]+$/u, ""));
  const words = withDurations(
    wordsIn(withFirstSynonyms(lasting).replaceAll(NO_NUMBERS, "").replaceAll(PER_UNIT, " per ")),
  );
  const folded = text
    .toLowerCase()
    .replaceAll(/(?<!\p{L})n['’]/gu, "n ")
    .replaceAll(/['’`]/gu, "")
    .replaceAll(/\s+/gu, " ");
  const isPreposition = (lower: string): boolean => lower === "no" && withoutPortugueseNo(folded) !== folded;
  return {
    words,
    content: [...new Map(words.filter((word) => !word.isLight).map((word) => [word.term, word])).values()],
    isQuoting: QUOTED.test(text),
    signs: signsIn(
      MAY.test(text) ? folded.replaceAll(/(?<= )may(?![\p{L}])/gu, "") : folded.replaceAll(PERMISSION, ""),
    ),
    firstSigns: signsIn(folded.slice(0, FIRST_CHARACTERS)),
    grams: gramsOf(withFirstSynonyms(folded)),
    isNegative:
      words.some(({ lower }) => NEGATIONS.has(lower) && !isPreposition(lower)) || UNSPACED_NEGATION.test(folded),
    stance: once(() => stanceOf(folded)),
    isQuestion: /[?？]/u.test(text),
    isAsking: /[\p{L}\p{N}][?？]$/u.test(text.trim()),
    capitalsAreNouns: words.some(({ lower }) => GERMAN.has(lower)),
    sentences: text.split(/[.!?;]\s+\S|[。！？；]/u).length,
    rejected: once(() => new Set(rejectedIn(text).flatMap((what) => wordsIn(what).map(({ term }) => term)))),
    clauses: once(() => lasting.split(CLAUSE_ENDS).map(wordingOf)),
  };
}

/** A quotation. In quotation marks, a shorter text may be a name. */
const QUOTED = /["“«„][^"”»“]{20,}["”»“]/u;

/** "May no longer", "may not": what is allowed, not a doubt. */
const PERMISSION = /(?<= )may (?=(?:no longer|not|never|only)(?!\p{L}))/gu;

/** The month, not a doubt. */
const MAY = /(?<=[\p{L}\p{N},] )May(?!\p{L})/u;

const CLAUSE_ENDS = /[,;:.!?](?=\s)|[，；：。！？、]/u;

/** "100 requests/min" */
const PER_UNIT = new RegExp(
  `(?<=\\d[^\\s/]* ?\\p{L}+)/(?=(?:${lists["per units"].replaceAll(" ", "|")})(?![\\p{L}\\p{N}/]))`,
  "giu",
);

const NO_NUMBERS = new RegExp(lists["no numbers"], "giu");

export const NEGATIONS: ReadonlySet<string> = new Set(lists.negations.split(" "));

const GERMAN: ReadonlySet<string> = new Set(lists.german.split(" "));

const UNSPACED_NEGATION = new RegExp(lists["unspaced negations"], "u");

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

function gramsOf(folded: string): ReadonlySet<string> {
  const size = UNSPACED.test(folded) ? 2 : 4;
  const text = folded.replaceAll(/[^\p{L}\p{N}]+/gu, " ");
  const grams = new Set<string>();
  for (let at = 0; at + size <= text.length; at++) grams.add(text.slice(at, at + size));
  return grams;
}

const TOKEN =
  /`(?<code>[^`\n]{1,80})`|(?<katakana>[\p{sc=Katakana}ー]{2,})|(?<unspaced>[\p{sc=Han}\p{sc=Hiragana}ー]+)|(?<hangul>\p{sc=Hangul}+)|(?<time>\d{1,2}[:h]\d{2}(?!\d)(?: ?(?:am|pm)(?!\p{L}))?|\d{1,2} ?(?:am|pm|uhr)(?!\p{L}))|(?<number>\d[\d.,]*)|(?<plain>(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}\p{N}\p{M}_./@#+$~'’:-])+)/giu;

function wordsIn(text: string): readonly Word[] {
  const isForeign = foreignValues(text);
  return [...text.matchAll(TOKEN)].flatMap(({ groups = {}, index }): Word[] => {
    const { code, katakana, unspaced, hangul, time, number, plain } = groups;
    if (code !== undefined) return [wordOf(code, "code")];
    if (katakana !== undefined) return [wordOf(katakana, "name")];
    if (unspaced !== undefined) return wordsWithin(unspaced);
    if (hangul !== undefined) return [wordOf(hangul, undefined, hangul.slice(0, Math.max(2, hangul.length - 1)))];
    if (time !== undefined) return [wordOf(time, "time", timeOf(time.toLowerCase()))];
    if (number !== undefined) return [wordOf(number.replace(/[.,]+$/u, ""), "number", digitsOf(number))];
    const isFirst = index === 0 || /[.!?]\s$/u.test(text.slice(0, index));
    return partsOf(plain ?? "").flatMap((part, at) =>
      part === "" ? [] : [plainWord(part, isFirst && at === 0, isForeign(part.toLowerCase()))],
    );
  });
}

/** Whether a word that names a value is none in the language of a text: "due" is two in Italian alone, "onze" not eleven in Dutch. */
function foreignValues(text: string): (lower: string) => boolean {
  const isIn = LANGUAGES.map(({ told }) => once(() => told.test(text.toLowerCase())));
  return (lower) =>
    LANGUAGES.some(({ only, none }, at) => (only.has(lower) && !isIn[at]?.()) || (none.has(lower) && isIn[at]?.()));
}

const LANGUAGES = lists["values of languages"].map((row) => ({
  told: new RegExp(`(?<!\\p{L})(?:${row["told by"].replaceAll(" ", "|")})(?!\\p{L})`, "u"),
  only: new Set(row["only there"].split(" ")),
  none: new Set(row["not there"].split(" ")),
}));

/** "2am" and "02:00", "9 Uhr" and "9:00" are the same time. */
function timeOf(time: string): string {
  const [hours = 0, minutes = 0] = (time.match(/\d+/gu) ?? []).map(Number);
  const half = time.endsWith("pm") && hours < 12 ? 12 : time.endsWith("am") && hours === 12 ? -12 : 0;
  return `${hours + half}:${String(minutes).padStart(2, "0")}`;
}

function digitsOf(number: string): string {
  return number.replace(/[.,]+$/u, "").replaceAll(/[.,](?=\d{3}(?!\d))/gu, "");
}

/** Names of values, then pairs of characters. */
function wordsWithin(run: string): Word[] {
  const found: Word[] = [];
  let rest = run;
  for (const [name, { kind, term }] of UNSPACED_VALUES()) {
    if (!rest.includes(name)) continue;
    found.push(wordOf(name, kind, term));
    rest = rest.replaceAll(name, " ");
  }
  for (const part of rest.match(/\p{sc=Han}+/gu) ?? [])
    for (let at = 0; at === 0 || at + 1 < part.length; at++) found.push(wordOf(part.slice(at, at + 2), undefined));
  return found;
}

/** Splits compounds into parts; the name of a file, a host or a version stays whole. */
function partsOf(plain: string): readonly string[] {
  const word = plain.replaceAll(/^['’.:/-]+|['’.,:/-]+$/gu, "");
  return /[@#_]|\/|\.\p{L}|\d/u.test(word) ? [word] : word.replace(ELIDED, "").split("-");
}

/** The article or preposition of "l'appli", which carries no meaning. */
const ELIDED = new RegExp(`^(?:${lists.elided.replaceAll(" ", "|")})['’](?=\\p{L}{3})`, "iu");

function plainWord(written: string, isFirst: boolean, isForeign: boolean): Word {
  const version = /^v(?<digits>\d[\d.]*)$/iu.exec(written)?.groups?.["digits"];
  if (version !== undefined) return wordOf(written, "number", version);
  // "May" is a month, "may" is not; nor is "mon" of "mon API" a day.
  const isNoValue = isForeign || ONLY_CAPITAL.has(written);
  const value = isNoValue ? undefined : valueNamed(foldedWord(written));
  return value === undefined ? wordOf(written, kindOfWord(written, isFirst)) : wordOf(written, value.kind, value.term);
}

const ONLY_CAPITAL: ReadonlySet<string> = new Set(lists["capital values"].split(" "));

function foldedWord(written: string): string {
  return written
    .toLowerCase()
    .replace(/['’]s$/u, "")
    .replaceAll(/['’]/gu, "");
}

function kindOfWord(written: string, isFirst: boolean): WordKind {
  if (/\d|[@#_/]|\.\p{L}|\p{Ll}\p{Lu}/u.test(written)) return "code";
  // "Client A"
  if (/^\p{Lu}{2,}$/u.test(written) || (!isFirst && /^(?!I)\p{Lu}$/u.test(written))) return "name";
  return !isFirst && /^\p{Lu}\p{L}/u.test(written) ? "name" : "word";
}

function wordOf(written: string, kind: WordKind = "word", term?: string): Word {
  const lower = foldedWord(written);
  const isPlain = kind === "word" || kind === "name";
  return {
    term: term ?? (isPlain && /^[a-z]+$/u.test(lower) ? stem(lower) : lower),
    lower,
    kind,
    isCapital: /^\p{Lu}/u.test(written),
    isOwner: /\p{L}['’]s$/u.test(written),
    isLight: (kind === "word" && isLight(lower)) || (kind === "name" && TITLES.has(lower)),
    setting: settingOf(written, lower),
    tool: kindOf([{ written }])?.kind,
    matters: isPlain ? mattersOf(lower) : [],
    synonyms: isPlain ? synonymsOf(lower) : [],
  };
}

function isLight(lower: string): boolean {
  return LIGHT.has(lower) || JOINTS.has(lower) || MORE_LIGHT.has(lower) || (lower.length < 2 && !UNSPACED.test(lower));
}

/** "Herr" of "Herr Vogt", who is another person than "Frau Brandt". */
const TITLES: ReadonlySet<string> = new Set(lists.titles.split(" "));

const MORE_LIGHT: ReadonlySet<string> = new Set(lists.light.split(" "));

const SETTING: ReadonlyMap<string, string> = new Map(
  SETTINGS.flatMap(({ of, words }) => words.split(" ").map((word) => [word, of] as const)),
);

/** The kind of setting that a word names. "US" is a place, "us" is not; nor is "usa" in Spanish. */
export function settingOf(written: string, lower: string): string | undefined {
  const isOther = CAPITAL_SETTINGS.has(written.toLowerCase()) && !/^\p{Lu}+$/u.test(written);
  return isOther ? undefined : SETTING.get(lower);
}

/** How similar two words are: 1 for the same thing, 0 for unrelated ones. */
export function likeness(one: Word, other: Word): number {
  if (one.term === other.term || areEquallyLong(one, other)) return 1;
  if (!isOfLetters(one) || !isOfLetters(other)) return 0;
  if (areSynonyms(one, other)) return 1;
  if (areOfOneTopic(one, other)) return 0.8;
  // "Elasticsearch" is no kind of search.
  if (one.tool !== other.tool && (one.tool === undefined || other.tool === undefined)) return 0;
  const [short, long] = one.lower.length <= other.lower.length ? [one.lower, other.lower] : [other.lower, one.lower];
  if (short.length < 4) return 0;
  const start = commonStart(short, long);
  if (areInflected(short, long) || areInflected(one.term, other.term)) return 0.8;
  if (short.length < 5) return 0;
  if (long.includes(short)) return isWithinName(one, other) ? 0 : 0.6;
  // Who mistypes a word seldom misses its first letter: "scrypt" is not "bcrypt".
  return start > 0 && isMistyped(short, long, start) ? 0.7 : 0;
}

/** "Fakeredis" is another thing than "Redis"; two nouns with capital letters may be a German word and its compound. */
function isWithinName(one: Word, other: Word): boolean {
  const [name, within] = one.kind === "name" ? [one, other] : [other, one];
  return name.kind === "name" && within.kind === "word" && !within.isCapital && within.lower.endsWith(name.lower);
}

/** "Dev" and "development" */
export function areSynonyms(one: Word, other: Word): boolean {
  return one.synonyms.some((row) => other.synonyms.includes(row));
}

function areEquallyLong(one: Word, other: Word): boolean {
  return one.duration !== undefined && one.duration === other.duration && one.kind === other.kind;
}

/** "DB" and "database", "start" and "run". */
export function areOfOneTopic(one: Word, other: Word): boolean {
  return one.matters.some((matter) => other.matters.includes(matter));
}

export function isOfLetters({ kind }: Word): boolean {
  return kind === "word" || kind === "name";
}

/** "Linting" and "linter". */
function areInflected(one: string, other: string): boolean {
  const start = commonStart(one, other);
  return start >= 4 && start >= Math.max(one.length, other.length) * 0.6;
}

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** Whether the words differ by one extra or changed letter, or by two swapped ones. */
function isMistyped(short: string, long: string, start: number): boolean {
  if (long.length - short.length > 1) return false;
  let end = 0;
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++;
  const apart = long.length - start - end;
  const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start];
  return apart <= 1 || (apart === 2 && short.length === long.length && isSwapped);
}
