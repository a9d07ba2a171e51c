import { isNegative } from "./duplicates.ts";
import { sharedTerms, subjectTerms } from "./words.ts";

const REPEATED = 0.9;
const REPEATED_TERMS = 4;

/** Every subject of a wording stands in one sentence or paragraph of the instruction files, with the same sign. */
export function saidByInstructions(wording: string, instructions: string): boolean {
  const terms = subjectTerms(wording);
  if (terms.size < REPEATED_TERMS) return false;
  const paragraphs = instructions.split(/\n\s*\n|\n(?=\s*(?:[-*#]|\d+\.)\s)/u);
  const passages = [...paragraphs, ...paragraphs.flatMap((paragraph) => paragraph.split(/(?<=[.!?。！？])\s*/u))];
  return passages.some((passage) => sharedTerms(terms, subjectTerms(passage)) / terms.size >= REPEATED && isNegative(passage) === isNegative(wording));
}
