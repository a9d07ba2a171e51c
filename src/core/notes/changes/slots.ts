import { ARTICLES, AUXILIARIES, PREPOSITIONS } from "./grammar.ts";
import { ALIKE, isMeasure, type Pair } from "./pair.ts";
import { isVerb } from "./relations.ts";
import { signsIn } from "./signs.ts";
import { isUnspaced } from "./unspaced.ts";
import lists from "./values.json" with { type: "json" };
import { likeness, NEGATIONS, type Word, type Wording } from "./wording.ts";

/**
 * Whether a statement is about another thing than the note, or about a part of it, by where the two differ: "Globex no
 * longer wants exports" is not about Acme's, nor "no longer for queues" about sessions. A value that changes stands in
 * one place; whoever or whatever it is about stays.
 */
export function isAboutAnother(pair: Pair): boolean {
  const { signs } = pair.after;
  const swaps = swapsOf(pair);
  const isOneValue = swaps.length === 1 && !swaps.some(isOfThings);
  if ((signs.has("over") || signs.has("departed")) && !(isOneValue && isMoved(pair, swaps)))
    return isOverElsewhere(pair, swaps) || isNarrower(pair);
  const others = saidOnlyIn(pair).filter(({ term }) => !swaps.some(({ own }) => own.term === term));
  if (others[0] !== undefined && others[0] === pair.after.content[0] && isQualified(pair, others)) return true;
  const near = wordsAboutNote(pair);
  const ofNote = others.filter(({ term }) => has(near, term));
  const isInPlaces = new Set(swaps.map(({ left }) => left)).size > 1 || swaps.some((swap) => areGoverned(swap, pair));
  return swaps.length > 1 && isInPlaces
    ? swaps.some(isOfThings) && areAll(pair.onlyBefore, swaps) && ofNote.length === 0
    : isOneValue && ofNote.length === 1 && isQualified(pair, ofNote);
}

/**
 * "Has passed to 500" is over, too. Of "customer Hooli no longer gets releases; they moved", what moved is another part
 * of the statement.
 */
function isMoved({ after }: Pair, swaps: readonly Swap[]): boolean {
  const ended = wordsThatEnd(after);
  return (after.signs.has("moved") || after.signs.has("adjusted")) && !swaps.some(({ own }) => has(ended, own.term));
}

/** Words in the same place of both statements, between the same words. */
export interface Swap {
  readonly old: Word;
  readonly own: Word;
  /** Each begins its statement. */
  readonly isFirst: boolean;
  /** Each follows the first word of its statement: "Client K", "Client M". */
  readonly isEarly: boolean;
  /** The word before it in the older statement. */
  readonly left: Word | undefined;
}

function isOfThings({ old, own }: Swap): boolean {
  return old.kind === "word" || old.kind !== own.kind;
}

/** "The limit of the tuggers is 3 t", "the limit on the stackers got cut to 1.2 t" */
function areGoverned({ old, own }: Swap, { after, before }: Pair): boolean {
  const isGoverned = ({ words }: Wording, word: Word): boolean => {
    const previous = words[words.indexOf(word) - 1]?.lower ?? "";
    return word.kind === "word" && (ARTICLES.has(previous) || PREPOSITIONS.has(previous));
  };
  return isGoverned(before, old) && isGoverned(after, own);
}

function areAll(words: readonly Word[], swaps: readonly Swap[]): boolean {
  return words.every((word) => swaps.some(({ old }) => old.term === word.term));
}

/**
 * "Ben no longer works from Berlin": the two differ in nothing but whom, where or what it is over for. Whoever comes
 * first is enough if it is their part that is over.
 */
function isOverElsewhere(pair: Pair, swaps: readonly Swap[]): boolean {
  const { after, onlyBefore, shared } = pair;
  const over = clauseThatEnds(after)?.content ?? [];
  const isOver = ({ own }: Swap): boolean => has(over, own.term);
  const isOfAnother = swaps.some(
    (swap) => isOver(swap) && (swap.isFirst || (swap.isEarly && isOfNouns(swap, pair) && !isUnspaced(swap.own.lower))),
  );
  if (isOfAnother && shared.filter((word) => isIn(over, word)).length > 1) return true;
  const isWhose = ({ old, own, isEarly }: Swap): boolean => isEarly && old.kind === "name" && own.kind === "name";
  const isAnother = (swap: Swap): boolean => isOfNouns(swap, pair) && (swap.isFirst || isOver(swap) || isWhose(swap));
  return swaps.length > 0 && areAll(onlyBefore, swaps) && swaps.some(isAnother);
}

