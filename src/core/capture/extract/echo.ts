import { recentToolTexts } from "../../transcripts/tool-texts.ts";
import { sharedTerms, subjectTerms } from "../words.ts";

/** A shorter wording shares its words with any text by chance. */
const LEAST_TERMS = 3;
/** Share of a wording that the person's own message must carry to be theirs, whatever else says it too. */
const OWN = 0.5;
const ECHOED = 0.7;

/**
 * A sentence or clause of the wording says what one sentence of a tool's text says, and not what the person said: a
 * model that obeys a page or a file rests its note on an honest quotation and writes the other's words in or beside it.
 */
export function echoesTools(wording: string, said: string, toolTexts: readonly string[]): boolean {
  const own = subjectTerms(said);
  const foreign = wording.split(CLAUSE_END).map(subjectTerms).filter((terms) => terms.size >= LEAST_TERMS && sharedTerms(terms, own) / terms.size < OWN);
  // Most wordings are the person's own, and then nobody listens.
  return foreign.length > 0 && recentToolTexts(toolTexts).some((text) => text.split(SENTENCE_END).some((sentence) => {
    const theirs = subjectTerms(sentence);
    return foreign.some((terms) => sharedTerms(terms, theirs) / terms.size >= ECHOED);
  }));
}

const SENTENCE_END = /\n|(?<=[.!?])\s|(?<=[。！？])/u;
const CLAUSE_END = /\n|(?<=[.!?,;:])\s|(?<=[。！？，；])|\s(?:and|but|und|et|y|e|и)\s(?=\S+ \S+ \S+ \S)/u;
