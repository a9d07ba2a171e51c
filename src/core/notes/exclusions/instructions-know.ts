import { statementOf, type StatementWord } from "../statement.ts";
import { once, readOnce } from "../../shared/once.ts";
import { subjectTerms, withoutLeadIn } from "../wording/words.ts";
import { readSaid, type Said } from "../changes/reading.ts";
import { repeats } from "../changes/repeated.ts";
import { piecesOf } from "./pieces.ts";

/** Words about the conversation or the project, which any phrasing may add. */
const FILLERS: ReadonlySet<string> = subjectTerms(
  "user users project repo repository codebase team prefer prefers please must should here run running ask asked",
);
const LEAST_TERMS = 3;
/** A longer text says more than a file repeats. */
const MOST_CHARACTERS = 2_000;

/** Returns the text if instruction files say all of it: same subjects, same polarity, same values. */
export function saidAlready(text: string, instructions: string): string | undefined {
  const passages = passagesOf(instructions);
  const pieces = piecesOf(text.slice(0, MOST_CHARACTERS));
  const isWhole = pieces.length > 1 && pieces.every((piece) => isSaid(piece, passages));
  return isWhole || isSaid(text, passages) ? text : undefined;
}

/** Fewer words occur in many passages by chance. */
const LEAST_WORDS = 3;

/** Whether the text occurs word for word in a passage of the same polarity. */
function isQuoted(text: string, passages: readonly Passage[]): boolean {
  const wanted = plain(text);
  if (wanted.split(" ").length - 2 < LEAST_WORDS) return false;
  return passages.some((passage) => passage.plain.includes(wanted) && isNegative(passage.text) === isNegative(text));
}

/** The words without surrounding punctuation, with a space around each; `5%`, `-1` and `<` stay as they are. */
function plain(text: string): string {
  const words = text.toLowerCase().split(/\s+/u);
  return ` ${words
    .map((word) => word.replace(/^["'“”‘’«»()[\]*_`]+|[.,;:!?。！？、，"'“”‘’«»()[\]*_`]+$/gu, ""))
    .filter((word) => word !== "")
    .join(" ")} `;
}

function isSaid(text: string, passages: readonly Passage[]): boolean {
  return isQuoted(text, passages) || hasAllWords(text, passages) || isSaidOtherwise(text, passages);
}

/** Whether a passage says the same in other words. */
function isSaidOtherwise(text: string, passages: readonly Passage[]): boolean {
  const statement = withoutLeadIn(text);
  const beginnings = [...subjectTerms(statement)].map(beginningOf);
  const said = readSaid(statement);
  const least = Math.max(1, beginnings.length * LEAST_SHARE);
  return passages
    .map((passage) => ({ passage, near: beginnings.filter((one) => passage.lower.includes(one)).length }))
    .filter(({ near }) => near >= least)
    .toSorted((one, other) => other.near / other.passage.text.length - one.near / one.passage.text.length)
    .slice(0, MOST_COMPARED)
    .some(({ passage }) => repeats(said, passage.said()));
}

/** Of its words, by their beginnings. */
const LEAST_SHARE = 0.25;

/** Comparing takes some tenths of a millisecond. */
const MOST_COMPARED = 4;

/** Without the sign of a heading or a list. */
function bare(passage: string): string {
  return passage.trim().replace(/^(?:[-*#>]+|\d+[.)])\s+/u, "");
}

/** Long enough to rule out nearly every passage cheaply. */
function beginningOf(term: string): string {
  return term.slice(0, Math.max(1, Math.min(term.length - 1, 4)));
}

/** Whether a passage has all subjects, the negation and the values. */
function hasAllWords(text: string, passages: readonly Passage[]): boolean {
  const terms = withoutFillers(subjectTerms(text));
  // A command identifies the subject better than words do.
  const spans = [...text.matchAll(/`[^`\n]+`/gu)].map(([span]) => span);
  if (terms.length < LEAST_TERMS - (spans.length > 0 ? 1 : 0)) return false;
  const values = wordsIn(text).flatMap(({ value, written }) => (value === undefined ? [] : [written.toLowerCase()]));
  const beginnings = terms.map(beginningOf);
  return passages.some(({ text: passage, lower }) => {
    if (!beginnings.every((beginning) => lower.includes(beginning))) return false;
    if (!spans.every((span) => passage.includes(span.slice(1, -1)))) return false;
    const known = subjectTerms(passage);
    if (!terms.every((term) => known.has(term))) return false;
    if (isNegative(passage) !== isNegative(text)) return false;
    const said = new Set(wordsIn(passage).map(({ written }) => written.toLowerCase()));
    return values.every((value) => said.has(value) || FILLERS.has(value));
  });
}

interface Passage {
  readonly text: string;
  readonly lower: string;
  readonly plain: string;
  readonly said: () => Said;
}

/** Cached, as every note is compared with the same files. */
const passagesOf = readOnce(readPassages, { most: 4, longest: Number.POSITIVE_INFINITY });

function readPassages(instructions: string): readonly Passage[] {
  const paragraphs = instructions.split(/\n\s*\n|\n(?=\s*(?:[-*#]|\d+\.)\s)/u);
  const texts = [...paragraphs, ...paragraphs.flatMap((paragraph) => paragraph.split(/(?<=[.!?])\s+|(?<=[。！？])/u))];
  return [...new Set(texts)].map((text) => ({
    text,
    lower: text.toLowerCase(),
    plain: plain(text),
    said: once(() => readSaid(bare(text))),
  }));
}

function withoutFillers(terms: ReadonlySet<string>): readonly string[] {
  return [...terms].filter((term) => !FILLERS.has(term));
}

/** The words with names, numbers and pieces of code, which decide what a sentence is about. */
function wordsIn(text: string): readonly StatementWord[] {
  return statementOf(text).sentences.flatMap(({ words }) => words);
}

const NEGATIVE =
  /\b(?:don['’]?t|do not|never|not|no longer|stop|avoid|without|shouldn['’]?t|must not|mustn['’]?t|no)\b|不要|别|禁止|ない|마(?:세요|라)|\bnicht\b|\bkeine?\b|\bnie\b|\bjamais\b|\bne\b|\bnunca\b|\bnão\b|(?<!\p{L})не(?!\p{L})|никогда/iu;

/** Whether a text negates anything. */
export function isNegative(text: string): boolean {
  return NEGATIVE.test(text);
}