/**
 * "Commit messages no longer need …", of what they "have to contain": a verb is not a thing, nor is an amount, unless it
 * comes early and is part of a name.
 */
function isOfNouns({ old, own }: Swap, { after, before }: Pair): boolean {
  const isLate = (word: Word, { words }: Wording): boolean => words.indexOf(word) * 2 >= words.length;
  const isAmount = isMeasure(old) && isMeasure(own) && isLate(old, before) && isLate(own, after);
  return !isVerb(old) && !isVerb(own) && !isAmount;
}

/** The words of the part that says that something is over, if there are other parts. */
export function wordsThatEnd(after: Wording): readonly Word[] {
  return after.clauses().length > 1 ? (clauseThatEnds(after)?.content ?? []) : [];
}

function clauseThatEnds({ clauses }: Wording): Wording | undefined {
  return clauses().find(({ signs }) => signs.has("over"));
}

const found = new WeakMap<Pair, readonly Swap[]>();

/** Cached, since several questions about a pair need them. */
export function swapsOf(pair: Pair): readonly Swap[] {
  const swaps = found.get(pair) ?? findSwaps(pair);
  found.set(pair, swaps);
  return swaps;
}

function findSwaps({ after, before, onlyAfter, onlyBefore }: Pair): readonly Swap[] {
  const now = gapsOf(after.words, onlyAfter);
  return gapsOf(before.words, onlyBefore).flatMap((gap) => {
    const same = now.find((other) => isNeighbour(gap.left, other.left) && isNeighbour(gap.right, other.right));
    const isFirst = gap.left === undefined;
    const isEarly = gap.at === 1 && same?.at === 1;
    const { left } = gap;
    return pairsOf(gap.words, same?.words ?? []).map(([old, own]) => ({ old, own, isFirst, isEarly, left }));
  });
}

interface Gap {
  /** The number of words before it. */
  readonly at: number;
  readonly left: Word | undefined;
  readonly words: readonly Word[];
  readonly right: Word | undefined;
}

/** The stretches of words that only one of the two has, without signs of a change, each between two shared words. */
function gapsOf(words: readonly Word[], own: readonly Word[]): readonly Gap[] {
  const content = withoutSigns(words, own).filter(({ isLight, lower }) => !isLight && !AUXILIARIES.has(lower));
  const isOwn = (word: Word | undefined): boolean => word !== undefined && has(own, word.term);
  const gaps: Gap[] = [];
  for (let at = 0; at < content.length;) {
    let end = at;
    while (isOwn(content[end])) end++;
    if (end > at) gaps.push({ at, left: content[at - 1], words: content.slice(at, end), right: content[end] });
    at = end + 1;
  }
  return gaps;
}

/** A value stands for one of its kind, and what precedes it for what precedes that one. */
function pairsOf(then: readonly Word[], now: readonly Word[]): readonly (readonly [Word, Word])[] {
  const at = then.findIndex(({ kind }) => kind !== "word" && now.some((one) => one.kind === kind));
  if (at < 0) return zipped(then, now);
  const other = now.findIndex(({ kind }) => kind === then[at]?.kind);
  const things = at === other ? zipped(then.slice(0, at), now.slice(0, other)) : [];
  return [...things, ...zipped(then.slice(at, at + 1), now.slice(other))];
}

/** The last word of the shorter stretch stands for all that is left of the longer. */
function zipped(then: readonly Word[], now: readonly Word[]): readonly (readonly [Word, Word])[] {
  return then.flatMap((word, at): [Word, Word][] => {
    const other = now[Math.min(at, now.length - 1)];
    return other === undefined ? [] : [[word, other]];
  });
}

function isNeighbour(one: Word | undefined, other: Word | undefined): boolean {
  return one === undefined || other === undefined ? one === other : likeness(one, other) >= ALIKE;
}

/** Words that only the new statement has, without signs of a change. */
export function saidOnlyIn({ after, onlyAfter }: Pair): readonly Word[] {
  return withoutSigns(after.words, onlyAfter).filter(({ isLight, term }) => !isLight && has(onlyAfter, term));
}

/** Leaves out those of its own words that negate, or are or complete a sign: "moved", "longer" of "no longer". */
function withoutSigns(words: readonly Word[], own: readonly Word[]): readonly Word[] {
  return words.filter(({ term }, at) => !has(own, term) || !isOfSign(words, at));
}

const ofSigns = new WeakMap<readonly Word[], Map<number, boolean>>();

