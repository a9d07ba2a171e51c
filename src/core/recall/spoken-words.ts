import { analyse } from "../notes/terms.ts";
import { isFunctionWord } from "./function-words.ts";
import { promptText } from "./prompt.ts";
import { openVocabulary, type Vocabulary } from "./vocabulary.ts";

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
