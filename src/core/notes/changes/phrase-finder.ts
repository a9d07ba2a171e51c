import { Names, type Row } from "./named-words.ts";

/** A phrase that was found. */
export interface FoundPhrase<T> {
  readonly of: T;
  /** The number of its first word; -1 in scripts without spaces. */
  readonly at: number;
}

interface Phrase<T> {
  /** `undefined` for a phrase that only looks like another. */
  readonly of: T | undefined;
  /** The words after the first. */
  readonly rest: readonly string[];
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

/**
 * Finds phrases in lower-case text without apostrophes. Rows separate phrases by `|`; `*` stands for any ending of a
 * word, and alone for one to four words. A phrase of `undefined` keeps those that begin within it from being found.
 */
export class Phrases<T> {
  readonly #spaced: Names<Phrase<T>>;
  readonly #unspaced: readonly (readonly [of: T | undefined, pattern: RegExp])[];

  constructor(rows: readonly (readonly [phrases: string, of: T | undefined])[]) {
    const all = rows.flatMap(([phrases, of]) => phrases.split("|").map((phrase) => ({ phrase, of })));
    this.#spaced = new Names(
      all.flatMap(({ phrase, of }): Row<Phrase<T>>[] => {
        const [first, ...rest] = phrase.split(/[ -]/u);
        return first === undefined || UNSPACED.test(phrase) ? [] : [[first, { of, rest }]];
      }),
    );
    this.#unspaced = rows.flatMap(([phrases, of]) => {
      const sources = phrases.split("|").filter((phrase) => UNSPACED.test(phrase));
      const source = sources.map((phrase) => phrase.replaceAll("*", ".{1,8}")).join("|");
      return source === "" ? [] : [[of, new RegExp(source, "gu")] as const];
    });
  }

  in(folded: string): readonly FoundPhrase<T>[] {
    const found: FoundPhrase<T>[] = [];
    const words = wordsOf(folded);
    for (let at = 0; at < words.length; at++) {
      const phrases = this.#spaced.get(words[at] ?? "").filter(({ rest }) => isAt(rest, 0, words, at + 1));
      const unsaid = phrases.find(({ of }) => of === undefined);
      if (unsaid !== undefined) at += unsaid.rest.length;
      else for (const { of } of phrases) if (of !== undefined) found.push({ of, at });
    }
    return UNSPACED.test(folded) ? [...found, ...this.#within(folded)] : found;
  }

  /** In scripts without spaces a phrase may begin anywhere. */
  #within(folded: string): readonly FoundPhrase<T>[] {
    let text = folded;
    for (const [of, pattern] of this.#unspaced) if (of === undefined) text = text.replace(pattern, " ");
    return this.#unspaced.flatMap(([of, pattern]) =>
      of === undefined ? [] : Array.from(text.matchAll(pattern), () => ({ of, at: -1 })),
    );
  }
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
