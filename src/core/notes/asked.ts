import { cutAtWord, oneLine } from "../shared/text.ts";

/** More phrases than this would find the note for anything. */
const MOST_PHRASES = 20;
const PHRASE_CHARACTERS = 60;

/** Phrases as a note keeps them: each once, in one line, without the commas that part them in the file. */
export function askedPhrases(given: readonly string[]): readonly string[] {
  const phrases = new Map<string, string>();
  for (const phrase of given.flatMap((text) => text.split(/[,，、;\n]/u))) {
    const written = cutAtWord(oneLine(phrase), PHRASE_CHARACTERS);
    if (written !== "" && !phrases.has(written.toLowerCase())) phrases.set(written.toLowerCase(), written);
  }
  return [...phrases.values()].slice(0, MOST_PHRASES);
}

/** The value of `metadata.asked`, which is one line: `going live, ship it, production`. */
export function askedLine(given: readonly string[]): string {
  return askedPhrases(given).join(", ");
}
