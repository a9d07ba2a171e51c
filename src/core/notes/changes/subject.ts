import { ARTICLES, FROM, PREPOSITIONS, TOWARDS } from "./grammar.ts";
import { haveOneMeasure, isMeasure, isTurnedDown, type Pair } from "./pair.ts";
import { isVerb } from "./relations.ts";
import { has, isIn, saidOnlyIn, type Swap, swapsOf, wordsThatEnd } from "./slots.ts";
import { tellsChange } from "./told.ts";
import type { SignName } from "./signs.ts";
import type { Word, Wording } from "./wording.ts";

/** Whether what a statement changes belongs to another thing than the note is about. */
export function isOfAnotherSubject(pair: Pair): boolean {
  return (
    leavesAnother(pair) ||
    movesAnother(pair) ||
    turnsDownForAnother(pair) ||
    endsForPerson(pair) ||
    namesAnother(pair) ||
    endsAnotherValue(pair) ||
    (isNumbered(pair) && !tellsChange(pair))
  );
}

/**
 * It says what held before of another thing than the note: "the Linux build moved from Clang 15 to Clang 17", of a note
 * that the macOS build uses Clang 15; or "no longer 8090", of a note about 8085.
 */
function leavesAnother(pair: Pair): boolean {
  const left = leftBehind(pair.after);
  if (left.length === 0) return false;
  if (!pair.shared.some(({ term }) => has(left, term))) return holdsAnother(left, pair);
  const isSubject = ({ old, own, isFirst }: Swap): boolean =>
    isFirst && !isVerb(old) && !isVerb(own) && !isMeasure(own);
  return swapsOf(pair).some(isSubject) || hasOtherModifier(pair, left);
}

/**
 * "The redesign goes live on 12 May" is not what "the export slipped to 2 June" speaks of: what moved or got another
 * measure is what the note begins with, unless something is said to be over or to stand in its place.
 */
function movesAnother(pair: Pair): boolean {
  const { after, before, onlyBefore, onlyAfter } = pair;
  const says = (...signs: readonly SignName[]): boolean => signs.some((sign) => after.signs.has(sign));
  if (!says("moved", "adjusted") || says("over", "departed", "instead")) return false;
  // "Backup retention is 90 days now, up from 30", of log retention.
  const isNoun = (word: Word): boolean => word.kind === "word" && !isVerb(word);
  if (swapsOf(pair).some(({ old, own, isFirst }) => isFirst && isNoun(old) && isNoun(own))) return true;
  if (!haveOneMeasure(onlyBefore, onlyAfter)) return false;
  const subject = subjectOf(before);
  return !subject.every(isVerb) && subject.every(({ term }) => has(onlyBefore, term));
}

/** The first words up to a light word, a verb or a measure: "file uploads" of "file uploads are limited to 10 MB". */
function subjectOf({ words }: Wording): readonly Word[] {
  const isNoun = (word: Word): boolean => !word.isLight && !isMeasure(word);
  const start = words.findIndex(isNoun);
  // "Release" may be a verb, but not where the subject begins.
  const end = words.findIndex((word, at) => at > start && (!isNoun(word) || isVerb(word)));
  return start === -1 ? [] : words.slice(start, end === -1 ? undefined : end);
}

/** "Retries of uploads wait 90 seconds, not 20", of what retries of mails wait. */
function turnsDownForAnother(pair: Pair): boolean {
  const isNoun = (word: Word): boolean => word.kind === "word" && !isVerb(word) && !UNSPACED.test(word.lower);
  return isTurnedDown(pair) && swapsOf(pair).some(({ old, own }) => isNoun(old) && isNoun(own));
}

/** "Ingrid is no longer chair", of Ingrid, the CTO: the two share nothing but a person. */
function endsForPerson({ after, shared }: Pair): boolean {
  return after.signs.has("over") && !after.capitalsAreNouns && shared.every(isPerson);
}

/** "We dropped Python 3.9", of a note about Python 3.11: another number behind the same name. */
function endsAnotherValue(pair: Pair): boolean {
  const { after, before } = pair;
  const follows = ({ words }: Wording, word: Word, left: Word): boolean =>
    words[words.indexOf(word) - 1]?.term === left.term;
  return (
    after.signs.has("over") &&
    swapsOf(pair).some(
      ({ old, own, left }) =>
        left !== undefined &&
        own.kind === "number" &&
        old.kind === "number" &&
        follows(after, own, left) &&
        follows(before, old, left),
    ) &&
    pair.onlyAfter.filter(({ kind }) => kind === "number").length === 1
  );
}

/** What it names is not what the note is about, whatever its parts say. */
export function namesAnother(pair: Pair): boolean {
  return isOfLongerName(pair) || staysAsItIs(pair);
}

