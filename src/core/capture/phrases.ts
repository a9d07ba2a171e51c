import explicit from "./explicit-wishes.json" with { type: "json" };
import others from "./phrases.json" with { type: "json" };

export type Phrase = Exclude<keyof typeof explicit | keyof typeof others, "about">;

interface Pattern {
  readonly pattern: string;
  readonly flags: string;
  /** Matches the same words in another sense. */
  readonly unless?: string | undefined;
  readonly unlessFlags?: string | undefined;
}

const PATTERNS: Readonly<Record<Phrase, readonly Pattern[]>> = { ...explicit, ...others };

const compiled = new Map<Phrase, readonly { readonly pattern: RegExp; readonly unless: RegExp | undefined }[]>();

/** The first match of a phrase in a text; its patterns are compiled on first use. */
export function findPhrase(phrase: Phrase, text: string): RegExpExecArray | undefined {
  const known = compiled.get(phrase) ?? PATTERNS[phrase].map(compile);
  compiled.set(phrase, known);
  for (const { pattern, unless } of known) {
    const found = pattern.exec(text);
    if (found !== null && unless?.test(text) !== true) return found;
  }
  return undefined;
}

function compile({ pattern, flags, unless, unlessFlags = flags }: Pattern) {
  return {
    pattern: new RegExp(pattern, flags),
    unless: unless === undefined ? undefined : new RegExp(unless, unlessFlags),
  };
}

/** Whether a text has a phrase; the data file says what each one tells. */
export function hasPhrase(phrase: Phrase, text: string): boolean {
  return findPhrase(phrase, text) !== undefined;
}

/** The kind of explicit phrase in a sentence; a wish takes precedence over who someone is. */
export function explicitIn(plain: string): "wish" | "identity" | undefined {
  return hasPhrase("wish", plain) ? "wish" : hasPhrase("person", plain) ? "identity" : undefined;
}
