import type { SaidOnce } from "./asking.ts";
import { rejects } from "./classify.ts";
import { type Digest, isExplicit, scoreSentence } from "./digest.ts";
import type { ExistingNote } from "./plan.ts";
import { sharedTerms, subjectTerms, substance } from "../notes/wording/words.ts";

/** With less than this (`scoreSentence`) a sentence says nothing that lasts. */
const RANKED_SCORE = 2;
/** A note that holds so much of a sentence's words says it. */
const SAVED_SHARE = 0.6;

export function saidIn(digest: Digest): readonly SaidOnce[] {
  return digest.turns.flatMap(({ id, day, question, sentences }) =>
    sentences.map((sentence): SaidOnce => ({ message: id, day, question, sentence })),
  );
}

/** Whether a session said anything that may matter again: only then is someone asked. */
export function isWorthAsking(said: readonly SaidOnce[]): boolean {
  return ranked(said).length > 0;
}

/** Sentences with signs that they may matter again, the strongest first: what waits for review where nobody saved it. */
export function ranked(said: readonly SaidOnce[]): readonly SaidOnce[] {
  return said
    .map((one) => ({ one, score: scoreSentence(one.sentence) }))
    .filter(({ score }) => score >= RANKED_SCORE)
    .toSorted((a, b) => b.score - a.score)
    .map(({ one }) => one);
}

/** The last correction or rule among what was said, if there is one that says what it is about. */
export function lastRule(said: readonly SaidOnce[]): SaidOnce | undefined {
  return said.findLast(
    ({ sentence }) => (isExplicit(sentence) || rejects(sentence)) && substance(sentence) >= LEAST_SUBSTANCE,
  );
}

/** Words without which nobody knows what a rule is about. */
const LEAST_SUBSTANCE = 2;

/** Tells whether some note says a sentence already, in these words or nearly. */
export function knownFrom(notes: readonly Pick<ExistingNote, "description" | "body">[]): (sentence: string) => boolean {
  const known = notes.map(({ description, body }) => subjectTerms(`${description}\n${body}`));
  return (sentence) => {
    const terms = subjectTerms(sentence);
    return terms.size > 0 && known.some((note) => sharedTerms(terms, note) / terms.size >= SAVED_SHARE);
  };
}
