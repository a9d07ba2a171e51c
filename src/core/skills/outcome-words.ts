import words from "./outcome-words.json" with { type: "json" };

/** What people say about work that was done: rules over words of several languages, kept as data. */

type Rule = (typeof words.goOn)[number];

function rules(list: readonly Rule[]): readonly RegExp[] {
  return list.map(({ pattern, flags }) => new RegExp(pattern, flags));
}

/** Whole prompts that only let the agent go on. */
export const GO_ON = rules(words.goOn);
/** The beginning of a prompt that takes back or corrects what was done. */
export const CORRECTED = rules(words.corrected);
/** A prompt that brings an error along. */
export const ERROR_PASTED = rules(words.errorPasted);
/** A person is content. */
export const THANKED = rules(words.thanked);
/** The agent says that it could not. */
export const GAVE_UP = rules(words.gaveUp);
/** "Next time do it like this": the person asks to keep a procedure. */
export const WISHED = rules(words.wished);
/** Words that put steps in order. */
export const ORDERED = rules(words.ordered);

/** Words that say nothing about what a prompt is for, and those that a name can do without. */
export const FILLERS: ReadonlySet<string> = new Set(words.fillers.ofTriggers);
export const NAME_FILLERS: ReadonlySet<string> = new Set(words.fillers.ofNames);
