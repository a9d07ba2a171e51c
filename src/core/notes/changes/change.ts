import { once } from "../../shared/once.ts";
import { isContained, isPerhapsContained } from "../statement.ts";
import { type Leaving, readSaid, type Said } from "./reading.ts";
import { contentOf, isSame, type Token } from "./tokens.ts";
import { isDoubting, type Judgement, judge, SURE } from "./learned.ts";
import { differInOnePlace, haveOtherSigns, haveOtherTenses, takeOtherSides } from "./one-place.ts";
import { isRearranged } from "./order.ts";
import { pairOf } from "./pair.ts";
import { nameOpposites } from "./poles.ts";
import { isIn, saidOnlyIn } from "./slots.ts";
import { otherTimeOf } from "./times.ts";
import { type ChangeKind, differInValue, LONGEST_VALUE, valueChange } from "./value.ts";
import {
  exchangesParticles,
  isUnspaced,
  isUnspacedChange,
  isUnspacedEnding,
  isUnspacedSame,
  leavingUnspaced,
} from "./unspaced.ts";
import lists from "./values.json" with { type: "json" };
import { NEGATIONS, type Word, type Wording } from "./wording.ts";

export interface Change {
  readonly kind: ChangeKind;
  /** For `same`: the other note has every word and says more, so this may be a different wish. */
  readonly isPerhaps?: true;
  /** For `same`: it says what the other note says in other words, or in another order. */
  readonly isRestated?: true;
  /** The new statement itself shows which of the two is older: "from X to Y", "no longer", "now". */
  readonly isTold?: true;
  /** The chance of a change by learned weights, if no rule can read the two. */
  readonly chance?: number;
}

const BESIDE: Change = { kind: "beside" };

const SAME: Change = { kind: "same" };

/**
 * The single rule for changes, used on every path. Superseding needs the same subject and relation and no other
 * difference: another environment, place, component, person or condition is another subject. A doubtful case
 * `contradicts`, and a person or a model settles it; one without any doubt is `beside`. If no rule can read the two,
 * learned weights decide.
 */
export function changeOf(after: Said, before: Said, judged: typeof judge = judge): Change {
  if (after.statement.sentences.length === 0 || before.statement.sentences.length === 0) return BESIDE;
  const isOther = once(() => saysOtherwise(after, before));
  if (
    isContained(after.statement, before.statement) &&
    !isOther() &&
    !nameOpposites(after.wording().stance(), before.wording().stance())
  )
    return SAME;
  const read = sameUnspaced(after, before) ?? endedAgain(after, before) ?? told(after, before) ?? untold(after, before);
  const change =
    isBrief(after) && isBrief(before) ? learned(read, judged(after.wording(), before.wording()), after) : read;
  if (change.kind === "same" && isOther()) return BESIDE;
  if (change.kind !== "replaces" && change.kind !== "contradicts") return change;
  const time = otherTimeOf(after, before);
  if (time === "past") return BESIDE;
  // The older note's further sentences would leave recall together with it.
  if (change.kind === "replaces" && before.more > 0) return { ...change, kind: "contradicts" };
  if (change.kind === "contradicts" || time === undefined) return change;
  return time === "never" ? BESIDE : { kind: "refines" };
}

/** Whether two sentences of the same words say something else of each: "Ann reviews Bo's code", "Bo reviews Ann's". */
export function saysOtherwise(after: Said, before: Said): boolean {
  if (after.more > 0 || before.more > 0) return false;
  const [now, then] = [after.text, before.text];
  if ([haveOtherSigns, haveOtherTenses, differInOnePlace, takeOtherSides].some((differ) => differ(now, then)))
    return true;
  if (differInValue(after, before)) return true;
  return exchangesParticles(after.text, before.text) || isRearranged(pairOf(after.wording(), before.wording()));
}

/** Weights were learned from short statements; a longer account may mention a change in just one of its sentences. */
export function isBrief({ more, body }: Said): boolean {
  return more <= 1 && body.length <= MOST_CHARACTERS;
}

const MOST_CHARACTERS = 400;

/** From here on the weights are believed where the rules see that the statement is about something else. */
const SURER_THAN_RULES = 0.95;

/** From here on a change is more than a guess: one in twenty pairs that are `beside` each other reaches it. */
const LIKELY_CHANGE = 0.65;

