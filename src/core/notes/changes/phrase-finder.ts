import { once } from "../../shared/once.ts";
import { Names, pushTo, type Row } from "./named-words.ts";

/** A phrase that was found. */
export interface FoundPhrase<T> {
  readonly of: T;
  /** The number of its first word; -1 in scripts without spaces. */
  readonly at: number;
}

interface Phrase<T> {
  /** `undefined` for a phrase that only looks like another. */
  readonly of: T | undefined;
  /** The words after the first, with a space before each. */
  readonly rest: string;
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/**
 * Finds phrases in lower-case text without apostrophes. Rows separate phrases by `|`; `*` stands for any ending of a
 * word, and alone for one to four words. A phrase of `undefined` keeps those that begin within it from being found.
 */
export class Phrases<T> {
  readonly #spaced: Names<Phrase<T>>;
  readonly #unspaced: () => readonly (readonly [of: T | undefined, pattern: RegExp])[];

  constructor(rows: readonly (readonly [phrases: string, of: T | undefined])[]) {
    const spaced: Row<Phrase<T>>[] = [];
    const unspaced = new Map<number, string[]>();
    for (const [at, [phrases, of]] of rows.entries())
      for (const phrase of phrases.split("|")) {
        const end = phrase.search(/[ -]|$/u);
        if (UNSPACED.test(phrase)) pushTo(unspaced, at, phrase);
        else spaced.push([phrase.slice(0, end), { of, rest: phrase.slice(end) }]);
      }
    this.#spaced = new Names(spaced);
    this.#unspaced = once(() =>
      Array.from(unspaced, ([at, phrases]) => [rows[at]?.[1], new RegExp(sourceOf(phrases), "gu")] as const),
    );
  }

  in(folded: string): readonly FoundPhrase<T>[] {
    const found: FoundPhrase<T>[] = [];
    const words = wordsOf(folded);
    for (let at = 0; at < words.length; at++) {
      const phrases = this.#spaced.get(words[at] ?? "").filter(({ rest }) => isAt(wordsIn(rest), 0, words, at + 1));
      const unsaid = phrases.find(({ of }) => of === undefined);
      if (unsaid !== undefined) at += wordsIn(unsaid.rest).length;
      else for (const { of } of phrases) if (of !== undefined) found.push({ of, at });
    }
    return UNSPACED.test(folded) ? [...found, ...this.#within(folded)] : found;
  }

  /** In scripts without spaces a phrase may begin anywhere. */
  #within(folded: string): readonly FoundPhrase<T>[] {
    let text = folded;
    for (const [of, pattern] of this.#unspaced()) if (of === undefined) text = text.replace(pattern, " ");
    return this.#unspaced().flatMap(([of, pattern]) =>
      of === undefined ? [] : Array.from(text.matchAll(pattern), () => ({ of, at: -1 })),
    );
  }
}

function sourceOf(phrases: readonly string[]): string {
  return phrases.map((phrase) => phrase.replaceAll("*", ".{1,8}")).join("|");
}

const NONE: readonly string[] = [];
const split = new Map<string, readonly string[]>();

/** Most phrases are never needed, so they are taken apart when they are. */
function wordsIn(rest: string): readonly string[] {
  if (rest === "") return NONE;
  const words = split.get(rest) ?? rest.slice(1).split(/[ -]/u);
  split.set(rest, words);
  return words;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== "");
}

/** `*` alone stands for one to this many words. */
const WIDEST = 4;

function isAt(phrase: readonly string[], from: number, words: readonly string[], at: number): boolean {
  const wanted = phrase[from];
  if (wanted === undefined) return true;
  if (wanted === "*") {
    for (let gap = 1; gap <= WIDEST; gap++) if (isAt(phrase, from + 1, words, at + gap)) return true;
    return false;
  }
  const word = words[at];
  const isWord = wanted.endsWith("*") ? word?.startsWith(wanted.slice(0, -1)) : word === wanted;
  return isWord === true && isAt(phrase, from + 1, words, at + 1);
}