/** "React Router is out", of a note about React. In German every noun has a capital letter. */
function isOfLongerName({ after, shared, onlyAfter }: Pair): boolean {
  if (after.capitalsAreNouns || after.words.some(({ lower }) => UNSPACED.test(lower))) return false;
  const isLonger = (words: readonly Word[], at: number): boolean => {
    const next = words[at + 1];
    return next?.kind === "name" && has(onlyAfter, next.term);
  };
  return shared.some(({ term, kind }) => {
    const places = after
      .clauses()
      .flatMap(({ words }) => words.flatMap((word, at) => (word.term === term ? [{ words, at }] : [])));
    return kind === "name" && places.length > 0 && places.every(({ words, at }) => isLonger(words, at));
  });
}

/** Their words stand side by side, since what joins them is left out. */
const UNSPACED = /[\p{sc=Han}\p{sc=Katakana}]/u;

/** "The admin panel is in Svelte now; the frontend stays as it is", of a note about the frontend. */
function staysAsItIs({ after, before }: Pair): boolean {
  const subject = before.content.slice(0, 1);
  const clauses = after.clauses();
  const stays = ({ signs, content }: Wording): boolean => signs.has("stays") && !content.some(isMeasure);
  return clauses.length > 1 && clauses.some((one) => stays(one) && one.content.some((word) => isIn(subject, word)));
}

/** A name, as far as is known of a person. */
function isPerson({ kind, tool, setting }: Word): boolean {
  return kind === "name" && tool === undefined && setting === undefined;
}

/** "Severity 1 incidents", "severity 3 incidents" */
export function isNumbered({ after, before, onlyBefore, onlyAfter }: Pair): boolean {
  return isNumberedEarly(before, onlyBefore) && isNumberedEarly(after, onlyAfter);
}

function isNumberedEarly({ words }: Wording, own: readonly Word[]): boolean {
  return words.some(
    ({ kind, term }, at) => kind === "number" && at * 2 < words.length && own.some((one) => one.term === term),
  );
}

/** What it turns down, the amounts that it says are over, and what stands between "from" and "to". */
function leftBehind(after: Wording): readonly Word[] {
  const { words, rejected } = after;
  const over = wordsThatEnd(after).filter(isMeasure);
  return [...words.filter(({ term }) => rejected().has(term)), ...over, ...betweenFromAndTo(words)].filter(isThing);
}

function isThing({ kind, tool, isLight }: Word): boolean {
  return !isLight && (kind !== "word" || tool !== undefined);
}

/** X of "from X to Y", if both are of one kind. */
function betweenFromAndTo(words: readonly Word[]): readonly Word[] {
  const from = words.findIndex(({ lower }) => FROM.has(lower));
  const to = words.findIndex(({ lower }, at) => at > from && TOWARDS.has(lower));
  if (from === -1 || to === -1 || to - from > MOST_BETWEEN) return [];
  const [between, then] = [words.slice(from + 1, to), words.slice(to + 1, to + MOST_BETWEEN)];
  return between.filter((word) => then.some((one) => isThing(one) && one.kind === word.kind));
}

/** Words of a value, articles included. */
const MOST_BETWEEN = 5;

/** The note has a value of the kind that is left behind, but another. */
function holdsAnother(left: readonly Word[], { onlyBefore }: Pair): boolean {
  return onlyBefore.some(({ kind }) => kind !== "word" && left.some((word) => word.kind === kind));
}

/** "The Windows build", "the Linux build"; "panel of the seller", "panel of the buyer": beside a word that both have. */
function hasOtherModifier(pair: Pair, left: readonly Word[]): boolean {
  const { after, before, onlyBefore, shared } = pair;
  const own = saidOnlyIn(pair);
  const follow = ({ words }: Wording, all: readonly Word[]): ReadonlyMap<string, Word> => {
    const content = words.filter(({ isLight }) => !isLight);
    const half = content.slice(0, Math.ceil(content.length / 2));
    return new Map(
      half.flatMap((word) => {
        const rest = words.slice(words.indexOf(word) + 1);
        const next = rest.find(({ lower }) => !PREPOSITIONS.has(lower) && !ARTICLES.has(lower));
        const isHead = has(shared, word.term) && !isMeasure(word) && !has(left, word.term);
        return isHead && next !== undefined && has(all, next.term) ? [[word.term, next]] : [];
      }),
    );
  };
  const then = follow(before, onlyBefore);
  return [...follow(after, own)].some(([head, word]) => {
    const other = then.get(head);
    return other !== undefined && !isVerb(other) && !isVerb(word);
  });
}