/** Enough where one denies or doubts what the other asserts. */
const LIKELY_OPPOSITE = 0.5;

/** Enough where a statement only asks or plans. */
const LIKELY_PLAN = 0.4;

function leastToAsk({ isUndecided, isDoubtful, isOpposed }: Judgement): number {
  return isUndecided && isDoubtful ? LIKELY_PLAN : isDoubtful || isOpposed ? LIKELY_OPPOSITE : LIKELY_CHANGE;
}

function learned(read: Change, judgement: Judgement, { from, dropped, wording }: Said): Change {
  const { change, replaces, refines, same, isRestated, isOfNothingElse, isDoubtful, isTold } = judgement;
  if (read.kind === "replaces") return isDoubtful ? { ...read, kind: "contradicts" } : read;
  if (read.kind === "same" && read.isPerhaps !== true) return read;
  // "We switched from Java to Go", of what is in Go already.
  if (read.kind === "refines" && from !== undefined && read.isTold === true) return read;
  // Of "from X to Y" the rules know what is left; a note about X in another matter stays.
  const isElsewhere = read.kind === "beside" && from !== undefined && replaces < SURER_THAN_RULES;
  if (isElsewhere && !isDoubtful && !isOfNothingElse()) return read;
  const found = { ...(isTold && { isTold }), chance: change };
  // What the rules doubt, because the note says more than what is left behind, is likely enough.
  const isRead = from !== undefined && read.kind === "contradicts";
  // A rule about something else is dropped, or perhaps one about a part of it.
  const least = dropped !== undefined ? SURER_THAN_RULES : isRead ? LIKELY_CHANGE : SURE;
  if (!(dropped !== undefined && read.kind === "beside") && replaces >= least) return { kind: "replaces", ...found };
  if (read.kind === "contradicts") return read;
  // An added detail is not a change, unless the note is doubted.
  if (change >= leastToAsk(judgement) && !(read.kind === "refines" && isTold && !isDoubtful))
    return { kind: "contradicts", ...found };
  // "Drop the rule about X" repeats the words of the rule, but not the rule.
  if (dropped !== undefined) return read;
  const isSameSaid = read.kind === "beside" ? isRestated || same > 0 : read.kind === "refines" && same >= SURE;
  if (isSameSaid) return { ...PERHAPS, isRestated: true };
  if (read.kind !== "beside" || !refines) return read;
  // "Does the service really query the catalogue?" adds nothing.
  return { kind: wording().isAsking ? "contradicts" : "refines" };
}

/** Whether the new statement says no more than the note, in other words at most. */
export function saysNothingNew({ kind, isPerhaps, isRestated }: Change): boolean {
  return isRestated === true || (kind === "same" && isPerhaps !== true);
}

export function changeOfTexts(after: string, before: string, judged: typeof judge = judge): Change {
  return changeOf(readSaid(after), readSaid(before), judged);
}

function sameUnspaced(after: Said, before: Said): Change | undefined {
  const isOne = after.more === 0 && before.more === 0;
  return isOne && isUnspacedSame(after.text, before.text) ? { ...SAME, isRestated: true } : undefined;
}

/** "We no longer support Node 16", "support for Node 16 has been dropped" */
function endedAgain(after: Said, before: Said): Change | undefined {
  if (after.more > 0 || before.more > 0 || !(after.isEnded || before.isEnded)) return undefined;
  const [now, then] = [after.wording(), before.wording()];
  if (![now, then].every(({ signs, isAsking }) => signs.has("over") && !isAsking)) return undefined;
  const pair = pairOf(now, then);
  const isAll = pair.shared.length > 0 && [pair, pairOf(then, now)].every((one) => saidOnlyIn(one).length === 0);
  return isAll && !isDoubting(now) ? { ...SAME, isRestated: true } : undefined;
}

/** What the new statement itself says about something older. */
function told(after: Said, before: Said): Change | undefined {
  if (isUnspacedEnding(after.body, before.body)) return { kind: "replaces", isTold: true };
  const kind =
    after.dropped !== undefined
      ? dropping(after.dropped, before)
      : after.isEnded
        ? ending(after, before)
        : after.from !== undefined
          ? leaving({ ...after, from: after.from }, withoutReason(before))
          : undefined;
  return kind === undefined ? undefined : { kind, isTold: true };
}

