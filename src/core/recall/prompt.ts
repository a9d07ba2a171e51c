import { analyseQuery } from "../notes/terms.ts";

/** A prompt longer than twice this is mostly paste: what the person typed stands before or after it. */
export const KEPT_CHARACTERS = 1200;

/** The distinct terms to search for. Of a long prompt, only its beginning and its end. */
export function promptTerms(prompt: string): readonly string[] {
  return analyseQuery(promptText(prompt));
}

/** As much of a prompt as recall reads. */
export function promptText(prompt: string): string {
  return prompt.length <= 2 * KEPT_CHARACTERS ? prompt : `${prompt.slice(0, KEPT_CHARACTERS)}\n${prompt.slice(-KEPT_CHARACTERS)}`;
}
