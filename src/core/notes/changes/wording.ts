import concepts from "./concepts.json" with { type: "json" };
import signs from "./signs.json" with { type: "json" };
import values from "./values.json" with { type: "json" };
import announced from "./announced.json" with { type: "json" };
import { readOnce } from "../../shared/recent.ts";
import { stem } from "../terms.ts";
import { JOINTS, LIGHT, SETTINGS } from "./phrases.ts";
import { kindOf } from "./relations.ts";

export type WordKind = "number" | "day" | "month" | "time" | "code" | "name" | "word";

export interface Word {
  readonly term: string;
  readonly lower: string;
  readonly kind: WordKind;
  readonly isLight: boolean;
  readonly setting: string | undefined;
  readonly tool: string | undefined;
  readonly concepts: readonly number[];
  /** The word before it. */
  readonly previous: string;
}

export interface Wording {
  readonly words: readonly Word[];
  readonly content: readonly Word[];
  readonly plain: readonly string[];
  readonly signs: ReadonlySet<string>;
  readonly firstSigns: ReadonlySet<string>;
  readonly grams: ReadonlySet<string>;
  readonly isNegative: boolean;
  readonly isQuestion: boolean;
  readonly sentences: number;
  readonly length: number;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const HANGUL = /\p{sc=Hangul}/u;

const TOKEN =
  /`([^`\n]{1,80})`|([\p{sc=Katakana}ー]{2,})|([\p{sc=Han}\p{sc=Hiragana}ー]+)|(\p{sc=Hangul}+)|(\d{1,2}[:h]\d{2}(?!\d)|\d{1,2} ?(?:am|pm|uhr)(?!\p{L}))|(\d[\d.,]*)|((?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}\p{N}\p{M}_./@#+$~'’:-])+)/giu;

export const wordingOf = readOnce(read);

function read(text: string): Wording {
  const words = wordsIn(text.slice(0, 600));
  const folded = fold(text.slice(0, 600));
  return {
    words,
    content: words.filter(({ isLight }) => !isLight),
    plain: words.map(({ lower }) => lower),
    signs: new Set(SIGNS().filter(([, pattern]) => pattern.test(folded)).map(([name]) => name)),
    firstSigns: new Set(SIGNS().filter(([, pattern]) => pattern.test(folded.slice(0, 30))).map(([name]) => name)),
    grams: gramsOf(folded),
    isNegative: NEGATIVE.test(folded),
    isQuestion: /[?？]/u.test(text),
    sentences: text.split(/[.!?;]\s+\S|[。！？；]/u).length,
    length: words.length,
  };
}

const NEGATIVE =
  /(?<!\p{L})(?:not|no|never|dont|doesnt|isnt|arent|cant|cannot|wont|without|stop|avoid|nicht|kein\p{L}*|nie|niemals|ohne|ne|pas|jamais|sans|nunca|sin|não|nao|sem|non|mai|senza|niet|geen|nooit|zonder|nie|bez|nigdy|не|нет|без|никогда|нельзя)(?!\p{L})|不|别|禁止|没|ない|ません|禁|않|안 |없/u;

function fold(text: string): string {
  return text.toLowerCase().replace(/['’`]/gu, "").replace(/\s+/gu, " ");
}

function wordsIn(text: string): readonly Word[] {
  const found: Word[] = [];
  let previous = "";
  let isFirst = true;
  const push = (written: string, kind: WordKind | undefined, term?: string): void => {
    const word = wordOf(written, kind, term, previous, isFirst);
    if (word !== undefined) {
      found.push(word);
      previous = word.lower;
    }
    isFirst = false;
  };
  for (const match of text.matchAll(TOKEN)) {
    const [all, code, katakana, unspaced, hangul, time, number, plain] = match;
    const before = text.slice(Math.max(0, match.index - 2), match.index);
    if (/[.!?]\s$/u.test(before)) isFirst = true;
    if (code !== undefined) push(code, "code");
    else if (katakana !== undefined) push(katakana, "name");
    else if (unspaced !== undefined) pieces(unspaced, push);
    else if (hangul !== undefined) push(hangul, undefined, hangul.slice(0, Math.max(2, hangul.length - 1)));
    else if (time !== undefined) push(time, "time");
    else if (number !== undefined) push(number, "number", number.replace(/[.,]$/u, "").replace(/[.,](?=\d{3}(?!\d))/gu, ""));
    else if (plain !== undefined) for (const part of partsOf(plain)) push(part, undefined);
    void all;
  }
  return found;
}

