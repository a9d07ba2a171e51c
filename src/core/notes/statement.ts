import { once as onFirstUse, readOnce } from "../shared/once.ts";
import { stem } from "./terms.ts";
import { exchangeIn, placesIn } from "./wording/exchange.ts";
import { sentenceEnd } from "./wording/sentence-ends.ts";

/**
 * Some documents of an index are entries of a series, in the order they were said. An entry of a daily log is
 * `2026/11/2026-11-22.md#093939-1f2e3d4c`, and its stamp's `mtimeMs` is its position. A note is a file of its own and
 * belongs to no series.
 */
interface SeriesPlace {
  /** The file that the entries share. */
  readonly series: string;
  /** From 1. */
  readonly number: number;
}

type Placed = { readonly file: string; readonly mtimeMs: number };

export function seriesPlace({ file, mtimeMs }: Placed): SeriesPlace | undefined {
  // Called for every note of every search.
  const at = file.indexOf(".md#");
  return at < 1 || mtimeMs < 1 ? undefined : { series: file.slice(0, at + 3), number: mtimeMs };
}

/** A place as a map key. */
export function placeKey({ series, number }: SeriesPlace): string {
  return `${series}#${number}`;
}

/** How far an entry's neighbours count, and by what share: an answer more often follows a question than precedes it. */
const SURROUNDINGS: readonly (readonly [offset: number, share: number])[] = [
  [-1, 0.5],
  [1, 0.25],
  [-2, 0.2],
  [2, 0.1],
];

/** The places around an entry, nearest first, even where there is no entry; none for a note. */
export function placesAround(entry: Placed): readonly (SeriesPlace & { readonly share: number })[] {
  const place = seriesPlace(entry);
  if (place === undefined) return [];
  return SURROUNDINGS.filter(([offset]) => place.number + offset > 0).map(([offset, share]) => ({
    series: place.series,
    number: place.number + offset,
    share,
  }));
}

/** Whether two entries are direct neighbours; notes never are. */
export function areBeside(one: Placed, other: Placed): boolean {
  const [first, second] = [seriesPlace(one), seriesPlace(other)];
  return first !== undefined && first.series === second?.series && Math.abs(first.number - second.number) === 1;
}

/**
 * Whether two sentences say the same. Cautious on purpose: a missed duplicate costs a line, a wrong one a memory.
 * Any difference in a number, a time, a name, a place, a piece of code, a negation or the order of a relation makes
 * another statement. So does any other meaningful word, because a module's name cannot be told from a verb.
 */
export function saysTheSame(one: Sentence, other: Sentence): boolean {
  const [first, second] = [weighty(one), weighty(other)];
  if (first.negative !== second.negative || first.words.length === 0) return false;
  if (inOrder(first) === inOrder(second)) return true;
  if (first.relational || second.relational || valuesOf(first) !== valuesOf(second)) return false;
  return (
    asBag(first) === asBag(second) && exchangeIn(placesIn(asWritten(first), asWritten(second), Object.is)) === undefined
  );
}

/** Words in which two phrasings of the same statement may differ. */
const LIGHT: ReadonlySet<string> = new Set(["use", "uses", "used", "using", "anything"]);

/** Computes each form of a sentence once, because a sentence is compared with many others. */
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

/** Whether `outer` contains every sentence of `inner`. */
export function isContained(inner: Pick<Statement, "sentences">, outer: Pick<Statement, "sentences">): boolean {
  return inner.sentences.every((sentence) => outer.sentences.some((other) => saysTheSame(sentence, other)));
}

/**
 * Whether each sentence of `inner` has all its words, in order, in one sentence of `outer` that says more. It may mean
 * the same, or a broader wish than the longer sentence. A person decides.
 */
export function isPerhapsContained(inner: Pick<Statement, "sentences">, outer: Pick<Statement, "sentences">): boolean {
  return inner.sentences.every((sentence) => outer.sentences.some((other) => isWithin(sentence, other)));
}

/** As written: another form of a word seldom has its place. */
const asWritten = ({ words }: Sentence): string[] => words.map((word) => word.written.toLowerCase());

const terms = ({ words }: Sentence): string[] => words.map(({ term }) => term);

function isWithin(one: Sentence, other: Sentence): boolean {
  const [inner, outer] = [weighty(one), weighty(other)];
  if (inner.negative !== outer.negative || inner.words.length < LEAST_WORDS) return false;
  const has = new Set(outer.words.map(({ term }) => term));
  if (!inner.words.every(({ term }) => has.has(term))) return false;
  const values = (sentence: Sentence): string[] =>
    sentence.words.filter(({ value }) => value !== undefined).map(({ term }) => term);
  if (!isSubsequence(values(inner), values(outer))) return false;
  return !(inner.relational || outer.relational) || isSubsequence(terms(inner), terms(outer));
}

