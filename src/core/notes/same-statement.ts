import type { Sentence, Statement } from "./statement.ts";

/**
 * Whether one sentence says what another says. Timid on purpose: a missed duplicate costs a line, a wrong one a memory.
 * Any difference in a number, a time, a name, a place, a piece of code, a negation or the order of a relation is another
 * statement; so is any other word that carries meaning, for nothing tells the name of a module from a verb.
 */
export function saysTheSame(one: Sentence, other: Sentence): boolean {
  const [first, second] = [weighty(one), weighty(other)];
  if (first.negative !== second.negative || first.words.length === 0) return false;
  if (inOrder(first) === inOrder(second)) return true;
  return (
    !first.relational && !second.relational && valuesOf(first) === valuesOf(second) && asBag(first) === asBag(second)
  );
}

/** Words that two ways of saying the same may differ in. */
const LIGHT: ReadonlySet<string> = new Set(["use", "uses", "used", "using", "anything"]);

/** A sentence is compared with many others: each of its forms is made once. */
function once<T>(make: (sentence: Sentence) => T): (sentence: Sentence) => T {
  const made = new WeakMap<Sentence, { readonly form: T }>();
  return (sentence) => {
    const known = made.get(sentence) ?? { form: make(sentence) };
    made.set(sentence, known);
    return known.form;
  };
}

const weighty = once((sentence): Sentence => ({
  ...sentence,
  words: sentence.words.filter(({ written }) => !LIGHT.has(written.toLowerCase())),
}));

/** Whether every sentence of `inner` stands in `outer`. */
export function isContained(inner: Pick<Statement, "sentences">, outer: Pick<Statement, "sentences">): boolean {
  return inner.sentences.every((sentence) => outer.sentences.some((other) => saysTheSame(sentence, other)));
}

/**
 * Whether every word of `inner`, in order, stands in one sentence of `outer` that says more: perhaps the same, perhaps a
 * wider wish than the one with the words around it. A person decides.
 */
export function isPerhapsContained(inner: Pick<Statement, "sentences">, outer: Pick<Statement, "sentences">): boolean {
  return inner.sentences.every((sentence) => outer.sentences.some((other) => isWithin(sentence, other)));
}

function isWithin(one: Sentence, other: Sentence): boolean {
  const [inner, outer] = [weighty(one), weighty(other)];
  if (inner.negative !== outer.negative || inner.words.length < LEAST_WORDS) return false;
  const has = new Set(outer.words.map(({ term }) => term));
  if (!inner.words.every(({ term }) => has.has(term))) return false;
  const values = (sentence: Sentence): string[] =>
    sentence.words.filter(({ value }) => value !== undefined).map(({ term }) => term);
  const terms = ({ words }: Sentence): string[] => words.map(({ term }) => term);
  if (!isSubsequence(values(inner), values(outer))) return false;
  return !(inner.relational || outer.relational) || isSubsequence(terms(inner), terms(outer));
}

/** Fewer words stand in many a sentence by chance. */
const LEAST_WORDS = 3;

function isSubsequence(wanted: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const one of all) if (one === wanted[at]) at++;
  return at === wanted.length;
}

/** Two ports that change places are another statement, though no word is new. */
function valuesOf({ words }: Sentence): string {
  return words
    .filter(({ value }) => value !== undefined)
    .map(({ term }) => term)
    .join(" ");
}

const inOrder = once(({ words }) => words.map(({ term }) => term).join(" "));
const asBag = once(({ words }) => [...new Set(words.map(({ term }) => term))].toSorted().join(" "));
