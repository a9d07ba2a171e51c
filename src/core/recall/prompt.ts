import { analyse } from "../notes/terms.ts";
import { stem } from "../notes/stem.ts";
import { isFunctionWord } from "./function-words.ts";
import type { Vocabulary } from "./vocabulary.ts";

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

const NUMBERS: ReadonlySet<string> = new Set(
  "zero one two three four five six seven eight nine ten eleven twelve".split(" "),
);

/** As much of a prompt as recall reads. */
export function promptText(prompt: string): string {
  return prompt.length <= 2 * KEPT_CHARACTERS
    ? prompt
    : `${prompt.slice(0, KEPT_CHARACTERS)}\n${prompt.slice(-KEPT_CHARACTERS)}`;
}
