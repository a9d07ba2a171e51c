import { once } from "../../shared/once.ts";
import { type ClassScores, namedScores } from "../../shared/linear.ts";
import { withoutAside } from "./asides.ts";
import {
  featuresOf,
  hasValue,
  haveOneKind,
  haveOneMeasure,
  isName,
  isOpposed,
  isTurnedDown,
  type Pair,
  pairOf,
  settingsApart,
} from "./pair.ts";
import { isPole, polesApart } from "./poles.ts";
import { isRestated, leastOfSame, mayBeSame, wordsApart } from "./restated.ts";
import type { SignName } from "./signs.ts";
import { isAboutAnother, isIn, isOfLess, saidOnlyIn, type Swap, swapsOf } from "./slots.ts";
import { isNumbered, isOfAnotherSubject } from "./subject.ts";
import { announcesChange, isFresh, isOneMore, SIGNS_OF_NEWS, tellsChange } from "./told.ts";
import type { ChangeKind } from "./value.ts";
import lists from "./values.json" with { type: "json" };
import stored from "./weights.json" with { type: "json" };
import type { Word, Wording } from "./wording.ts";

/** What learned weights conclude from a new statement and an older one. */
export interface Judgement {
  /** The chance that the older one no longer holds, or perhaps no longer. */
  readonly change: number;
  /** The chance that the new one replaces it; 0 if the form of the two does not allow that. */
  readonly replaces: number;
  /** It says more about the same, rather than something unrelated. */
  readonly refines: boolean;
  /** The chance that it says the same in other words; 0 if one has a value that the other lacks. */
  readonly same: number;
  /** All words of the one are in the other, one at most aside, and it is more likely the same than not. */
  readonly isRestated: boolean;
  /** Where it speaks of what the note speaks of, it has no new word but values, one at most aside. */
  readonly isOfNothingElse: () => boolean;
  /** It is worded as unsure or hearsay, and more likely contradicts than replaces. */
  readonly isDoubtful: boolean;
  /** It is a question, or tells of a plan. */
  readonly isUndecided: boolean;
  /** It says in its own words that something changed. */
  readonly isTold: boolean;
  /** One denies what the other asserts, or names the opposite. */
  readonly isOpposed: boolean;
}

/** What a statement may do to a note, in the order of the scores. */
export const EFFECTS = [
  "beside",
  "same",
  "refines",
  "replaces",
  "contradicts",
] as const satisfies readonly ChangeKind[];

const SCORES = once(() => namedScores(stored, EFFECTS));

const judged = new WeakMap<Wording, WeakMap<Wording, Judgement>>();

/** Cached: a statement is compared with the same notes once for each type that it may have. */
export function judge(after: Wording, before: Wording): Judgement {
  const known = judged.get(after) ?? new WeakMap<Wording, Judgement>();
  judged.set(after, known);
  const judgement = known.get(before) ?? judgePair(pairOf(after, before), SCORES());
  known.set(before, judgement);
  return judgement;
}

/** The judgement of two statements that share no word. */
export const NO_JUDGEMENT: Judgement = {
  change: 0,
  replaces: 0,
  refines: false,
  same: 0,
  isRestated: false,
  isOfNothingElse: () => false,
  isDoubtful: false,
  isUndecided: false,
  isTold: false,
  isOpposed: false,
};

/** How likely a statement does each to a note, whatever the form of the two allows. */
export function chancesOf(pair: Pair, scoresOf: ClassScores = SCORES()): Readonly<Record<ChangeKind, number>> {
  const likely = scoresOf(featuresOf(pair)).map(Math.exp);
  const sum = likely.reduce((all, one) => all + one, 0);
  const [beside = 0, same = 0, refines = 0, replaces = 0, contradicts = 0] = likely.map((one) => one / sum);
  return { beside, same, refines, replaces, contradicts };
}

