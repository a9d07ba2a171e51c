import type { NoteType } from "../notes/note.ts";
import { isExplicit } from "./digest.ts";
import { reportsFrom } from "./foreign-text.ts";
import { explicitIn, hasPhrase } from "./phrases.ts";
import type { Sentence } from "./sentences.ts";
import { trimLead, substance } from "../notes/wording/words.ts";
import { namesAddress } from "../notes/types/infer-type.ts";

/** `passing`: a wish that holds for the moment only. */
export type Verdict = "wish" | "identity" | "passing";

export function rejects(text: string): boolean {
  return hasPhrase("rejects", text.trim());
}

/**
 * Judges one sentence; `undefined` when it does not explicitly state a lasting rule or who someone is.
 * `specifying`: an earlier sentence of the message asks for something that this one may describe.
 */
export function classify(sentence: Sentence, specifying = false): Verdict | undefined {
  // Patterns see only the beginning of an overlong sentence; the length gate refuses it later.
  const plain = trimLead(sentence.plain).slice(0, HEAD_LENGTH);
  if (plain.length < SHORTEST) return undefined;
  const kind = explicitIn(plain);
  if (kind === undefined || (kind === "wish" && !isExplicit(sentence.text))) return undefined;
  if (hasPhrase("question", plain)) return undefined;
  const reported = reportsFrom(plain);
  if (reported !== -1 && explicitIn(plain.slice(0, reported)) === undefined) return undefined;
  if (NO_WISHES.some((phrase) => hasPhrase(phrase, plain))) return undefined;
  const least = kind === "identity" || hasPhrase("terse", plain) || hasPhrase("fromNowOn", plain) ? 1 : LEAST_SUBSTANCE;
  if (substance(plain.replace(/`x`|“…”|⟨url⟩/gu, " codespan ")) < least) return undefined;
  if (kind === "identity") return hasPhrase("ofToday", plain) ? undefined : kind;
  if (specifying && !hasPhrase("fromNowOn", plain)) return undefined;
  return isForTheMoment(plain) ? "passing" : kind;
}

const NO_WISHES = ["elsewhere", "specifies", "repeats", "jokes"] as const;
const HEAD_LENGTH = 700;
/** "no", "y", "ok go": too short to be a wish in any script. */
const SHORTEST = 5;
/** Fewest subject terms with which a note can be understood on its own. */
const LEAST_SUBSTANCE = 2;
/** "Don't push yet": holds only for the current task and says nothing lasting. */
export function isForTheMoment(plain: string): boolean {
  return hasPhrase("onlyHere", plain) || (hasPhrase("forNow", plain) && !hasPhrase("lasting", plain));
}

/** The note type for each kind. */
export function typeOf(kind: Verdict, plain: string): NoteType {
  if (kind === "identity") return "user";
  if (namesAddress(plain)) return "reference";
  return hasPhrase("tellsFact", plain) ? "project" : "feedback";
}
