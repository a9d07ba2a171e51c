import type { SaidOnce } from "./asking.ts";
import { rejects } from "./classify.ts";
import { type Digest, isExplicit, scoreSentence } from "./digest.ts";
import type { ExistingNote } from "./plan.ts";
import { sharedTerms, subjectTerms, substance } from "../notes/wording/words.ts";

/** Lowest `scoreSentence` of a sentence that may matter later. */
const RANKED_SCORE = 2;
/** A note with at least this share of a sentence's words already says it. */
const SAVED_SHARE = 0.6;

export function saidIn(digest: Digest): readonly SaidOnce[] {
  return digest.turns.flatMap(({ id, day, question, sentences }) =>
    sentences.map((sentence): SaidOnce => ({ message: id, day, question, sentence })),
  );
}

/** Whether anything said in a session may matter again; otherwise no agent is asked. */
export function isWorthAsking(said: readonly SaidOnce[]): boolean {
  return ranked(said).length > 0;
}

/** Sentences that may matter again, strongest first. Those that no agent saved wait for review. */
export function ranked(said: readonly SaidOnce[]): readonly SaidOnce[] {
  return said
    .map((one) => ({ one, score: scoreSentence(one.sentence) }))
    .filter(({ score }) => score >= RANKED_SCORE)
    .toSorted((a, b) => b.score - a.score)
    .map(({ one }) => one);
}

/** The last correction or rule among the sentences that also says what it is about. */
export function lastRule(said: readonly SaidOnce[]): SaidOnce | undefined {
  return said.findLast(
    ({ sentence }) => (isExplicit(sentence) || rejects(sentence)) && substance(sentence) >= LEAST_SUBSTANCE,
  );
}

/** Fewest subject terms that make clear what a rule is about. */
const LEAST_SUBSTANCE = 2;

/**
 * Returns a test for sentences that a note already says in the same or nearly the same words. Another number or name
 * makes another fact.
 */
export function knownFrom(notes: readonly Pick<ExistingNote, "description" | "body">[]): (sentence: string) => boolean {
  const known = notes.map(({ description, body }) => {
    const text = `${description}\n${body}`;
    return { terms: subjectTerms(text), text: text.toLowerCase() };
  });
  return (sentence) => {
    const terms = subjectTerms(sentence);
    const values = sentence.match(VALUE) ?? [];
    return (
      terms.size > 0 &&
      known.some(
        (note) =>
          sharedTerms(terms, note.terms) / terms.size >= SAVED_SHARE &&
          values.every((value) => note.text.includes(value.toLowerCase())),
      )
    );
  };
}

/** A number, or a name within a sentence. */
const VALUE = /\d[\p{L}\d.,:]*(?<![.,:])|(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}\p{N}]+/gu;