function pieces(run: string, push: (written: string, kind: WordKind | undefined, term?: string) => void): void {
  let rest = run;
  for (const [name, kind, term] of UNSPACED_VALUES())
    if (rest.includes(name)) {
      push(name, kind, term);
      rest = rest.replaceAll(name, " ");
    }
  for (const part of rest.split(" ")) {
    const kanji = part.match(/\p{sc=Han}+/gu) ?? [];
    for (const one of kanji)
      if (one.length === 1) push(one, undefined);
      else for (let at = 0; at + 1 < one.length; at++) push(one.slice(at, at + 2), undefined);
  }
}

function partsOf(plain: string): readonly string[] {
  const word = plain.replace(/^['’.:/-]+|['’.,:/-]+$/gu, "");
  if (/[@#_]|\/|\.\p{L}|\d/u.test(word)) return [word];
  return word.split("-");
}

function wordOf(
  written: string,
  given: WordKind | undefined,
  term: string | undefined,
  previous: string,
  isFirst: boolean,
): Word | undefined {
  const lower = written.toLowerCase().replace(/['’]s$/u, "").replace(/['’]/gu, "");
  if (lower === "") return undefined;
  const value = given === undefined ? valueOf(lower) : undefined;
  const kind = given ?? value?.kind ?? kindOfWord(written, isFirst);
  const isPlain = kind === "word" || kind === "name";
  return {
    term: term ?? value?.term ?? (isPlain && /^[a-z]+$/u.test(lower) ? stem(lower) : lower.replace(/ /gu, "")),
    lower,
    kind,
    isLight: kind === "word" && isLightWord(lower),
    setting: SETTING.get(lower),
    tool: kindOf([{ written }])?.kind,
    concepts: isPlain ? conceptsOf(lower) : [],
    previous,
  };
}

function isLightWord(lower: string): boolean {
  return (
    LIGHT.has(lower) || JOINTS.has(lower) || OTHER_LIGHT.has(lower) || (lower.length < 2 && !UNSPACED.test(lower))
  );
}

const OTHER_LIGHT: ReadonlySet<string> = new Set(announced.light.split(" "));

function kindOfWord(written: string, isFirst: boolean): WordKind {
  if (/\d|[@#_/]|\.\p{L}|\p{Ll}\p{Lu}/u.test(written)) return "code";
  if (/^\p{Lu}{2,}$/u.test(written)) return "name";
  return !isFirst && /^\p{Lu}\p{L}/u.test(written) ? "name" : "word";
}

const SETTING: ReadonlyMap<string, string> = new Map(
  SETTINGS.flatMap(({ of, words }) => words.split(" ").map((word) => [word, of] as const)),
);

interface Value {
  readonly kind: WordKind;
  readonly term: string;
}

interface Names<T> {
  readonly whole: ReadonlyMap<string, T>;
  readonly prefixes: readonly (readonly [string, T])[];
}

function namesOf<T>(rows: readonly (readonly [string, T])[]): Names<T> {
  const all = rows.flatMap(([names, value]) => names.split("|").map((name) => [name, value] as const));
  return {
    whole: new Map(all.filter(([name]) => !name.endsWith("*"))),
    prefixes: all.filter(([name]) => name.endsWith("*")).map(([name, value]) => [name.slice(0, -1), value]),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}

const VALUES = once(() =>
  namesOf<Value>([
    ...values.day.map((row, at): [string, Value] => [row, { kind: "day", term: `day ${at}` }]),
    ...values.month.map((row, at): [string, Value] => [row, { kind: "month", term: `month ${at}` }]),
    ...values.number.map((row, at): [string, Value] => [row, { kind: "number", term: `${at}` }]),
    ...values.tens.map((row, at): [string, Value] => [row, { kind: "number", term: `${20 + 10 * at}` }]),
  ]),
);

/** One-letter articles are numbers too often to be told apart. */
const ARTICLES: ReadonlySet<string> = new Set("ein eine einer einen einem".split(" "));

function valueOf(lower: string): Value | undefined {
  if (ARTICLES.has(lower)) return undefined;
  const names = VALUES();
  return names.whole.get(lower) ?? names.prefixes.find(([prefix]) => prefix.length > 2 && lower.startsWith(prefix))?.[1];
}

const UNSPACED_VALUES = once(() =>
  [...VALUES().whole].flatMap(([name, { kind, term }]): [string, WordKind, string][] =>
    UNSPACED.test(name) && name.length > 1 ? [[name, kind, term]] : [],
  ),
);

interface ConceptTable {
  readonly byWord: ReadonlyMap<string, readonly number[]>;
  readonly byStart: ReadonlyMap<string, readonly (readonly [string, number])[]>;
}

const CONCEPTS = once((): ConceptTable => {
  const byWord = new Map<string, number[]>();
  const byStart = new Map<string, [string, number][]>();
  for (const [at, row] of concepts.rows.entries())
    for (const name of row.split("|"))
      if (name.endsWith("*")) {
        const prefix = name.slice(0, -1);
        const key = prefix.slice(0, 2);
        byStart.set(key, [...(byStart.get(key) ?? []), [prefix, at]]);
      } else byWord.set(name, [...(byWord.get(name) ?? []), at]);
  return { byWord, byStart };
});

function conceptsOf(lower: string): readonly number[] {
  const { byWord, byStart } = CONCEPTS();
  const found = [...(byWord.get(lower) ?? [])];
  for (const [prefix, at] of byStart.get(lower.slice(0, 2)) ?? []) if (lower.startsWith(prefix)) found.push(at);
  return found;
}

const SIGNS = once((): readonly (readonly [string, RegExp])[] =>
  Object.entries(signs).flatMap(([name, rows]): [string, RegExp][] =>
    typeof rows === "string" ? [] : [[name, patternOf(rows.flatMap((row) => row.split("|")))]],
  ),
);

function patternOf(phrases: readonly string[]): RegExp {
  const bounded: string[] = [];
  const free: string[] = [];
  for (const phrase of phrases) {
    const source = phrase
      .replaceAll(/[.+?^${}()|[\]\\]/gu, "\\$&")
      .replaceAll(" * ", " (?:\\S+ ){1,4}?")
      .replaceAll(/(?<=\S)\*(?=\S)/gu, ".{1,8}")
      .replaceAll(/(?<=\S)\*/gu, "\\p{L}*")
      .replaceAll(/-/gu, "[- ]");
    (UNSPACED.test(phrase) || HANGUL.test(phrase) ? free : bounded).push(source);
  }
  const parts = [`(?<![\\p{L}\\p{N}])(?:${bounded.join("|")})(?![\\p{L}\\p{N}])`, ...free];
  return new RegExp(parts.join("|"), "u");
}

function gramsOf(folded: string): ReadonlySet<string> {
  const grams = new Set<string>();
  const size = UNSPACED.test(folded) ? 2 : 4;
  const text = folded.replace(/[^\p{L}\p{N}]+/gu, " ");
  for (let at = 0; at + size <= text.length; at++) grams.add(text.slice(at, at + size));
  return grams;
}
