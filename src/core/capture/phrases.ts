import list from "./phrases.json" with { type: "json" };

export type Phrase = Exclude<keyof typeof list, "about">;

const compiled = new Map<Phrase, readonly RegExp[]>();

/** The first match of a phrase in a text; its patterns are compiled on first use. */
export function findPhrase(phrase: Phrase, text: string): RegExpExecArray | undefined {
  const patterns = compiled.get(phrase) ?? list[phrase].map(({ pattern, flags }) => new RegExp(pattern, flags));
  compiled.set(phrase, patterns);
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return undefined;
}

/** Whether a text has a phrase; the data file says what each one tells. */
export function hasPhrase(phrase: Phrase, text: string): boolean {
  return findPhrase(phrase, text) !== undefined;
}
