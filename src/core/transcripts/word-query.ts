import { analyseQuery, stem } from "../notes/terms.ts";
import { MemoryError } from "../shared/errors.ts";

/** Words that the user remembers from a conversation; a message need not contain all of them. */
export interface WordQuery {
  readonly words: readonly QueryWord[];
}

export interface QueryWord {
  readonly word: string;
  /** Lower-case texts; a message with the word contains one of them: the word, or the beginning of its forms. */
  readonly starts: readonly string[];
}

/** The position of a query word in a text. */
export interface WordHit {
  /** Index of the word in the query. */
  readonly word: number;
  /** UTF-16 position. */
  readonly at: number;
}

const MOST_WORDS = 12;
/** The limit for one word in one text: enough to choose the best passage. */
const MOST_HITS = 40;
/** Shorter words match only as whole words. */
const FREE_LENGTH = 4;
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]{3,}$/u;

/** Query words without function words, and quoted phrases. @throws MemoryError `invalid-input` when nothing is left. */
export function wordQuery(text: string): WordQuery {
  const parts = [...text.matchAll(/"([^"]+)"|([\p{L}\p{N}\p{M}_]+(?:[-.'’/:@#]+[\p{L}\p{N}\p{M}_]+)*)/gu)];
  const named = parts.flatMap(([, phrase, word]): QueryWord[] => {
    if (phrase !== undefined)
      return phrase.trim() === "" ? [] : [{ word: phrase, starts: [phrase.trim().toLowerCase()] }];
    if (word === undefined || analyseQuery(word).length === 0) return [];
    return [{ word, starts: startsOf(word.toLowerCase()) }];
  });
  const words = [...new Map(named.map((one) => [one.starts.join(" "), one])).values()].slice(0, MOST_WORDS);
  if (words.length === 0)
    throw new MemoryError("invalid-input", "there is nothing to search for: give a word, an error text or a path");
  return { words };
}

function startsOf(word: string): readonly string[] {
  // In scripts without spaces, any two neighbours may be a word.
  if (UNSPACED.test(word)) return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
  const root = stem(word);
  return [word.startsWith(root) && root.length >= FREE_LENGTH ? root : word];
}

/** The positions of query words in a text, in text order; case is ignored. */
export function findWords(text: string, { words }: WordQuery): readonly WordHit[] {
  const lower = foldCase(text);
  return words
    .flatMap(({ starts }, word) => starts.flatMap((start) => positionsOf(lower, start).map((at) => ({ word, at }))))
    .toSorted((a, b) => a.at - b.at);
}

/** Letters whose lower-case form has another length stay unchanged, so that positions do not move. */
function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/./gsu, (one) => sameLength(one, one.toLowerCase()));
}

function sameLength(one: string, lower: string): string {
  return lower.length === one.length ? lower : one;
}

function positionsOf(lower: string, start: string): readonly number[] {
  const found: number[] = [];
  for (let at = lower.indexOf(start); at !== -1 && found.length < MOST_HITS; at = lower.indexOf(start, at + 1)) {
    if (start.length >= FREE_LENGTH || !/[\p{L}\p{N}]/u.test(start) || isWhole(lower, at, at + start.length))
      found.push(at);
  }
  return found;
}

function isWhole(text: string, from: number, to: number): boolean {
  const isLetter = (one: string): boolean => /[\p{L}\p{N}]/u.test(one);
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(text.slice(from, to))) return true;
  return !isLetter(text.slice(Math.max(0, from - 1), from)) && !isLetter(text.slice(to, to + 1));
}

/** A message that contains words of the query. */
export interface WordMatch {
  readonly speaker: "you" | "agent" | "tool";
  readonly timeMs: number;
  readonly hits: readonly WordHit[];
}

/** The weight of each word: the rarer among the messages found, the higher. */
export function wordWeights(matches: readonly WordMatch[], { words }: WordQuery): readonly number[] {
  const counts = words.map(() => 0);
  for (const { hits } of matches)
    for (const word of new Set(hits.map((hit) => hit.word))) counts[word] = (counts[word] ?? 0) + 1;
  return counts.map((count) => Math.log(1 + (matches.length - count + 0.5) / (count + 0.5)) + 0.1);
}

/** Tool output is long and repetitive, so it weighs less. */
const SPEAKER_WEIGHTS = { you: 1.2, agent: 1, tool: 0.7 } as const;
/** Words within this many characters of each other belong together. */
const PASSAGE_CHARACTERS = 300;

/** Best first, by the weight of the words, with more for words close together; ties go to the newest. */
export function rankByWords<T extends WordMatch>(matches: readonly T[], weights: readonly number[]): readonly T[] {
  return matches
    .map((match) => ({ match, score: scoreOf(match, weights) }))
    .toSorted((a, b) => b.score - a.score || b.match.timeMs - a.match.timeMs)
    .map(({ match }) => match);
}

function scoreOf({ hits, speaker }: WordMatch, weights: readonly number[]): number {
  const everywhere = weightOf(hits, weights);
  return (everywhere + passageOf(hits, weights).weight) * SPEAKER_WEIGHTS[speaker];
}

function weightOf(hits: readonly WordHit[], weights: readonly number[]): number {
  return [...new Set(hits.map(({ word }) => word))].reduce((sum, word) => sum + (weights[word] ?? 0), 0);
}

/** The range of hits with the highest weight within `PASSAGE_CHARACTERS`; the first one wins a tie. */
export function passageOf(
  hits: readonly WordHit[],
  weights: readonly number[],
): { readonly from: number; readonly to: number; readonly weight: number } {
  let best = { from: hits[0]?.at ?? 0, to: hits[0]?.at ?? 0, weight: 0 };
  for (const [first, { at: from }] of hits.entries()) {
    const near = hits.slice(first, first + MOST_HITS).filter(({ at }) => at - from <= PASSAGE_CHARACTERS);
    const weight = weightOf(near, weights);
    if (weight > best.weight + 1e-9) best = { from, to: near.at(-1)?.at ?? from, weight };
  }
  return best;
}

/** The text around a passage, cut at white space, about `limit` characters at most. */
export function snippet(
  text: string,
  { from, to }: { readonly from: number; readonly to: number },
  limit: number,
): string {
  const room = Math.max(40, Math.floor((limit - (to - from)) / 2));
  const start = from - room <= 0 ? 0 : afterSpace(text, from - room, from);
  const end = to + room >= text.length ? text.length : beforeSpace(text, to, to + room);
  return `${start === 0 ? "" : "…"}${text.slice(start, end).trim()}${end === text.length ? "" : "…"}`;
}

function afterSpace(text: string, from: number, limit: number): number {
  const space = text.slice(from, limit).search(/\s/u);
  return space === -1 ? from : from + space + 1;
}

function beforeSpace(text: string, from: number, limit: number): number {
  const space = text.slice(from, limit).search(/\s\S*$/u);
  return space <= 0 ? limit : from + space;
}
