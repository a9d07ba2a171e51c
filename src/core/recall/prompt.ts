import { analyse, stem } from "../notes/terms.ts";
import { endsOf } from "../shared/text.ts";
import common from "./common-words.json" with { type: "json" };

/** Which words are related. Terms are in the last form that `analyse` returns: a word's stem. */
export interface Vocabulary {
  /** Terms related to this one, each once; empty when it is in no group. */
  related(term: string): readonly string[];
}

/** Most characters read; more than anyone writes by hand. */
const OWN_CHARACTERS = 100_000;

/** Most related terms; a word with more has too many meanings. */
const RELATED_TERMS = 24;

/**
 * Words that the user declared as related: one group per line, separated by spaces or commas; `#` begins a comment.
 * memdir has no built-in tables: they found more where they were written and less elsewhere. A line that begins with
 * `-`, once an exclusion from those tables, is ignored, as is what cannot be a term (`--`, an English stop word).
 */
export function openVocabulary(own = ""): Vocabulary {
  const groups = own
    .slice(0, OWN_CHARACTERS)
    .split("\n")
    .filter((line) => !/^\s*-\s/u.test(line))
    .map(termsIn)
    .filter((terms) => terms.length > 1);
  return {
    related: (term) => {
      const others = new Set(groups.filter((group) => group.includes(term)).flat());
      others.delete(term);
      return [...others].slice(0, RELATED_TERMS);
    },
  };
}

function termsIn(line: string): readonly string[] {
  const [written = ""] = line.split("#", 1);
  return written.split(/[\s,]+/u).flatMap((word) => analyse(word).at(-1) ?? []);
}

/**
 * Words with a grammatical function that say nothing about a subject. English ones are never indexed (terms.ts). Those
 * of other languages are removed only from prompts, where they would count as requests that no note answers. Words with
 * a meaning in English or in code (`comment`, `plus`, `war`, `para`) are not included.
 */
function isFunctionWord(term: string): boolean {
  return WORDS.has(term) || GRAMMAR_PAIR.test(term);
}

/** Hiragana, which mark grammar in Japanese, where subjects are mostly in other scripts; or with a Chinese particle. */
const GRAMMAR_PAIR = new RegExp(String.raw`^(?:\p{sc=Hiragana}+|${common.particles})$`, "u");

/**
 * French and German words, and those shared by Spanish, Portuguese and Italian, without accents, as in terms.ts; common
 * Chinese pairs: "we", "this", "how", "what".
 */
const WORDS: ReadonlySet<string> = new Set([...common.function, common.pairs].join(" ").split(" "));

/** A prompt over twice this length is mostly pasted; the user's own text is at its beginning or end. */
export const KEPT_CHARACTERS = 1200;

/** One word that a prompt asks for. Any of its terms matches, related ones with less weight; see score.ts. */
export interface AskedWord {
  /** As first typed. */
  readonly term: string;
  /** The word, and its stem if different. */
  readonly forms: readonly string[];
  /** Related terms from the user's vocabulary. */
  readonly related: readonly string[];
}

/** The distinct words to search for, in order; of a long prompt, only from its beginning and end. */
export function askedWords(prompt: string, vocabulary: Vocabulary): readonly AskedWord[] {
  const words = wordsIn(promptText(prompt), vocabulary);
  const meant = words.filter(({ forms }) => !forms.some(isFunctionWord));
  return meant.length > 0 ? meant : words;
}

/** The distinct words of a text, function words too. */
function wordsIn(text: string, vocabulary: Vocabulary): readonly AskedWord[] {
  const terms = analyse(text);
  const words = new Map<string, readonly string[]>();
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] ?? "";
    const root = stem(term);
    // `analyse` returns a word and its stem in succession.
    const hasStem = root !== term && terms[at + 1] === root;
    words.set(term, hasStem ? [term, root] : [term]);
    if (hasStem) at++;
  }
  return [...words]
    .filter(([, forms]) => !forms.some(saysNothing))
    .map(([term, forms]) => ({
      term,
      forms,
      related: vocabulary.related(forms.at(-1) ?? term).filter((other) => !forms.includes(other)),
    }));
}

/** Single letters (`^\d+$` has a `d`) and small number words occur in any note and distinguish none. */
function saysNothing(term: string): boolean {
  return /^[\p{Ll}\p{N}]$/u.test(term) || NUMBERS.has(term);
}

const NUMBERS: ReadonlySet<string> = new Set(common.numbers.split(" "));

/** The part of a prompt that recall reads. */
export function promptText(prompt: string): string {
  return endsOf(prompt, KEPT_CHARACTERS);
}

/** A word of a prompt as typed, with its search terms. */
export interface SpokenWord {
  /** Without surrounding punctuation. */
  readonly word: string;
  /** The search terms; none when the word is too common. */
  readonly terms: readonly string[];
  /** Related terms from the user's vocabulary. */
  readonly related: readonly string[];
}

/** The words of a prompt, each once, in order. */
export function spokenWords(prompt: string, vocabulary: Vocabulary = openVocabulary()): readonly SpokenWord[] {
  const words = new Map<string, SpokenWord>();
  for (const raw of promptText(prompt).split(/\s+/u)) {
    const word = raw.replace(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, "") || raw;
    const asked = wordsIn(word, vocabulary);
    const meant = asked.some(({ forms }) => forms.some(isFunctionWord)) ? [] : asked;
    const terms = meant.flatMap(({ forms }) => forms);
    const related = [...new Set(meant.flatMap((one) => one.related))];
    if (asked.length > 0 || /[\p{L}\p{N}_]/u.test(word)) words.set(word.toLowerCase(), { word, terms, related });
  }
  return [...words.values()];
}