/** Fewer words occur in many sentences by chance. */
const LEAST_WORDS = 3;

function isSubsequence(wanted: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const one of all) if (one === wanted[at]) at++;
  return at === wanted.length;
}

/** The values of a sentence in order: two swapped ports make another statement, though no word is new. */
function valuesOf({ words }: Sentence): string {
  return words
    .filter(({ value }) => value !== undefined)
    .map(({ term }) => term)
    .join(" ");
}

const inOrder = once(({ words }) => words.map(({ term }) => term).join(" "));

const asBag = once(({ words }) => [...new Set(words.map(({ term }) => term))].toSorted().join(" "));

/** The kind of fact a word carries; two notes that differ in one of these do not say the same. */
export type ValueKind = "number" | "time" | "code" | "name";

export interface StatementWord {
  /** Lower case, stemmed if it is an English word; a pair of characters in scripts without spaces. */
  readonly term: string;
  readonly value: ValueKind | undefined;
  /** One of `not`, `never`, `stop` …, which reverse a statement. */
  readonly isDenial: boolean;
  /** The text as written. */
  readonly written: string;
  /** The word before it in the text, lower case; empty at the start. */
  readonly previous: string;
}

/** One sentence, split into words so that two can be compared without guessing their meaning. */
export interface Sentence {
  /** Words that carry meaning, in order. */
  readonly words: readonly StatementWord[];
  readonly negative: boolean;
  /** States a direction: `before`, `instead of`, `from … to`. The order of words then counts. */
  readonly relational: boolean;
}

export interface Statement {
  readonly sentences: readonly Sentence[];
  /** Distinct terms of all sentences. */
  readonly terms: ReadonlySet<string>;
  readonly negative: boolean;
}

/** The rule of a note, without its reasons. */
export const statementOf = readOnce(readStatement);

function readStatement(body: string): Statement {
  const rule = body.split(/\n[^\S\n]*\*\*(?:Why|How to apply):?\*\*/u)[0] ?? body;
  const sentences = splitSentences(rule)
    .map(readSentence)
    .filter(({ words }) => words.length > 0);
  return {
    sentences,
    terms: new Set(sentences.flatMap(({ words }) => words.map(({ term }) => term))),
    negative: sentences.some(({ negative }) => negative),
  };
}

/** Longer bodies are documents, not statements; only their beginning is compared. */
const MOST_CHARACTERS = 8_000;

/** Breaks between sentences and between list items; "Dr. Halim" is one name. */
export const sentenceBreak = onFirstUse(
  () => new RegExp(String.raw`${sentenceEnd().source}|\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)`, "u"),
);

/** Without one of these there is one sentence, and the pattern for ends is not made. */
const MAY_END = /[.!?]\s|[。！？\n]/u;

