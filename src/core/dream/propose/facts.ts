import { type Sentence, type Statement, statementOf } from "../../notes/statement.ts";

/** Share of a text's words that may stand in none of the notes: words that join sentences. */
const NEW_WORDS = 0.2;
/** Share of a note's words that a text for it must hold. */
const KEPT_WORDS = 0.6;

/** Why `text` says something that stands in none of these; `undefined` when it does not. */
export function saysNoMore(text: string, sources: readonly string[]): string | undefined {
  const mine = read(text);
  const theirs = sources.map(read);
  const known = new Set(theirs.flatMap((source) => [...wordsOf(source)]));
  const invented = values(mine).find((value) => !known.has(value));
  if (invented !== undefined) return `it says "${invented}", which stands in none of the notes`;
  const terms = [...mine.terms];
  const strange = terms.filter((term) => !known.has(term));
  if (strange.length > terms.length * NEW_WORDS)
    return `too many of its words stand in none of the notes (${strange.slice(0, 5).join(", ")})`;
  if (mine.negative && !theirs.some(({ negative }) => negative))
    return "it denies something that none of the notes denies";
  const orders = new Set(theirs.flatMap(({ sentences }) => sentences.map(orderOf)));
  const turned = mine.sentences.find(
    (sentence) =>
      sentence.relational &&
      valuesIn(sentence).length > 1 &&
      ![...orders].some((order) => order.includes(orderOf(sentence))),
  );
  return turned === undefined
    ? undefined
    : `it puts ${valuesIn(turned).join(", ")} in an order that none of the notes has`;
}

/** Why `text` does not hold all that a note says; `undefined` when it does. */
export function tellsAll(text: string, note: string, file: string): string | undefined {
  const mine = read(text);
  const theirs = read(note);
  const known = wordsOf(mine);
  const lost = values(theirs).find((value) => !known.has(value));
  if (lost !== undefined) return `"${lost}" of ${file} would be lost`;
  if (theirs.negative !== mine.negative && theirs.negative) return `${file} denies something, and the text does not`;
  const kept = [...theirs.terms].filter((term) => mine.terms.has(term)).length;
  return kept >= theirs.terms.size * KEPT_WORDS ? undefined : `too little of what ${file} says would be left`;
}

/** The whole note, its reasons too. */
function read(text: string): Statement {
  return statementOf(text.replace(/\*\*(?:Why|How to apply):?\*\*:?/gu, " "));
}

/** In every form in which a word may be met: a name at the start of a sentence is no name there. */
function wordsOf({ sentences }: Statement): ReadonlySet<string> {
  return new Set(
    sentences.flatMap(({ words }) =>
      words.flatMap(({ term, written }) => [term, term.toLowerCase(), written.toLowerCase()]),
    ),
  );
}

function values({ sentences }: Statement): readonly string[] {
  return sentences.flatMap(valuesIn);
}

function valuesIn({ words }: Sentence): readonly string[] {
  return words.flatMap(({ term, value }) => (value === undefined ? [] : [term.toLowerCase()]));
}

function orderOf(sentence: Sentence): string {
  return ` ${valuesIn(sentence).join(" ")} `;
}
