import { contrastsOf } from "./contrasts.ts";
import { AUXILIARIES, FROM, TOWARDS } from "./grammar.ts";
import { isName, isOpposed, isTurnedDown, type Pair, settingsApart } from "./pair.ts";
import { periodsIn } from "./periods.ts";
import { isVerb } from "./relations.ts";
import { saidOnlyIn, swapsOf } from "./slots.ts";
import { isFresh, tellsChange } from "./told.ts";
import { isUnspaced } from "./unspaced.ts";
import lists from "./values.json" with { type: "json" };
import { areOfOneTopic, NEGATIONS, type Word, type Wording } from "./wording.ts";

/** Neither names a value that the other lacks, or another direction, and nothing is said to have changed. */
export function mayBeSame(pair: Pair): boolean {
  const { after, before, shared, onlyBefore, onlyAfter } = pair;
  if (pointsElsewhere(after, before) || areApartInPeriods(pair)) return false;
  // "Use spaces, not tabs", "use tabs, not spaces". Two bans may turn the same down in other words.
  const isTurned = shared.some(({ term }) => after.rejected().has(term) && !before.rejected().has(term));
  if (isTurned && (isTurnedDown(pair) || !areBans(pair))) return false;
  if ([onlyBefore, onlyAfter].some((words) => namesValue(words, after)) || tellsOtherThan(pair)) return false;
  // "mainに", "developに": in such a script Latin letters make a name.
  const isWithoutSpaces = after.words.some(({ lower }) => isUnspaced(lower));
  if (isWithoutSpaces && [onlyBefore, onlyAfter].every((words) => words.some(({ lower }) => LATIN.test(lower))))
    return false;
  const settings = settingsApart(pair);
  return !(settings.old && settings.fresh);
}

/** "Deploy orders", "deploy invoices": one word in the place of another is seldom the same, several hardly ever. */
export function leastOfSame(pair: Pair): number {
  const swaps = swapsOf(pair).length;
  const isMore = pair.onlyAfter.length > pair.onlyBefore.length + 1;
  // "Never block the main thread", "don't block the main branch"
  const isOneWord = [pair.onlyBefore, pair.onlyAfter].every(
    (words) => words.filter(({ lower }) => !NEGATIONS.has(lower)).length === 1,
  );
  if (swaps === 1 && isOneWord && areBans(pair)) return LEAST_OF_BAN;
  const isLittle = pair.known < MOST_OF_LITTLE || pair.old < MOST_OF_LITTLE;
  const least = isLittle ? LEAST_OF_LITTLE : isMore && swaps === 0 ? LEAST_OF_LONGER : 0;
  if (swaps === 0) return least;
  return nameTwoThings(pair) ? Infinity : Math.max(least, swaps === 1 ? LEAST_OF_SWAPPED : LEAST_OF_TWO_SWAPPED);
}

/** What stands for another is a value ("never use eval", "exec"), a kind of one thing, or what each begins with. */
function nameTwoThings(pair: Pair): boolean {
  const swaps = swapsOf(pair);
  if (swaps.some(({ left }) => left !== undefined && isVerb(left))) return true;
  // "Access tokens", "refresh tokens"; "logs are kept", "backups are kept".
  const isOneWord = [swaps, pair.onlyBefore, pair.onlyAfter].every(({ length }) => length === 1);
  return isOneWord && (contrastsOf(pair).has("modifier") || isOfOtherSubject(pair));
}

/** One word stands for another where each statement says first what it is about. */
function isOfOtherSubject(pair: Pair): boolean {
  const first = swapsOf(pair).find(({ isFirst }) => isFirst);
  const isSubject = (word: Word | undefined, { words }: Wording): boolean =>
    AUXILIARIES.has(words[words.findIndex((one) => one.term === word?.term) + 1]?.lower ?? "");
  return first !== undefined && isSubject(first.old, pair.before) && isSubject(first.own, pair.after);
}

/** Where nouns have capital letters, a capital letter does not make a name. */
function namesValue(words: readonly Word[], { capitalsAreNouns }: Wording): boolean {
  return words.some(
    ({ kind, tool }) => kind !== "word" && (kind !== "name" || !capitalsAreNouns || tool !== undefined),
  );
}

