import type { Transcript } from "../transcripts/turn.ts";
import { fitsBlock, fitsReminder, type SaidOnce, type UnjudgedSession } from "./asking.ts";
import { complains, isRule, specifies } from "./corrections.ts";
import { type DigestDeps, digestSession, leansBack, QUESTION, scoreSentence } from "./digest.ts";
import type { ExistingNote } from "./plan.ts";
import { sharedTerms, subjectTerms, substance } from "../notes/wording/words.ts";

/** Lowest `scoreSentence` of a sentence that may matter later. */
const RANKED_SCORE = 2;
/** A note with at least this share of a sentence's words already says it. */
const SAVED_SHARE = 0.6;

/** What a person typed in a session, as far as one block holds it, and the rest, for later ones. */
export async function saidInParts(
  transcript: Transcript,
  { isKnown = () => false, ...deps }: DigestDeps,
): Promise<Pick<UnjudgedSession, "said" | "rest">> {
  const { said, left } = await digestSession(transcript, { ...deps, isKnown }, (one) => fitsBlock(one.said));
  const shown = new Set(said.map(({ sentence }) => sentence));
  const isOther = { ...deps, isKnown: (sentence: string): boolean => shown.has(sentence) || isKnown(sentence) };
  return { said, rest: left === 0 ? [] : (await digestSession(transcript, isOther)).said };
}

/** Whether anything said in a session may matter again; otherwise no agent is asked. */
export function isWorthAsking(said: readonly SaidOnce[]): boolean {
  return said.some(mayMatter);
}

/**
 * What may matter again, strongest first, each with the sentence that it needs. What no agent saved of it waits for
 * review; what only specifies the product or says nothing alone does not.
 */
export function ranked(said: readonly SaidOnce[]): readonly SaidOnce[] {
  const found: { readonly one: SaidOnce; readonly score: number }[] = [];
  let taken = -1;
  for (const [at, one] of said.entries()) {
    if (at <= taken || !mayMatter(one) || specifies(one.sentence) || !saysEnough(said, at)) continue;
    const { first, last } = neighbours(said, at);
    const score = Math.max(...said.slice(first, last + 1).map(({ sentence }) => scoreSentence(sentence)));
    found.push({ one: { ...one, sentence: sentencesFrom(said, Math.max(first, taken + 1), last) }, score });
    taken = last;
  }
  return found.toSorted((a, b) => b.score - a.score).map(({ one }) => one);
}

/** The last correction or rule, if it says what it is about: with the sentence that it needs, if both fit a reminder. */
export function lastRule(said: readonly SaidOnce[]): SaidOnce | undefined {
  const at = said.findLastIndex(
    ({ sentence }, index) => (isRule(sentence) || complains(sentence)) && saysEnough(said, index),
  );
  const one = said[at];
  if (one === undefined) return undefined;
  const { first, last } = neighbours(said, at);
  const [whole, right] = [sentencesFrom(said, first, last), said[last]?.sentence ?? one.sentence];
  return { ...one, sentence: fitsReminder(whole) ? whole : right };
}

/** Fewest subject terms that make clear what a sentence is about; a rule says it by its form. */
const LEAST_SUBSTANCE = 2;

function saysEnough(said: readonly SaidOnce[], at: number): boolean {
  const { first, last } = neighbours(said, at);
  return substance(sentencesFrom(said, first, last)) >= (isRule(said[at]?.sentence ?? "") ? 1 : LEAST_SUBSTANCE);
}

/** From the sentence of the same message that this one refers to, up to the one that says what would be right. */
function neighbours(said: readonly SaidOnce[], at: number): { readonly first: number; readonly last: number } {
  const isOfSame = (other: number): boolean =>
    said[at] !== undefined && said[other]?.message === said[at].message && said[other].question === said[at].question;
  const [one = "", after = ""] = [said[at]?.sentence, said[at + 1]?.sentence];
  const needsNext = isOfSame(at + 1) && complains(one) && !QUESTION.test(after) && !specifies(after);
  return { first: isOfSame(at - 1) && leansBack(one) ? at - 1 : at, last: needsNext ? at + 1 : at };
}

function sentencesFrom(said: readonly SaidOnce[], first: number, last: number): string {
  return said
    .slice(first, last + 1)
    .map(({ sentence }) => sentence)
    .join(" ");
}

function mayMatter({ sentence }: SaidOnce): boolean {
  return scoreSentence(sentence) >= RANKED_SCORE;
}

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