function dropping(topic: readonly Word[], before: Said): ChangeKind {
  const isTelling = ({ lower }: Word): boolean => !NEGATIONS.has(lower) && !MAKING.has(lower);
  const unsaid = topic.filter((word) => isTelling(word) && !isIn(before.wording().words, word));
  if (unsaid.some(({ kind, setting }) => kind !== "word" || setting !== undefined)) return "beside";
  if (topic.length === 0 || unsaid.length > (topic.length > MOST_APART ? 1 : 0)) return "beside";
  return topic.length > 1 && unsaid.length === 0 ? "replaces" : "contradicts";
}

/** "To put the ticket number in each commit": the note may say it with another verb. */
const MAKING: ReadonlySet<string> = new Set(lists.making.split(" "));

/** "We no longer use Redis": the rest of it held before. */
function ending(after: Said, before: Said): ChangeKind {
  if (after.negative || before.negative || before.isEnded || contentOf(after.tokens).length === 0) return "beside";
  if (hasSameWords(after.tokens, before.tokens)) return "replaces";
  const left = leftAsAWhole(after);
  const kind =
    left && leaving({ ...after, from: left, to: [], beside: [], isLeftAsAWhole: true }, withoutReason(before));
  if (kind !== undefined) return kind;
  const [mine, theirs] = [meaning(after.tokens), meaning(before.tokens)];
  if (!mine.every(({ term }) => theirs.some((other) => other.term === term))) return "beside";
  const others = theirs.filter(({ term }) => !mine.some((own) => own.term === term));
  const isWider = isSame(after.tokens, before.tokens.slice(0, after.tokens.length));
  return isWider && before.tokens[after.tokens.length]?.isJoint === true && !others.some(({ isSetting }) => isSetting)
    ? "replaces"
    : "contradicts";
}

/** "We no longer use CircleCI", "we're no longer on CircleCI": whatever it was used for. */
function leftAsAWhole({ tokens, isPractice }: Said): readonly Token[] | undefined {
  const names = contentOf(tokens);
  const isOfUse = tokens.every(({ relation }) => relation === undefined || relation.id === "use");
  return isPractice && isOfUse && names.length <= LONGEST_VALUE && names.every(({ isName }) => isName)
    ? names
    : undefined;
}

/** "CI runs on Jenkins, because the licence is paid": the reason is not part of what may change. */
function withoutReason(said: Said): Said {
  if (said.from !== undefined) return said;
  const clause = said.clause();
  const isCut = clause.length > 0 && clause.length < said.tokens.length;
  return isCut && isSame(clause, said.tokens.slice(0, clause.length)) ? { ...said, tokens: clause } : said;
}

/** "From X to Y", "Y, not X": what the older note says about X. */
function leaving(after: Leaving, before: Said): ChangeKind | undefined {
  const turnsAway = before.from !== undefined && isSame(before.from, after.from);
  const addsReason = after.wording().signs.has("reason") && !before.wording().signs.has("reason");
  if (isSame(after.to, before.to) && turnsAway) return addsReason ? "refines" : "same";
  if (before.negative || before.isEnded || before.dropped !== undefined) return undefined;
  const at = indexOf(after.from, before.tokens);
  const isOfNote = (token: Token): boolean => before.tokens.some(({ term }) => term === token.term);
  const isRenamed =
    at > 0 && before.tokens[at - 1]?.relation?.id === "be called" && contentOf(after.beside).every(isOfNote);
  if (isRenamed && at + after.from.length === before.tokens.length) return "replaces";
  // "We renamed the default branch to main", of what the default branch is called.
  const isOfName = at === 0 && before.tokens[after.from.length]?.relation?.id === "be called";
  if (isOfName && after.isRenaming && contentOf(after.beside).length === 0) return "replaces";
  if (isUnspaced(before.text)) return leavingUnspaced(after, before);
  const isThere = after.to.length > 0 && indexOf(after.to, before.tokens) >= 0;
  if (at < 0) return isThere || isSame(after.tokens, before.tokens) ? "refines" : undefined;
  // "HashiCorp Vault", of which "from Vault" says enough.
  const start = startOfName(before.tokens, at);
  if (!isValue(before, start, at + after.from.length)) return undefined;
  const others = contentOf(before.tokens).filter((token) => {
    const index = before.tokens.indexOf(token);
    return (index < start || index >= at + after.from.length) && token.kind !== "number";
  });
  // "We use PagerDuty to page people", "as the package manager": whatever it is used for.
  const isUsed = before.isPractice && before.tokens[start - 1]?.relation?.id === "use";
  const isRole = ROLES.has(before.tokens[at + after.from.length]?.written.toLowerCase() ?? "");
  // "For the unit tests" says what it is used for; "in tests" says where.
  const isFor = PURPOSES.has(before.tokens[at + after.from.length]?.written.toLowerCase() ?? "");
  const isPurpose = ({ written }: Token, index: number): boolean =>
    (isRole && index < MOST_APART) || (isFor && TESTS.has(written.toLowerCase()));
  const isElsewhere = others.some((token, index) => token.isSetting && !isPurpose(token, index));
  const isOfAll = (isUsed || after.isLeftAsAWhole === true) && contentOf(after.beside).length === 0 && !isElsewhere;
  return isOfAll && after.to.length <= LONGEST_VALUE ? "replaces" : leavingOf(after, others, before);
}

