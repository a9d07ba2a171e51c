import { once } from "../../shared/once.ts";
import { anyOf, firstNames, Names, type Row } from "./named-words.ts";
import lists from "./synonyms.json" with { type: "json" };

/** The rows of interchangeable words that a lower-case word is in. */
export function synonymsOf(lower: string): readonly number[] {
  return OF_WORDS().get(lower);
}

/** A Chinese or Japanese text with the first of each row of interchangeable strings in the place of the others. */
export function withFirstSynonyms(text: string): string {
  if (!HAN.test(text)) return text;
  const { pattern, first } = (KANA.test(text) ? JAPANESE : CHINESE)();
  return text.replace(pattern, (found) => first.get(found) ?? found);
}

const HAN = /\p{sc=Han}/u;
const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;

const OF_WORDS = once(() => new Names(lists.words.map((row, at): Row<number> => [row, at])));
const CHINESE = once(() => firstOf(lists.chinese));
const JAPANESE = once(() => firstOf(lists.japanese));

function firstOf(rows: readonly string[]): { readonly pattern: RegExp; readonly first: ReadonlyMap<string, string> } {
  const first = firstNames(rows, { separator: "|" });
  return { pattern: new RegExp(anyOf(first.keys()), "gu"), first };
}