function splitSentences(text: string): string[] {
  const beginning = text.slice(0, MOST_CHARACTERS);
  return (MAY_END.test(beginning) ? beginning.split(sentenceBreak()) : [beginning])
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const TOKEN =
  /`([^`\n]{1,200})`|([\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー]+)|([-+~$#@./]{0,3}[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./:@#%+\-'’]*)|([<>]=?|[!=]=|[≤≥≠€£¥$%]|\p{Extended_Pictographic})/gu;

/** Expresses obligation, not direction: "has to", "are supposed to". */
const MODAL = /\b(?:has|have|had|needs?|ought|want|wants|going|supposed|meant|like) to\b/giu;

/**
 * A framing before the statement ("Remember to …", "From now on …"): it asks to keep the rest and says nothing itself.
 * It must not make "Tests" in "Note that Tests …" a name, or "to" and "from" the ends of a relation.
 */
const FRAME =
  /^(?:(?:please |also,? )*(?:(?:note|remember|keep in mind|bear in mind|(?:don['’]?t|do not) forget)(?: that| to)?|just so (?:that )?you know|fyi|nota bene|for the record|from now on|going forward)[:,]?\s+)+(?=\S)/iu;

function readSentence(written: string): Sentence {
  const text = written
    .replace(/^[ \t]*>+[ \t]?/gmu, "")
    .replace(FRAME, "")
    .replace(MODAL, " ");
  const words: StatementWord[] = [];
  let previous = "";
  for (const match of text.matchAll(TOKEN)) {
    const [all, code, unspaced, plain, sign] = match;
    const exact = code ?? sign;
    if (exact !== undefined)
      words.push({ term: exact.trim(), value: "code", isDenial: false, written: exact.trim(), previous });
    else if (unspaced !== undefined) words.push(...pairs(unspaced));
    else if (plain !== undefined) words.push(...wordsOf(plain.replace(/[./:@\-'’]+$/u, ""), previous));
    previous = all.toLowerCase();
  }
  return { words, negative: NEGATIVE.test(text), relational: RELATIONAL.test(text) };
}

function wordsOf(written: string, previous: string): StatementWord[] {
  const lower = written.toLowerCase().replace(/[’]/gu, "'").replace(/'s$/u, "");
  if (lower === "" || (FILLERS.has(lower) && !isProper(written, lower, previous))) return [];
  const value = valueOf(written, lower, previous === "");
  return [
    {
      term: value === "code" ? written : value === undefined ? stem(lower) : lower,
      value,
      isDenial: DENIALS.has(lower),
      written,
      previous,
    },
  ];
}

/** "US", "Will", "plan A": a name, although the word is a filler in lower case. */
function isProper(written: string, lower: string, previous: string): boolean {
  if (/^\p{Lu}{2,}$/u.test(written)) return true;
  return previous !== "" && /^\p{Lu}/u.test(written) && !/^i(?:$|['’])/u.test(lower);
}

function valueOf(written: string, lower: string, isFirst: boolean): ValueKind | undefined {
  if (TIME.test(lower)) return "time";
  if (
    NUMBER_WORDS.has(lower) ||
    /^[\d.,:/%-]*\d[\d.,:/%-]*(?:px|ms|s|m|h|d|k|kb|mb|gb|am|pm|st|nd|rd|th|x)?$/u.test(lower)
  )
    return "number";
  if (/\p{N}|[_/@#]|\p{Ll}\p{Lu}|[.:]\p{L}|^[-+~$.@#/]\p{L}|^--/u.test(written) || /^\p{Lu}{2,}$/u.test(written))
    return "code";
  return !isFirst && /^\p{Lu}/u.test(written) ? "name" : undefined;
}

/** Text without spaces: every pair of characters is a word; which of them are values is unknown. */
function pairs(run: string): StatementWord[] {
  const characters = [...run];
  if (characters.length === 1) return [{ term: run, value: undefined, isDenial: false, written: run, previous: "" }];
  return characters.slice(1).map((character, index) => ({
    term: `${characters[index] ?? ""}${character}`,
    value: undefined,
    isDenial: false,
    written: character,
    previous: "",
  }));
}

const TIME =
  /^(?:mon|tues?|wednes|wed|thurs?|fri|satur|sat|sun)(?:days?)?$|^(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$|^\d{4}-\d{2}(?:-\d{2})?$|^(?:noon|midnight|morning|evening|afternoon|today|tomorrow|yesterday|daily|weekly|monthly|yearly|hourly|quarterly|q[1-4])$/u;

const NUMBER_WORDS: ReadonlySet<string> = new Set(
  "zero one two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand first second third fourth twice thrice half double".split(
    " ",
  ),
);

const NEGATIVE =
  /\b(?:don['’]?t|do not|never|not|no longer|no|stop|avoid|without|shouldn['’]?t|mustn['’]?t|can['’]?t|cannot|won['’]?t|isn['’]?t|aren['’]?t|forbidden|ban(?:ned)?|refuse)\b|不要|别|禁止|不|ない|마(?:세요|라)|않|\bnicht\b|\bkeine?\b|\bnie\b|\bjamais\b|\bpas\b|\bnunca\b|\bnão\b|\bniemals\b|\bkeinen\b|(?<!\p{L})не(?!\p{L})|никогда/iu;

const DENIALS: ReadonlySet<string> = new Set([
  "not",
  "don't",
  "dont",
  "never",
  "no",
  "longer",
  "stop",
  "avoid",
  "without",
  "shouldn't",
  "mustn't",
  "can't",
  "cannot",
  "won't",
  "isn't",
  "aren't",
  ..."nicht nie niemals kein keine keinen ne pas jamais nunca jamás não non mai не никогда нет".split(" "),
]);

const RELATIONAL =
  /\b(?:before|after|instead|rather|than|over|from|to|into|onto|replaces?|replaced|depends?|blocks?|calls?|owns?|not|never|without|unless|until|while|if|when|only|except|between|against|above|below|under)\b|['’]t\b|之前|之后|代替|而不是|より|前に|後に|\b(?:vor|nach|statt|avant|après|antes|después|depois)\b|(?<!\p{L})(?:до|после|вместо)(?!\p{L})/iu;

/** Words that a statement can do without; negations and conditions are not among them. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    "a an the and or of for in on at by with as is are was were be been being it its it's this that these those there here we our us you your i my me they their them " +
    "please kindly just really very also too so then well now ok okay hey remember note that's which who whose what do does did done have has had will would should shall must can could may might " +
    "make sure all every each always actually basically simply generally usually think want wants like need needs us let's lets going gonna immer toujours siempre sempre всегда"
  ).split(" "),
);
