import { once } from "../../shared/once.ts";
import { type LinearWeights, namedWeights, scoreOf } from "../../shared/linear.ts";
import { featuresOf, hasValue, haveOneKind, type Pair, pairOf, settingsApart } from "./pair.ts";
import { SIGNS_OF_CHANGE, type SignName } from "./signs.ts";
import stored from "./weights.json" with { type: "json" };
import type { Word, Wording } from "./wording.ts";

/** What learned weights make of a new statement beside an older one. */
export interface Judgement {
  /** How likely it is that the older one holds no more, or perhaps no more. */
  readonly change: number;
  /** How likely it is that the new one takes its place; 0 where the two are not built so that it may. */
  readonly replaces: number;
  /** It tells more of the same, rather than something beside it. */
  readonly refines: boolean;
  /** How likely it is that it says the same in other words; 0 where one has a value that the other has not. */
  readonly same: number;
  /** It says that it is unsure, or whose word it is, and more likely contradicts than replaces. */
  readonly isDoubtful: boolean;
  /** It says in its own words that something changed. */
  readonly isTold: boolean;
}

/** One set of weights for each thing that a statement may do. */
export interface ClassWeights {
  readonly beside: LinearWeights;
  readonly same: LinearWeights;
  readonly refines: LinearWeights;
  readonly replaces: LinearWeights;
  readonly contradicts: LinearWeights;
}

const WEIGHTS = once((): ClassWeights => ({
  beside: namedWeights(stored.beside),
  same: namedWeights(stored.same),
  refines: namedWeights(stored.refines),
  replaces: namedWeights(stored.replaces),
  contradicts: namedWeights(stored.contradicts),
}));

const judged = new WeakMap<Wording, WeakMap<Wording, Judgement>>();

/** A statement is held against the same notes for each type that it may have. */
export function judge(after: Wording, before: Wording): Judgement {
  const known = judged.get(after) ?? new WeakMap<Wording, Judgement>();
  judged.set(after, known);
  const judgement = known.get(before) ?? judgePair(pairOf(after, before), WEIGHTS());
  known.set(before, judgement);
  return judgement;
}

/** What is made of two that share no word. */
export const NO_JUDGEMENT: Judgement = {
  change: 0,
  replaces: 0,
  refines: false,
  same: 0,
  isDoubtful: false,
  isTold: false,
};

export function judgePair(pair: Pair, { beside, same, refines, replaces, contradicts }: ClassWeights): Judgement {
  if (pair.shared.length === 0) return NO_JUDGEMENT;
  const features = featuresOf(pair);
  const power = (weights: LinearWeights): number => Math.exp(scoreOf(weights, features));
  const likely = [beside, same, refines, replaces, contradicts].map(power);
  const sum = likely.reduce((all, one) => all + one, 0);
  const [isBeside = 0, isSame = 0, isRefined = 0, isReplaced = 0, isContradicted = 0] = likely.map((one) => one / sum);
  const { signs } = pair.after;
  const isUnsure = signs.has("unsure") || signs.has("hearsay");
  const isTold = signs.has("since") || SIGNS_OF_CHANGE.some((sign) => signs.has(sign));
  return {
    // Rules are better at two statements of which neither says that anything changed.
    change: isUnsure || isTold ? isReplaced + isContradicted : 0,
    replaces: mayReplace(pair) ? isReplaced : 0,
    refines: isRefined >= Math.max(isBeside, isSame),
    same: hasValue(pair.onlyBefore) || hasValue(pair.onlyAfter) ? 0 : isSame,
    isDoubtful: isUnsure && isContradicted > 0.5,
    isTold,
  };
}

/**
 * What must be so for a note to be superseded, however sure the weights are: the statement says that something changed and
 * is sure of it, speaks of what the note speaks of, and of no other environment, place, component or people. Where it only
 * says that something is over, the note must speak of that. A store holds many notes, and the statement changes few.
 */
function mayReplace(pair: Pair): boolean {
  const { after, before, known, old, shared, onlyBefore, onlyAfter } = pair;
  const has = (sign: SignName): boolean => after.signs.has(sign);
  // "The demo is switched off at eight" announces nothing: the note says so too.
  const isFresh = (sign: SignName): boolean => has(sign) && !before.signs.has(sign);
  if (has("unsure") || has("hearsay") || after.isQuestion || !SIGNS_OF_CHANGE.some(isFresh)) return false;
  if (shared.length < 2 || known < LEAST_KNOWN || known * old < LEAST_IN_COMMON || settingsApart(pair).fresh)
    return false;
  if (haveOneKind(onlyBefore, onlyAfter) || !(has("over") || has("departed"))) return true;
  return endsWhatIsShared(pair);
}

/** So much of a note a statement must speak of; and so much of both, where each has much else to say. */
const LEAST_KNOWN = 0.3;
const LEAST_IN_COMMON = 0.1;

/**
 * "No more Redmine, bugs go to Linear" ends what speaks of Redmine; a note that bugs go to Linear agrees with it: what has
 * a name and stands only where nothing is said to be over holds.
 */
function endsWhatIsShared({ after, shared }: Pair): boolean {
  const clauses = after.clauses().map((clause) => ({
    terms: new Set(clause.content.map(({ term }) => term)),
    // Who leaves has a name.
    isOver: clause.signs.has("over") || (clause.signs.has("departed") && hasValue(clause.content)),
  }));
  const isIn = (is: boolean, { term }: Word): boolean =>
    clauses.some(({ terms, isOver }) => isOver === is && terms.has(term));
  return shared.some((word) => isIn(true, word)) && !shared.some((word) => hasValue([word]) && !isIn(true, word));
}
