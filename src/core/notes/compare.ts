import { isContained, saysTheSame, type Sentence, type Statement, type StatementWord } from "./statement.ts";

/** How one note relates to another. */
export type Likeness =
  /** Both say the same; nothing is lost if one of them is removed. */
  | { readonly kind: "same" }
  /** One note (`inner`) has all its sentences in the other. */
  | { readonly kind: "contained"; readonly inner: "first" | "second" }
  /** They are about one subject and differ in one value, or one negates the other. */
  | { readonly kind: "contradicts"; readonly first: string; readonly second: string }
  | { readonly kind: "different" };

const DIFFERENT: Likeness = { kind: "different" };

/** Shorter statements match too easily. */
const LEAST_TERMS = 3;
/** Words of the common subject required before the value in which two statements differ. */
const SUBJECT_WORDS = 2;

/**
 * Compares two statements by their words alone. Cautious on purpose: a missed duplicate costs a line, a wrong one
 * a memory. Any difference in a number, a time, a name, a piece of code, a negation or the order of a relation keeps
 * two notes apart.
 */
export function compareStatements(first: Statement, second: Statement): Likeness {
  const [a] = first.sentences;
  const [b] = second.sentences;
  if (a === undefined || b === undefined) return DIFFERENT;
  const firstIn = isContained(first, second);
  const secondIn = isContained(second, first);
  if (firstIn && secondIn) return { kind: "same" };
  if (first.terms.size < LEAST_TERMS || second.terms.size < LEAST_TERMS) return denial(a, b);
  if (firstIn || secondIn) return { kind: "contained", inner: firstIn ? "first" : "second" };
  if (saysTheSame(whole(first), whole(second))) return { kind: "same" };
  // Only the first sentences are compared; the rest explains.
  return a.negative === b.negative ? oneValueApart(a, b) : denial(a, b);
}

const wholes = new WeakMap<Statement, Sentence>();

/** All sentences as one, for texts that differ only in where sentences end. */
function whole(statement: Statement): Sentence {
  const { sentences } = statement;
  const known = wholes.get(statement) ?? {
    words: sentences.flatMap(({ words }) => words),
    negative: sentences.some(({ negative }) => negative),
    relational: sentences.length > 1 || sentences.some(({ relational }) => relational),
  };
  wholes.set(statement, known);
  return known;
}

/** The same words with and without a negation: "squash commits", "don't squash commits". */
function denial(first: Sentence, second: Sentence): Likeness {
  const bare = ({ words }: Sentence): string =>
    words
      .filter(({ isDenial }) => !isDenial)
      .map(({ term }) => term)
      .join(" ");
  return first.negative !== second.negative && first.words.length > 1 && bare(first) === bare(second)
    ? { kind: "contradicts", first: written(first), second: written(second) }
    : DIFFERENT;
}

function oneValueApart(first: Sentence, second: Sentence): Likeness {
  if (first.words.length !== second.words.length) return DIFFERENT;
  const apart = first.words.flatMap((a, at) => {
    const b = second.words[at];
    return b === undefined || a.term === b.term ? [] : [{ at, a, b }];
  });
  const [value, ...others] = apart;
  if (value === undefined || others.length > 0 || !areRivals(value.a, value.b)) return DIFFERENT;
  return isSaidOfSubject(first, value.at)
    ? { kind: "contradicts", first: value.a.written, second: value.b.written }
    : DIFFERENT;
}

/** Whether the value is what a sentence states, not its subject: "port 8080" of a service, not the service's name. */
function isSaidOfSubject({ words }: Sentence, at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.value === "number" && at === SUBJECT_WORDS - 1) return UNIT.test(words[at + 1]?.written ?? "");
  if (at < SUBJECT_WORDS) return false;
  return word.value === "number" || word.value === "time" || SAYING.has(word.previous);
}

const UNIT =
  /^(?:times?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|characters?|lines?|tokens?|bytes?|[kmg]b)$/iu;
/** Words after which a name or a piece of code is what the sentence states. */
const SAYING: ReadonlySet<string> = new Set(
  "is are was were be named called by use uses using on at in to port version branch tag".split(" "),
);

function areRivals(a: StatementWord, b: StatementWord): boolean {
  return a.value !== undefined && a.value === b.value;
}

function written({ words }: Sentence): string {
  return words.map((word) => word.written).join(" ");
}
