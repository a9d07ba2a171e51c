import { once } from "../../shared/once.ts";
import list from "./sentence-ends.json" with { type: "json" };

/** The words as alternatives: the first letter in either case, and a space after a point is optional. */
function anyOf(words: string): string {
  return words
    .split("|")
    .map((word) => {
      const first = word.charAt(0);
      return `[${first}${first.toUpperCase()}]${word.slice(1)}`.replaceAll(".", String.raw`\.`);
    })
    .join("|");
}

/** Not within a word, and not after a number, where "ms" is a unit. */
const WORD = String.raw`(?<![\p{L}\p{M}\p{N}.'’]|\d\s)`;

/**
 * For use right after a mark that may end a sentence; does not match after the point of an abbreviation, an initial or
 * an ordinal ("am 1. Mai"). Where both are possible, the sentence goes on: joined is better than cut. Needs the flag u.
 * Patterns with it take a millisecond to make, so they are made on first use: hooks load them and use few.
 */
export const REAL_END = [
  String.raw`(?<!${WORD}(?:${anyOf(list.inner)})\.)(?!(?<=${WORD}\p{Lu}\.)\s+\p{Lu})`,
  String.raw`(?!(?<=${WORD}(?:${anyOf(list.numbered)})\.)\s*\d)`,
  String.raw`(?!(?<=${WORD}(?:${anyOf(list.final)})\.)[)\]]?\s+[\p{Ll}\p{N}])`,
  // "z. B.", "5 p.m. in", "p. ex.": letters with points.
  String.raw`(?!(?<=(?<![\p{L}'’])\p{L}\.)\s\p{L}\.)`,
  String.raw`(?!(?<=(?<![\p{L}\p{N}.'’])(?:(?:\p{L}\.\s?){1,3}\p{L}|\p{Ll})\.)[)\]]?\s+[\p{Ll}\p{N}])`,
  // A number after a word that stands before an ordinal, or before one that stands after it, or before an item.
  String.raw`(?!(?<=(?:^|[^\p{L}\p{N}.,:_-])\d{1,2}\.)\s+(?:(?:${anyOf(list.months)})\p{L}*|(?:${anyOf(list.ordinalBefore)})(?!\p{L})))`,
  String.raw`(?<!(?<!\p{L})(?:${anyOf(list.ordinalAfter)})\s\d{1,2}\.)(?<!(?:^|[.!?]\s)\s{0,8}\d{1,2}\.)`,
].join("");

/** The white space after a sentence, or nothing after a full stop of Chinese or Japanese. */
export const sentenceEnd = once(() => new RegExp(String.raw`(?<=[.!?])(?=\s)${REAL_END}\s+|(?<=[。！？])`, "u"));
