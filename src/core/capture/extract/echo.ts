import { recentToolTexts } from "../../transcripts/tool-texts.ts";
import { sharedTerms, subjectTerms } from "../words.ts";

/** Fewer words stand together in any text by chance. */
const LEAST_TERMS = 3;
const ECHOED = 0.7;
/** A longer line is data; whatever a sentence says could be put together from it. */
const SENTENCE_CHARACTERS = 400;

/**
 * What a sentence of the wording adds to the person's words stands together in one sentence of a foreign text: a model
 * that obeys a page or a file rests its note on an honest quotation and writes the other's words in or beside it.
 */
export function echoes(wording: string, said: string, foreign: readonly string[]): boolean {
  const own = subjectTerms(said);
  const added = wording
    .split(SENTENCE_END)
    .map((sentence) => new Set([...subjectTerms(sentence)].filter((term) => !own.has(term))))
    .filter(({ size }) => size >= LEAST_TERMS);
  // Most wordings add nothing, and then nobody listens.
  return (
    added.length > 0 &&
    recentToolTexts(foreign).some((text) =>
      sentencesOf(text).some((sentence) => {
        const theirs = subjectTerms(sentence);
        return added.some((terms) => sharedTerms(terms, theirs) / terms.size >= ECHOED);
      }),
    )
  );
}

/** Text in characters that nobody sees, as it spells itself to a machine. */
export function spelledInvisibly(text: string): string {
  return [...text]
    .flatMap((character) => {
      const code = (character.codePointAt(0) ?? 0) - TAG_BLOCK;
      return code >= 0x20 && code < 0x7f ? [String.fromCodePoint(code)] : [];
    })
    .join("");
}

/** Unicode repeats ASCII here, invisibly. */
const TAG_BLOCK = 0xe0000;
const SENTENCE_END = /\n|(?<=[.!?])\s|(?<=[。！？])/u;

function sentencesOf(text: string): readonly string[] {
  return text
    .split(SENTENCE_END)
    .flatMap((sentence) => (sentence.length > SENTENCE_CHARACTERS ? sentence.split(/[;{}<>|"]/u) : [sentence]))
    .filter(({ length }) => length <= SENTENCE_CHARACTERS);
}