/** Decides by what the two say apart from what is left behind: nothing, the same, more, or something else. */
function leavingOf(after: Leaving, theirs: readonly Token[], before: Said): ChangeKind {
  const mine = after.beside;
  const has = (all: readonly Token[], { term }: Token): boolean => all.some((one) => one.term === term);
  const onlyMine = mine.filter((token) => !has(theirs, token));
  const onlyTheirs = theirs.filter((token) => !has(mine, token));
  const apart = [...onlyMine, ...onlyTheirs];
  if (apart.length === 0) return "replaces";
  if ((onlyMine.length > 0 && onlyTheirs.length > 0) || apart.length > MOST_APART) return "beside";
  // "Not public" puts nothing in the place of "public"; a long value is more than a value.
  const isDenied = after.to.length > 0 && after.to.every((token) => has(before.tokens, token));
  const isClear = !isDenied && after.to.length <= LONGEST_VALUE && !apart.some(({ isSetting }) => isSetting);
  return isClear && onlyMine.length === 0 ? "replaces" : "contradicts";
}

/** Statements that differ in more words than this are about two things. */
const MOST_APART = 2;

const ROLES: ReadonlySet<string> = new Set("as als comme como".split(" "));

const PURPOSES: ReadonlySet<string> = new Set(lists.purposes.split(" "));

const TESTS: ReadonlySet<string> = new Set(lists.tests.split(" "));

const VALUE_JOINTS: ReadonlySet<string> = new Set(
  "in on with through via at by from auf mit in bei über op met sur chez avec dans en con em su no na nos nas на в с".split(
    " ",
  ),
);

function startOfName(tokens: readonly Token[], at: number): number {
  const previous = tokens[at - 1];
  const isPart = tokens[at]?.isName === true && previous?.isName === true && !previous.isJoint;
  return isPart ? startOfName(tokens, at - 1) : at;
}

function isValue({ tokens }: Said, start: number, end: number): boolean {
  const [previous, next] = [tokens[start - 1], tokens[end]];
  if (next?.relation?.value === "before") return start === 0;
  if (previous === undefined) return false;
  if (next !== undefined && !next.isJoint && next.kind !== "number") return false;
  return previous.relation?.value === "after" || (previous.isJoint && VALUE_JOINTS.has(previous.written.toLowerCase()));
}

function indexOf(wanted: readonly Token[], all: readonly Token[]): number {
  if (wanted.length === 0) return -1;
  return all.findIndex((_, at) => isSame(wanted, all.slice(at, at + wanted.length)));
}

