/** A letter of a language that is written with Latin ones: classes of all letters take a thousand times as long to prepare. */
const LETTER = "a-zA-Z\\u00C0-\\u024F";
const WORD = `[${LETTER}0-9_]`;
const BOUNDARY = `(?:(?<!${WORD})(?=${WORD})|(?<=${WORD})(?!${WORD}))`;

/** What nothing matches. */
export const NEVER = "(?!)";

/** Whole words. */
export function wholeWords(source: string): string {
  return `(?<!${WORD})(?:${source})(?!${WORD})`;
}

/** In expressions of tables `\b`, `\p{L}` and `\p{Ll}` know the letters of all these languages. */
export function expression(source: string, flags: string): RegExp {
  return new RegExp(
    source
      .replaceAll("\\b", BOUNDARY)
      .replaceAll("\\p{L}", `[${LETTER}]`)
      .replaceAll("\\p{Ll}", "[a-z\\u00DF-\\u00FF]"),
    flags,
  );
}
