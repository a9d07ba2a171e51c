import { stem } from "../terms.ts";
import { JOINTS, LIGHT, NOW, WHOLE } from "./phrases.ts";
import { type RelationRow, RELATIONS } from "./relations.ts";
import { settingOf } from "./wording.ts";

/** A word of a statement, with what is needed to detect changes. */
export interface Token {
  /** Lower case, stemmed if it is an English word; used for comparison. */
  readonly term: string;
  readonly written: string;
  readonly kind: "number" | "time" | "word";
  /** Begins with a capital letter within a sentence, or is written as code. */
  readonly isName: boolean;
  /** Joins parts of the sentence. */
  readonly isJoint: boolean;
  /** Names an environment, a place, a component, people or a condition. */
  readonly isSetting: boolean;
  /** "listens on" is one token. */
  readonly relation: RelationRow | undefined;
}

const TOKEN =
  /`([^`\n]{1,80})`|([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|\p{sc=Hangul}+)|(\d[\d.,:]*)(?![\p{L}\d])|((?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}\p{N}\p{M}_./@#+$~'’-])+)|(%)/gu;

const TIME =
  /^(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?$|^(?:noon|midnight|morning|evening|\d{1,2}(?::\d{2})?(?:am|pm)|\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2})$/u;

/** Numbers as words; "one" is too ambiguous. */
const COUNTS: ReadonlySet<string> = new Set("two three four five six seven eight nine ten twelve twenty".split(" "));

interface Phrase {
  readonly words: readonly string[];
  readonly relation: RelationRow | undefined;
}

/** "run|runs on|at" is four phrases. */
function expand(form: string): readonly (readonly string[])[] {
  return form
    .split(" ")
    .map((word) => word.split("|"))
    .reduce<readonly (readonly string[])[]>(
      (all, words) => all.flatMap((phrase) => words.map((word) => [...phrase, word])),
      [[]],
    );
}

function byFirstWord(phrases: readonly Phrase[]): ReadonlyMap<string, readonly Phrase[]> {
  const found = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const first = phrase.words[0] ?? "";
    found.set(
      first,
      [...(found.get(first) ?? []), phrase].toSorted((a, b) => b.words.length - a.words.length),
    );
  }
  return found;
}

const RELATION_PHRASES = byFirstWord(
  RELATIONS.flatMap((relation) => relation.forms.flatMap(expand).map((words) => ({ words, relation }))),
);

const NOW_PHRASES = byFirstWord(
  NOW.flatMap((row) => row.split("|")).map((phrase) => ({ words: phrase.split(" "), relation: undefined })),
);

/** The tokens of a text, without words that carry no meaning. `isNow`: it says "from now on". */
export function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly isNow: boolean } {
  const words = wordsIn(text);
  const lasting: Word[] = [];
  let isNow = false;
  for (let at = 0; at < words.length;) {
    const phrase = phraseAt(words, at, NOW_PHRASES);
    isNow ||= phrase !== undefined;
    const word = words[at];
    if (phrase === undefined && word !== undefined && !WHOLE.has(word.lower)) lasting.push(word);
    at += phrase?.words.length ?? 1;
  }
  const tokens: Token[] = [];
  for (let at = 0; at < lasting.length;) {
    const phrase = phraseAt(lasting, at, RELATION_PHRASES);
    const word = lasting[at];
    if (word === undefined) break;
    if (phrase !== undefined) tokens.push(relationToken(phrase, word));
    else if (word.isCode || ABBREVIATION.test(word.written) || !LIGHT.has(word.lower))
      tokens.push(tokenOf(word, at === 0));
    at += phrase?.words.length ?? 1;
  }
  return { tokens, isNow };
}

/** "US" is not a pronoun. */
const ABBREVIATION = /^\p{Lu}{2,}$/u;

interface Word {
  readonly written: string;
  readonly lower: string;
  readonly isCode: boolean;
}

function wordsIn(text: string): readonly Word[] {
  return [...text.matchAll(TOKEN)].flatMap(([, code, unspaced, number, plain, sign]): Word[] => {
    if (code !== undefined) return [{ written: code, lower: code.toLowerCase(), isCode: true }];
    const written = unspaced ?? sign ?? (number ?? plain ?? "").replace(/[.,:'’/-]+$/u, "");
    const lower = written.toLowerCase().replaceAll("’", "'").replace(/'s$/u, "");
    return lower === "" ? [] : [{ written, lower, isCode: false }];
  });
}

function phraseAt(
  words: readonly Word[],
  at: number,
  phrases: ReadonlyMap<string, readonly Phrase[]>,
): Phrase | undefined {
  return phrases
    .get(words[at]?.lower ?? "")
    ?.find((phrase) => phrase.words.every((word, offset) => words[at + offset]?.lower === word));
}

function relationToken({ relation }: Phrase, { written }: Word): Token {
  const term = `\u0000${relation?.id ?? ""}`;
  return { term, written, kind: "word", isName: false, isJoint: false, isSetting: false, relation };
}

function tokenOf({ written, lower, isCode }: Word, isFirst: boolean): Token {
  const kind = TIME.test(lower) ? "time" : /^\d/u.test(lower) || COUNTS.has(lower) ? "number" : "word";
  return {
    term: kind === "word" && !isCode && /^[a-z]+$/u.test(lower) ? stem(lower) : lower,
    written,
    kind,
    isName: isCode || (!isFirst && /^\p{Lu}/u.test(written)) || /\p{Ll}\p{Lu}|\d/u.test(written),
    isJoint: !isCode && JOINTS.has(lower) && !ABBREVIATION.test(written),
    isSetting: settingOf(written, lower) !== undefined,
    relation: undefined,
  };
}

/** Words that say what a statement is about: without its relations and joints. */
export function contentOf(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ isJoint, relation }) => !isJoint && relation === undefined);
}

export function isSame(first: readonly Token[], second: readonly Token[]): boolean {
  return first.length === second.length && first.every(({ term }, at) => term === second[at]?.term);
}