const LATIN = /^[a-z]/u;

/** Enough where one word stands in the place of another. */
const LEAST_OF_SWAPPED = 0.75;

/** Enough where what is forbidden has one other word. */
const LEAST_OF_BAN = 0.9;

/** Enough where several do. */
const LEAST_OF_TWO_SWAPPED = 0.87;

/** Enough where it says more: one in ten of these pairs adds something. */
const LEAST_OF_LONGER = 0.6;

/** A store holds many notes on one subject; the same in other words seldom shares less than this with its note. */
const MOST_OF_LITTLE = 0.3;
const LEAST_OF_LITTLE = 0.8;

/** As `tellsChange`; of two that forbid, "not allowed", "instead of" and "changed" are words of the ban. */
function tellsOtherThan(pair: Pair): boolean {
  return areBans(pair) ? isFresh(pair, "since") : tellsChange(pair);
}

function areBans(pair: Pair): boolean {
  return pair.before.stance().denies && !isOpposed(pair);
}

/** "The data team owns the model", "the model is owned by the data team". */
export function isRestated(pair: Pair): boolean {
  return pair.shared.length > 1 && wordsApart(pair).length === 0;
}

export function wordsApart(pair: Pair): readonly Word[] {
  return [...pair.onlyBefore, ...saidOnlyIn(pair)];
}

/** "Rounded up", "rounded down"; "per minute", "per second"; "HTTP", "HTTPS". */
function pointsElsewhere(after: Wording, before: Wording): boolean {
  // "DB" stands for "database", but "HTTPS" does not for "HTTP".
  const isNamed = (word: Word): boolean =>
    before.words.some((one) => one.lower === word.lower || areOfOneTopic(one, word));
  const isOther = (word: Word): boolean => isName(word) && !isNamed(word);
  if (!after.capitalsAreNouns && after.words.some(isOther)) return true;
  return areTurnedApart(after, before) || isReversed(after, before);
}

/** "Nobody but the release manager may …" is "only the release manager may …". */
function areApartInPeriods(pair: Pair): boolean {
  const { after, before } = pair;
  const [now, then] = [after, before].map(({ words }) => periodsIn(words));
  if (now === then) return false;
  const isOfOnly = [now, then].toSorted().join() === ",only";
  return !(isOfOnly && (now === "only" ? before : after).isNegative && swapsOf(pair).length === 0);
}

/** "Up", "down"; "in git", "out of git". "Turned off" may stand beside "disabled". */
function areTurnedApart(one: Wording, other: Wording): boolean {
  if (isOutOf(one) !== isOutOf(other)) return true;
  const [now, then] = [one, other].map((said) => said.words.filter(({ lower }) => PARTICLES.has(lower)));
  const isKnown = ({ lower }: Word): boolean => then?.some((word) => word.lower === lower) === true;
  return now !== undefined && then !== undefined && now.length > 0 && then.length > 0 && !now.some(isKnown);
}

/** "Keep it out of X" denies. */
function isOutOf({ words, stance }: Wording): boolean {
  return !stance().denies && words.some(({ lower }, at) => lower === "out" && words[at + 1]?.lower === "of");
}

/** "From main to release", "from release to main". */
function isReversed(after: Wording, before: Wording): boolean {
  const [now, then] = [endsOf(after), endsOf(before)];
  return now.target !== undefined && now.target === then.source && now.source === then.target;
}

interface Ends {
  readonly source: string | undefined;
  readonly target: string | undefined;
}

/** Where something comes from, or what the statement begins with, and where it goes. */
function endsOf({ words, content }: Wording): Ends {
  const next = (all: ReadonlySet<string>): string | undefined => {
    const at = words.findIndex(({ lower }) => all.has(lower));
    return at === -1 ? undefined : words.slice(at + 1).find(({ isLight }) => !isLight)?.term;
  };
  return { source: next(FROM) ?? content[0]?.term, target: next(TOWARDS) };
}

const PARTICLES: ReadonlySet<string> = new Set(lists.particles.split(" "));
