import { analyse } from "../notes/terms.ts";
import { promptText } from "./prompt.ts";

/** A word of a prompt as recall reads it. */
export interface AskedWord {
  /** As typed, without the punctuation around it. */
  readonly word: string;
  /** What is searched for; none for a word too common to say anything. */
  readonly terms: readonly string[];
}

/** The words of a prompt, each once, in the prompt's order. */
export function askedWords(prompt: string): readonly AskedWord[] {
  const words = new Map<string, AskedWord>();
  for (const raw of promptText(prompt).split(/\s+/u)) {
    const word = raw.replace(/^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu, "");
    const shown = word === "" ? raw : word;
    const terms = [...new Set(analyse(shown))];
    if (shown !== "" && (terms.length > 0 || word !== "")) words.set(shown.toLowerCase(), { word: shown, terms });
  }
  return [...words.values()];
}
