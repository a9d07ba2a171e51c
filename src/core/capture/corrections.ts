import { trimLead } from "../notes/wording/words.ts";
import { isForTheMoment, rejects } from "./classify.ts";
import { isExplicit } from "./digest.ts";
import { hasPhrase } from "./phrases.ts";

/** Whether a sentence says how to work. */
export function isRule(sentence: string): boolean {
  const plain = trimLead(sentence);
  return (isExplicit(sentence) || hasPhrase("saysHow", plain)) && !isForTheMoment(plain) && !specifies(sentence);
}

/** Whether a sentence says that the agent did something wrong; what would be right may be in the next one. */
export function complains(sentence: string): boolean {
  return (rejects(sentence) || hasPhrase("complains", trimLead(sentence))) && !specifies(sentence);
}

/** Whether a sentence describes what is to be built. */
export function specifies(sentence: string): boolean {
  return hasPhrase("specifies", trimLead(sentence));
}