export function judgePair(pair: Pair, scoresOf: ClassScores): Judgement {
  if (pair.shared.length === 0) return NO_JUDGEMENT;
  const {
    beside: isBeside,
    same: isSame,
    refines: isRefined,
    replaces: isReplaced,
    contradicts: isContradicted,
  } = chancesOf(pair, scoresOf);
  const isUndecided = pair.after.signs.has("considered") || pair.after.isAsking;
  const isUnsure = isUndecided || isDoubting(pair.after);
  const isTold = tellsChange(pair);
  const changed = isReplaced + isContradicted;
  const mayChange = (): boolean =>
    (isUnsure || isTold || isOpposite(pair) || isOtherValue(pair)) &&
    !settingsApart(pair).other &&
    !isOverForAnother(pair);
  // What the two look like is asked only where the weights leave a chance: most notes are about something else.
  const isSameSaid = isSame >= LIKELY_SAME && !isUnsure && !isOpposed(pair) && mayBeSame(pair);
  return {
    change: changed >= WORTH_A_LOOK && mayChange() ? changed : 0,
    replaces: isUndecided && isReplaced < DECIDED ? 0 : chanceOfReplacing(pair, isReplaced),
    refines: isRefined >= Math.max(isBeside, isSame) && !settingsApart(pair).other,
    same: isSameSaid && isSame >= leastOfSame(pair) ? isSame : 0,
    isRestated: isSameSaid && isRestated(pair),
    isOfNothingElse: once(() => newWordsIn(pair).length <= 1),
    isDoubtful: isUnsure && isContradicted > (isUndecided ? isReplaced : 0.5),
    isUndecided,
    isTold,
    isOpposed: isOpposed(pair),
  };
}

/** "User sessions are no longer stored in Redis", of a note about feature flags. */
function isOverForAnother(pair: Pair): boolean {
  const { after } = pair;
  return (
    after.signs.has("over") &&
    !isDoubting(after) &&
    after.clauses().length === 1 &&
    swapsOf(pair).some(({ isFirst }) => isFirst) &&
    isAboutAnother(pair)
  );
}

function chanceOfReplacing(pair: Pair, isReplaced: number): number {
  if (isExchange(pair) || isTurnedOver(pair)) return 1;
  if (isReplaced < WORTH_A_LOOK) return 0;
  if (mayReplace(pair, isReplaced)) return isReplaced;
  const main = isCertain(pair.after) ? withoutAside(pair) : undefined;
  return main !== undefined && mayReplace(main, isReplaced) ? isReplaced : 0;
}

export function isDoubting({ signs }: Wording): boolean {
  return signs.has("unsure") || signs.has("hearsay");
}

function isCertain(said: Wording): boolean {
  return !isDoubting(said) && !said.isQuestion && !said.isQuoting;
}

/** "Ruff, not Black, formats our code": all that the note says, and one thing for another. */
function isExchange(pair: Pair): boolean {
  if (!isTurnedDown(pair) || pair.onlyBefore.length > 0 || saidOnlyIn(pair).length > MOST_OF_ONE_THING) return false;
  const isOver = isCertain(pair.after) && !pair.after.signs.has("stays");
  return isOver && !pair.before.stance().denies && !settingsApart(pair).fresh;
}

const MOST_OF_ONE_THING = 2;

/** "Is forbidden", of what is allowed elsewhere: it names the opposite and says nothing of a change. */
function isOnlyOpposite(pair: Pair): boolean {
  const isTold = SIGNS_OF_NEWS.some((sign) => sign !== "reversed" && isFresh(pair, sign));
  return isOpposed(pair) && !isTold && !isTurnedDown(pair);
}

/** "The SDK repo is public now", of one that was private: nothing differs but the opposite, and it says "now". */
function isTurnedOver(pair: Pair): boolean {
  const { after, before, shared } = pair;
  const isByWord = isOpposed(pair) && polesApart(after.stance(), before.stance()) === 1;
  if (!isByWord || shared.length < 2 || !isCertain(after) || isOnlyOpposite(pair)) return false;
  const { fresh, other } = settingsApart(pair);
  return !fresh && !other && wordsApart(pair).every(({ lower }) => isPole(lower));
}