/** How two statements relate if neither mentions before and after. */
function untold(after: Said, before: Said): Change {
  if (isContained(before.statement, after.statement)) return { kind: "refines" };
  const isTold = after.isChange ? { isTold: true as const } : {};
  if (isDenial(after, before))
    return {
      kind: asksForAnother(after) || after.wording().signs.has("since") ? "replaces" : "contradicts",
      ...isTold,
    };
  const value = valueChange(after, before);
  const areNegative = after.negative || before.negative;
  if (value === undefined && !areNegative && (isMovedTo(after, before) || isUnspacedChange(after, before)))
    return { kind: "replaces", isTold: true };
  // "From X to Y" is about X; nothing is clear about another value in the same place.
  if (value !== undefined) return { kind: after.from === undefined ? value : "contradicts", ...isTold };
  if (saysMore(after, before)) return { kind: "refines" };
  if (hasOtherSetting(after, before)) return isPerhapsContained(after.statement, before.statement) ? PERHAPS : BESIDE;
  if (isPerhapsContained(after.statement, before.statement)) return PERHAPS;
  return isPerhapsContained(before.statement, after.statement) || beginsWith(after, before)
    ? { kind: "refines" }
    : BESIDE;
}

const PERHAPS: Change = { kind: "same", isPerhaps: true };

/** The same words with and without a negation: "squash commits", "never squash commits, the history gets lost". */
function isDenial(after: Said, before: Said): boolean {
  if (!after.wording().isNegative && !before.wording().isNegative) return false;
  const [now, then] = [after.wording().clauses()[0], before.wording().clauses()[0]];
  if (now === undefined || then === undefined || now.isNegative === then.isNegative) return false;
  const bare = ({ content }: Wording): string =>
    content
      .filter(({ lower }) => !NEGATIONS.has(lower))
      .map(({ term }) => term)
      .join(" ");
  return then.content.length > 1 && bare(now) === bare(then);
}

/** "Don't use moment for dates, use date-fns": the second part begins with the verb that the first one denies. */
function asksForAnother(after: Said): boolean {
  const [denied, asked] = after.wording().clauses();
  const verb = denied?.content.find(({ lower }) => !NEGATIONS.has(lower));
  const [first, ...rest] = asked?.content ?? [];
  return verb !== undefined && first?.term === verb.term && rest.length > 0;
}

function hasOtherSetting(after: Said, before: Said): boolean {
  const settings = ({ tokens }: Said): string =>
    tokens
      .filter(({ isSetting }) => isSetting)
      .map(({ term }) => term)
      .toSorted()
      .join(" ");
  return settings(after) !== settings(before);
}

/** "Use pnpm" and "Use pnpm, always with a frozen lockfile". */
function beginsWith(after: Said, before: Said): boolean {
  const { tokens } = before;
  return (
    before.more === 0 &&
    contentOf(tokens).some(({ kind }) => kind === "word") &&
    isSame(tokens, after.tokens.slice(0, tokens.length))
  );
}

/** "Write tests first" and "Write tests first, and run them before …". */
function saysMore(after: Said, before: Said): boolean {
  return beginsWith(after, before) && ALSO.has(after.tokens[before.tokens.length]?.written.toLowerCase() ?? "");
}

const ALSO: ReadonlySet<string> = new Set(["and", "und", "et", "y", "e", "и"]);

/** "The database has moved to db-7", if the older note says where the database is. */
function isMovedTo(after: Said, before: Said): boolean {
  if (before.more > 0) return false;
  const subject = MOVED_TO.exec(after.text)?.groups?.["what"];
  const at = before.tokens.findIndex(({ relation }) => relation?.value === "after" && relation.id !== "prefer");
  const value = before.tokens.slice(at + 1);
  if (subject === undefined || at < 1 || value.length === 0 || value.length > MOST_APART) return false;
  const about = contentOf(readSaid(subject).tokens);
  const isPlain = value.every(({ isJoint, isSetting, relation }) => !isJoint && !isSetting && relation === undefined);
  return isPlain && about.length > 0 && isSame(about, contentOf(before.tokens.slice(0, at)));
}

const MOVED_TO =
  /^(?<what>\S+(?: \S+){0,4}?) (?:has |have |was |were |is |are |got )?(?:now )?(?:moved|migrated|switched|relocated|transferred|renamed|changed|ported)(?: over)? to (?!\p{L}+ing\b)\S+(?: \S+)?$/iu;

function meaning(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ isJoint }) => !isJoint);
}

function hasSameWords(first: readonly Token[], second: readonly Token[]): boolean {
  const bag = (tokens: readonly Token[]): string =>
    meaning(tokens)
      .map(({ term }) => term)
      .toSorted()
      .join(" ");
  return bag(first) === bag(second);
}
