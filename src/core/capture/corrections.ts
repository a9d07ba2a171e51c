import { trimLead } from "../notes/wording/words.ts";
import { isForTheMoment, rejects } from "./classify.ts";
import list from "./corrections.json" with { type: "json" };
import { isExplicit } from "./digest.ts";
import { hasPhrase } from "./phrases.ts";

const startingWith = (words: Readonly<Record<string, string>>): RegExp =>
  new RegExp(`^(?:${Object.values(words).join("|")})`, "iu");
const RULES = startingWith(list.rules);
const COMPLAINTS = startingWith(list.complaints);

/** Whether a sentence says how to work. */
export function isRule(sentence: string): boolean {
  const plain = trimLead(sentence);
  return (isExplicit(sentence) || RULES.test(plain)) && !isForTheMoment(plain) && !specifies(sentence);
}

/** Whether a sentence says that the agent did something wrong; what would be right may be in the next one. */
export function complains(sentence: string): boolean {
  return (rejects(sentence) || COMPLAINTS.test(trimLead(sentence))) && !specifies(sentence);
}

/** Whether a sentence describes what is to be built. */
export function specifies(sentence: string): boolean {
  return hasPhrase("specifies", trimLead(sentence));
}