/** "Caching is on for prices", later "off for prices": no other word stands in the place of one of the note's. */
function isOpposite(pair: Pair): boolean {
  return isOpposed(pair) && swapsOf(pair).every(({ old, own }) => isPole(old.lower) || isPole(own.lower));
}

/** Nobody wonders about a smaller chance that two statements say the same. */
const LIKELY_SAME = 0.5;

/** "The planned move to Vite is done": from here on it is more than a plan. */
const DECIDED = 0.9;

/** Nobody asks about a smaller chance of a change. */
const WORTH_A_LOOK = 0.1;

/** New words, values aside, of the clauses that share a word with the note. */
function newWordsIn(pair: Pair): readonly Word[] {
  const { after, before, shared } = pair;
  const near = after.clauses().filter(({ content }) => content.some((word) => isIn(shared, word)));
  const own = new Set(saidOnlyIn(pair).flatMap(({ kind, term }) => (kind === "word" ? [term] : [])));
  const known = new Set([...lists["unspaced light"], ...before.words.flatMap(({ lower }) => [...lower])]);
  // Two characters that stand for a word are new only if neither is known or grammar.
  const isNew = ({ term, lower }: Word): boolean =>
    own.has(term) && !(/^\p{sc=Han}{1,2}$/u.test(lower) && [...lower].some((one) => known.has(one)));
  return near.flatMap(({ content }) => content.filter(isNew));
}

/**
 * "The freeze starts on the 18th", later "on the 20th": one value stands for another, though nothing is said to have
 * changed. Prohibitions add up, whom to ask may be another person for each thing, and a number in the first half of
 * both is part of a name: "issue 412", "server 3".
 */
function isOtherValue(pair: Pair): boolean {
  const { after, before, onlyBefore, onlyAfter } = pair;
  if (!haveOneKind(onlyBefore, onlyAfter) || (after.isNegative && before.isNegative)) return false;
  if (settingsApart(pair).fresh || isAboutAnother(pair) || isOfOtherNames(pair) || isOneMore(pair)) return false;
  if ([onlyBefore, onlyAfter].every(([word, ...others]) => word?.kind === "name" && others.length === 0)) return false;
  return !isNumbered(pair);
}

/** "Run ruff before you commit; no need to if only docs changed": it says the note once more and adds an exception. */
function isRepeated({ after, before, onlyBefore }: Pair): boolean {
  const [first, ...rest] = after.clauses();
  if (first === undefined || rest.length === 0 || onlyBefore.length > 0) return false;
  const isTold = SIGNS_OF_NEWS.some((sign) => isFresh({ after: first, before }, sign));
  const isDenied = first.stance().denies !== before.stance().denies;
  return !isTold && !isDenied && before.content.every((word) => isIn(first.content, word));
}

/**
 * The conditions for superseding a note, however sure the weights are: the statement says for certain that something
 * changed, is about the same subject as the note, and names no other environment, place, component or people. If it
 * only says that something is over, the note must be about that. A store holds many notes; a statement changes few.
 */
function mayReplace(pair: Pair, chance: number): boolean {
  const { after, shared, onlyBefore, onlyAfter, known, old } = pair;
  const has = (sign: SignName): boolean => after.signs.has(sign);
  // "We are on Node 18", "we upgraded to Node 22": the note says nothing else.
  const isMeasure = haveOneMeasure(onlyBefore, onlyAfter);
  const isOnlyValue = isMeasure && shared.length === 1 && onlyBefore.length <= (shared.some(isName) ? 2 : 1);
  if (!isCertain(after) || known < LEAST_KNOWN) return false;
  // Two other values take much of what the two could have in common.
  if (known * old < LEAST_IN_COMMON && !(isMeasure && tellsChange(pair))) return false;
  if ((shared.length < 2 && !isOnlyValue) || isAboutAnother(pair) || isOfAnotherSubject(pair)) return false;
  if (isOfLess(pair) || isRepeated(pair) || isOnlyOpposite(pair)) return false;
  const settings = settingsApart(pair);
  const isNearlyAll = known >= MOST_KNOWN && old >= MOST_OLD;
  // "We no longer use pnpm in the docs package": over there alone.
  const isOverThere = settings.fresh && has("over") && onlyBefore.length === 0 && after.clauses().length === 1;
  if (chance >= (isNearlyAll ? SURE : BEYOND_DOUBT))
    return !settings.other && !isOverThere && (announcesChange(pair) || isOneForAnother(pair));
  if (settings.fresh || !announcesChange(pair)) return false;
  if (haveOneKind(onlyBefore, onlyAfter) || !(has("over") || has("departed"))) return true;
  return endsWhatIsShared(pair);
}

