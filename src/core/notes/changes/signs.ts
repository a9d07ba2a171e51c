import { once } from "../../shared/once.ts";
import { Names, type Row } from "./named-words.ts";
import lists from "./signs.json" with { type: "json" };

const SIGNS = [
  "over",
  "departed",
  "instead",
  "moved",
  "since",
  "adjusted",
  "reversed",
  "unsure",
  "hearsay",
  "reason",
  "detail",
  "other",
  "restated",
  "pointing",
  "planned",
  "fresh",
  "back",
  "allowed",
  "stays",
] as const;

/** What a statement may say about an earlier one, by the word lists in `signs.json`. */
export type SignName = (typeof SIGNS)[number];

/** Something is over, has another place, another measure, another person. */
export const SIGNS_OF_CHANGE: readonly SignName[] = [
  "over",
  "instead",
  "moved",
  "adjusted",
  "reversed",
  "departed",
  "back",
];

/** The signs in a lower-case text without apostrophes; "no more than four" is not a sign. */
export function signsIn(folded: string): ReadonlySet<SignName> {
  const found = new Set<SignName>();
  const words = wordsOf(folded);
  for (let at = 0; at < words.length; at++) {
    const phrases = PHRASES().get(words[at] ?? "");
    const unsaid = phrases.find((phrase) => phrase.sign === undefined && isAt(phrase.rest, words, at + 1));
    if (unsaid !== undefined) at += unsaid.rest.length;
    else for (const { sign, rest } of phrases) if (sign !== undefined && isAt(rest, words, at + 1)) found.add(sign);
  }
  if (UNSPACED.test(folded))
    for (const [sign, pattern] of UNSPACED_PHRASES()) if (pattern.test(folded)) found.add(sign);
  return found;
}

interface Phrase {
  /** `undefined` for a phrase that only looks like a sign. */
  readonly sign: SignName | undefined;
  /** The words after the first. */
  readonly rest: readonly string[];
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "");
}

function phrasesOf(rows: readonly string[]): readonly string[] {
  return rows.flatMap((row) => row.split("|"));
}

const PHRASES = once(
  () => new Names([...SIGNS.flatMap((sign) => rowsOf(lists[sign], sign)), ...rowsOf(lists.unsaid, undefined)]),
);

function rowsOf(rows: readonly string[], sign: SignName | undefined): readonly Row<Phrase>[] {
  return phrasesOf(rows).flatMap((phrase): Row<Phrase>[] => {
    const [first, ...rest] = phrase.split(/[ -]/u);
    return first === undefined || UNSPACED.test(phrase) ? [] : [[first, { sign, rest }]];
  });
}

/** `*` alone stands for one to this many words. */
const WIDEST = 4;

function isAt([wanted, ...rest]: readonly string[], words: readonly string[], at: number): boolean {
  if (wanted === undefined) return true;
  if (wanted === "*")
    return Array.from({ length: WIDEST }, (_, gap) => at + 1 + gap).some((next) => isAt(rest, words, next));
  const word = words[at];
  const isWord = wanted.endsWith("*") ? word?.startsWith(wanted.slice(0, -1)) : word === wanted;
  return isWord === true && isAt(rest, words, at + 1);
}

/** In scripts without spaces a phrase may begin anywhere. */
const UNSPACED_PHRASES = once(() =>
  SIGNS.map((sign) => {
    const sources = phrasesOf(lists[sign])
      .filter((phrase) => UNSPACED.test(phrase))
      .map((phrase) => phrase.replaceAll("*", ".{1,8}"));
    return [sign, new RegExp(sources.length === 0 ? "(?!)" : sources.join("|"), "u")] as const;
  }),
);