/** Cached, since a statement is compared with several notes. */
function isOfSign(words: readonly Word[], at: number): boolean {
  const known = ofSigns.get(words) ?? new Map<number, boolean>();
  ofSigns.set(words, known);
  const is = known.get(at) ?? completesSign(words, at);
  known.set(at, is);
  return is;
}

function completesSign(words: readonly Word[], at: number): boolean {
  const lower = words[at]?.lower ?? "";
  if (NEGATIONS.has(lower)) return true;
  const [before = "", after = ""] = [words[at - 1]?.lower, words[at + 1]?.lower];
  const around: readonly (readonly [string, string])[] = [
    ["", ""],
    [before, ""],
    ["", after],
    [before, after],
  ];
  return around.some(
    ([left, right]) => signsIn(`${left} ${lower} ${right}`).size > 0 && signsIn(left).size + signsIn(right).size === 0,
  );
}

/**
 * Whether a statement is about less than the note: a part ("Testserver", "the endpoint of the API"), one purpose ("for
 * refunds"), some days, or one of two things that the note names.
 */
export function isOfLess(pair: Pair): boolean {
  const { after, before } = pair;
  const isPart = after.words.some(
    ({ lower, kind, tool }) =>
      kind !== "code" &&
      tool === undefined &&
      before.content.some(
        (word) =>
          word.lower.length >= SHORTEST_PART &&
          lower !== word.lower &&
          lower.endsWith(word.lower) &&
          lower !== `re${word.lower}`,
      ),
  );
  const isOneOfTwo = after.signs.has("stays") && before.words.some(({ lower }) => CONJUNCTIONS.has(lower));
  if (isPart || isOneOfTwo || isOfPart(pair) || isForOneOfTwo(pair) || isSetApart(pair) || hasLongerSubject(pair))
    return true;
  const near = wordsAboutNote(pair);
  return near.some((_, at) => isForOne(near.slice(at), pair) && !isOfSign(near, at));
}

/** "On my laptop the API listens on 9443": it begins with where that holds, which the note does not say. */
function isSetApart({ after, before }: Pair): boolean {
  const [first, ...next] = after.words.slice(0, WORDS_OF_PLACE);
  const isFresh = (word: Word): boolean =>
    word.setting !== undefined && !before.words.some(({ setting }) => setting === word.setting);
  return PREPOSITIONS.has(first?.lower ?? "") && next.some(isFresh);
}

/** "On my laptop", "auf meinem Laptop" */
const WORDS_OF_PLACE = 4;

/** "The API health check listens", where the note has the verb right behind its subject. */
function hasLongerSubject({ after, before, onlyAfter }: Pair): boolean {
  const then = before.words.filter(({ isLight }) => !isLight);
  return after.clauses().some(({ words }) => {
    const now = withoutSigns(words, onlyAfter).filter(({ isLight }) => !isLight);
    return then.some((subject, at) => {
      const verb = then[at + 1];
      const [from, to] = [subject, verb].map((word) => now.findIndex(({ term }) => term === word?.term));
      if (verb === undefined || from === undefined || to === undefined) return false;
      if (from === -1 || !isVerb(verb) || isUnspaced(verb.lower)) return false;
      const between = to > from ? now.slice(from + 1, to) : [];
      return between.length > 0 && between.every(({ kind, term }) => kind === "word" && has(onlyAfter, term));
    });
  });
}

/** The words of the clauses that share a word with the note, and of those such as ", for the docs site". */
function wordsAboutNote({ after, shared }: Pair): readonly Word[] {
  return after
    .clauses()
    .flatMap(({ content, words }) =>
      PURPOSES.has(words[0]?.lower ?? "") || content.some((word) => isIn(shared, word)) ? words : [],
    );
}

/** "The metrics endpoint of the API", "le serveur de test", of a note about the API or the server. */
function isOfPart({ after: { words, content }, onlyAfter, shared }: Pair): boolean {
  const isOwn = (word: Word | undefined): boolean => word?.kind === "word" && has(onlyAfter, word.term);
  const at = words.findIndex((word) => isIn(shared, word));
  const first = words.findIndex((word) => word === content[0]);
  // "We got rid of it" speaks of the whole.
  const isPart = isOwn(content[0]) && !isOfSign(words, first);
  // "As of this release" says when.
  const isWhole = ({ lower }: Word, index: number): boolean => WHOLES.has(lower) && words[index - 1]?.lower !== "as";
  const isOfWhole = isPart && words.slice(0, Math.max(at, 0)).some(isWhole);
  // "The checkout service's metrics endpoint", of the checkout service.
  const last = words.findIndex((word, own) => own >= at && (word.isOwner || !isIn(shared, word)));
  const isOwned = words[last]?.isOwner === true && isIn(shared, words[last]) && isOwn(words[last + 1]);
  return isOfWhole || isOwned || (PARTS.has(words[at + 1]?.lower ?? "") && isOwn(words[at + 2]));
}

