import { analyse, stem } from "../notes/terms.ts";
import common from "./common-words.json" with { type: "json" };

/** Which words stand for which. Terms are in the form that `analyse` gives last: a word's stem. */
export interface Vocabulary {
  /** Terms related to this one, each once; none when it is in no group. */
  related(term: string): readonly string[];
}

/** Nobody writes more by hand; what is beyond is not read. */
const OWN_CHARACTERS = 100_000;

/** A word of many trades is related to everything. */
const RELATED_TERMS = 24;

/**
 * The words that a person relates to one another: a group a line, spaces or commas between, `#` begins a comment. memdir
 * brings none: tables of related words found more where they were written and less elsewhere. A line that begins with
 * `-` once took words out of those tables and is passed over, as is what cannot be a term (`--`, an English stop word).
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
 * Words that hold a sentence together and say nothing about its subject. The English ones are never indexed
 * (terms.ts); those of other languages are left out of prompts alone, where they would count as things asked for
 * that no note knows. Words that mean something in English or in code (`comment`, `plus`, `war`, `para`) are not here.
 */
export function isFunctionWord(term: string): boolean {
  return WORDS.has(term) || PAIRS.has(term) || (term.charCodeAt(0) > LAST_ALPHABETIC && isGrammarPair(term));
}

/** Chinese and Japanese characters come after it; a pattern of whole scripts is not made before there are some. */
const LAST_ALPHABETIC = 0x2e7f;

/** Japanese writes its grammar in hiragana and its subjects mostly in other scripts. */
function isGrammarPair(term: string): boolean {
  return (
    /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,2}$/u.test(term) &&
    (/^\p{sc=Hiragana}+$/u.test(term) || PARTICLE.test(term))
  );
}

/** A pair with a Chinese particle runs across two words. */
const PARTICLE = /[吗呢吧嘛啊]|的$|^的|了$|^了|们$/u;

/** French, German, and what Spanish, Portuguese and Italian share; without accents, as terms are (terms.ts). */
const WORDS: ReadonlySet<string> = new Set(common.function.join(" ").split(" "));

/** Chinese pairs of talk: "we", "this", "how", "what". */
const PAIRS: ReadonlySet<string> = new Set(common.pairs.split(" "));

/** A prompt longer than twice this is mostly paste: what the person typed stands before or after it. */
export const KEPT_CHARACTERS = 1200;

/** One thing a prompt asks for. Any of its terms answers it, the related ones less; see score.ts. */
export interface AskedWord {
  /** As it was first said. */
  readonly term: string;
  /** The word and, where it is another, its stem. */
  readonly forms: readonly string[];
  /** Terms that the user's vocabulary puts beside it. */
  readonly related: readonly string[];
}

/** The distinct words to search for, in order. Of a long prompt, only its beginning and its end. */
export function askedWords(prompt: string, vocabulary: Vocabulary): readonly AskedWord[] {
  const terms = analyse(promptText(prompt));
  const words = new Map<string, readonly string[]>();
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] ?? "";
    const root = stem(term);
    // A word is analysed into itself and its stem, side by side.
    const hasStem = root !== term && terms[at + 1] === root;
    words.set(term, hasStem ? [term, root] : [term]);
    if (hasStem) at++;
  }
  const telling = [...words.values()].filter((forms) => !forms.some(saysNothing));
  const meant = telling.filter((forms) => !forms.some(isFunctionWord));
  const asked = meant.length > 0 ? meant : telling;
  return asked.map((forms) => {
    const root = forms.at(-1) ?? "";
    return {
      term: forms[0] ?? root,
      forms,
      related: vocabulary.related(root).filter((other) => !forms.includes(other)),
    };
  });
}

/** One letter (`^\d+$` has a `d`) and small numbers in words stand in any note: they decide nothing. */
function saysNothing(term: string): boolean {
  return /^[\p{Ll}\p{N}]$/u.test(term) || NUMBERS.has(term);
}

const NUMBERS: ReadonlySet<string> = new Set(common.numbers.split(" "));

/** As much of a prompt as recall reads. */
export function promptText(prompt: string): string {
  return prompt.length <= 2 * KEPT_CHARACTERS
    ? prompt
    : `${prompt.slice(0, KEPT_CHARACTERS)}\n${prompt.slice(-KEPT_CHARACTERS)}`;
}

/** A word of a prompt as a person reads it, with what recall searches for. */
export interface SpokenWord {
  /** As typed, without the punctuation around it. */
  readonly word: string;
  /** What is searched for; none for a word too common to say anything. */
  readonly terms: readonly string[];
  /** Terms that the user's vocabulary puts beside it. */
  readonly related: readonly string[];
}

/** The words of a prompt, each once, in the prompt's order. */
export function spokenWords(prompt: string, vocabulary: Vocabulary = openVocabulary()): readonly SpokenWord[] {
  const words = new Map<string, SpokenWord>();
  for (const raw of promptText(prompt).split(/\s+/u)) {
    const word = raw.replace(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, "");
    const shown = word === "" ? raw : word;
    const all = [...new Set(analyse(shown))];
    const terms = all.some(isFunctionWord) ? [] : all;
    const related = terms.flatMap((term) => vocabulary.related(term)).filter((other) => !terms.includes(other));
    if (shown !== "" && (terms.length > 0 || word !== ""))
      words.set(shown.toLowerCase(), { word: shown, terms, related: [...new Set(related)] });
  }
  return [...words.values()];
}