/**
 * "The API now listens on 9090": one value for another, or the opposite. "Now supports Windows" may be one of many, and
 * of "is slow" and "is required now" both may hold.
 */
function isOneForAnother(pair: Pair): boolean {
  const { after, before, shared, onlyBefore, onlyAfter } = pair;
  if (isOtherValue(pair)) return true;
  // "… with SendGrid since May", where the note says SendGrid: nothing is gone.
  if (onlyBefore.length === 0 && after.clauses().length === 1 && !isOpposed(pair)) return false;
  if (!isFresh(pair, "since") || isOneMore(pair) || isOfOtherNames(pair)) return false;
  const areNamed = [onlyBefore, onlyAfter].every((words) => words.some(isName)) || swapsOf(pair).some(isOfNames);
  // "Stops every night", "from 23:40 to 0:20": when, where the note did not say.
  const isDetail = !hasValue(onlyBefore) && onlyAfter.length > 0 && onlyAfter.every((word) => hasValue([word]));
  const isMuchShared = (shared.length >= MOST_OF_SUBJECT && !isDetail) || after.isNegative !== before.isNegative;
  return areNamed || isMuchShared || haveOneKind(onlyBefore, onlyAfter);
}

/** "Anna is in charge", "now Bernd is in charge": a first word in the place of a name. */
function isOfNames({ old, own }: Swap): boolean {
  return old.isCapital && own.isCapital && (isName(old) || isName(own));
}

/** "Service orders-1 with pipeline blue-1", "service orders-2 with pipeline blue-2": two names stand for two others. */
function isOfOtherNames({ onlyBefore, onlyAfter }: Pair): boolean {
  return [onlyBefore, onlyAfter].every((words) => words.filter(isName).length > 1);
}

/** A subject seldom has more words: what else two statements share is what they say of it. */
const MOST_OF_SUBJECT = 3;

/** From here on nothing need be said to have changed, and a new setting may be the value that did. */
const BEYOND_DOUBT = 0.86;

/** Sure enough to supersede, if the form of the two allows it and they share nearly all that they say. */
export const SURE = 0.775;

/** "Nearly all": these shares of the older and of the new statement. */
const [MOST_KNOWN, MOST_OLD] = [0.6, 0.4];

/** The shares of a note, and of both together, that a statement must cover; the second is for longer texts. */
const LEAST_KNOWN = 0.3;
const LEAST_IN_COMMON = 0.1;

/**
 * "No more Redmine, bugs go to Linear" ends a note about Redmine, but a note that bugs go to Linear agrees with it: a
 * named value found only in clauses that end nothing still holds.
 */
function endsWhatIsShared({ after, shared }: Pair): boolean {
  const clauses = after.clauses().map((clause) => ({
    terms: new Set(clause.content.map(({ term }) => term)),
    // Someone who leaves has a name.
    isOver: clause.signs.has("over") || (clause.signs.has("departed") && hasValue(clause.content)),
  }));
  const occurs = (is: boolean, { term }: Word): boolean =>
    clauses.some(({ terms, isOver }) => isOver === is && terms.has(term));
  return shared.some((word) => occurs(true, word)) && !shared.some((word) => hasValue([word]) && !occurs(true, word));
}