/** "For the docs site", "on Sundays", where the note says nothing of it. */
function isForOne([preposition, ...rest]: readonly Word[], { after, before, onlyAfter, shared }: Pair): boolean {
  // "We upgraded it on Sunday": when it happened.
  const isEvent = after.signs.has("moved") || after.signs.has("adjusted");
  const next = rest.find(({ isLight }) => !isLight);
  if (preposition === undefined || next === undefined || !has(onlyAfter, next.term)) return false;
  if (PURPOSES.has(preposition.lower))
    return next.kind === "word" && next.tool === undefined && !governsShared(rest, shared);
  if (isEvent && !next.lower.endsWith("s")) return false;
  return ON_DAYS.has(preposition.lower) && next.kind === "day" && !before.content.some(({ kind }) => kind === "day");
}

/** "Pour envoyer les mails", of a note about mails: a verb and its object. */
function governsShared([verb, article, object]: readonly Word[], shared: readonly Word[]): boolean {
  return verb?.isLight === false && ARTICLES.has(article?.lower ?? "") && object !== undefined && isIn(shared, object);
}

/** Letters that a word has at least in a compound: "server" in "Testserver". */
const SHORTEST_PART = 5;

const PURPOSES: ReadonlySet<string> = new Set(lists.purposes.split(" "));
const WHOLES: ReadonlySet<string> = new Set(lists.wholes.split(" "));
const PARTS: ReadonlySet<string> = new Set(lists.parts.split(" "));
const ON_DAYS: ReadonlySet<string> = new Set(lists["on days"].split(" "));

/** "The site no longer uses Bazel", where the note says that the server and the site use it: the server still does. */
function isForOneOfTwo({ after, before, onlyBefore }: Pair): boolean {
  const isOver = after.signs.has("over") || after.signs.has("departed");
  const isContent = ({ isLight }: Word): boolean => !isLight;
  return before.words.some(({ lower }, at) => {
    // What is joined later may be two values.
    if (!CONJUNCTIONS.has(lower) || (!isOver && at * 2 >= before.words.length)) return false;
    const left = before.words.slice(0, at).findLast(isContent);
    const right = before.words.slice(at + 1).find(isContent);
    return has(onlyBefore, left?.term ?? "") !== has(onlyBefore, right?.term ?? "");
  });
}

/** "… no longer for incidents", of a note that says so in general. What follows a "but" is what holds instead. */
function isNarrower(pair: Pair): boolean {
  const { after, onlyBefore, shared } = pair;
  const own = saidOnlyIn(pair);
  if (onlyBefore.length > 0 || own.length === 0) return false;
  if (!after.isNegative && (own.length > 1 || after.clauses().length > 1)) return false;
  const words = clauseThatEnds(after)?.words ?? [];
  const but = words.findIndex(({ lower }) => CONTRASTS.has(lower));
  const clause = but < 1 ? words : words.slice(0, but);
  const last = clause.findLastIndex((word) => isIn(shared, word));
  const narrows = ({ term }: Word): boolean => {
    const at = clause.findIndex((word) => word.term === term);
    return at > last && clause.slice(last + 1, at).some(({ lower }) => PREPOSITIONS.has(lower));
  };
  return own.every(narrows);
}

/** "The premium trial", of a note about the trial. */
function isQualified({ after, before, shared }: Pair, [qualifier]: readonly Word[]): boolean {
  const next = after.words[after.words.findIndex(({ term }) => term === qualifier?.term) + 1];
  if (next === undefined || qualifier === undefined || qualifier.kind === "number" || !isIn(shared, next)) return false;
  const there = before.words.findIndex((one) => likeness(one, next) >= ALIKE);
  const previous = before.words[there - 1];
  return there === 0 || (previous?.isLight === true && !AUXILIARIES.has(previous.lower));
}

export function has(words: readonly Word[], wanted: string): boolean {
  return words.some(({ term }) => term === wanted);
}

export function isIn(words: readonly Word[], word: Word): boolean {
  return words.some((one) => likeness(one, word) >= ALIKE);
}

const CONTRASTS: ReadonlySet<string> = new Set(lists.contrasts.split(" "));

const CONJUNCTIONS: ReadonlySet<string> = new Set(lists.conjunctions.split(" "));
