import type { SaidOnce } from "./asking.ts";
import { type Digest, scoreSentence } from "./digest.ts";
import type { ExistingNote } from "./plan.ts";
import { sharedTerms, subjectTerms } from "./words.ts";

/** With less than this (`scoreSentence`) a sentence says nothing that lasts. */
const RANKED_SCORE = 2;
/** A note that holds so much of a sentence's words says it. */
const SAVED_SHARE = 0.6;

export function saidIn(digest: Digest): readonly SaidOnce[] {
  return digest.turns.flatMap(({ id, day, question, sentences }) =>
    sentences.map((sentence): SaidOnce => ({ message: id, day, question, sentence })),
  );
}

/** Whether a session said anything that may matter again: only then is somebody asked. */
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

/** Without what a note says already, in these words or nearly. */
export function withoutKnown(
  said: readonly SaidOnce[],
  notes: readonly Pick<ExistingNote, "description" | "body">[],
): readonly SaidOnce[] {
  const known = notes.map(({ description, body }) => subjectTerms(`${description}\n${body}`));
  return said.filter(({ sentence }) => {
    const terms = subjectTerms(sentence);
    return !known.some((note) => terms.size > 0 && sharedTerms(terms, note) / terms.size >= SAVED_SHARE);
  });
}
