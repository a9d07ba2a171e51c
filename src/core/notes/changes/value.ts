import { sharedEnds } from "./ends.ts";
import type { Said } from "./reading.ts";
import { contentOf, isSame, type Token } from "./tokens.ts";
import { kindOf, RELATIONS, verbsOf } from "./relations.ts";
import { MEASURED, NUMBERED, OBJECTS, UNITS, VERBS } from "./phrases.ts";

/** What a new statement does to an existing one. */
export type ChangeKind = "beside" | "same" | "refines" | "replaces" | "contradicts";

/** Where two statements differ: everything before and after is the same. */
interface Slot {
  readonly before: readonly Token[];
  readonly after: readonly Token[];
  /** What both share on either side. */
  readonly prefix: readonly Token[];
  readonly suffix: readonly Token[];
}

export const LONGEST_VALUE = 3;

/** The same subject and relation with another value; `undefined` if the two do not differ in just one value. */
export function valueChange(after: Said, before: Said): ChangeKind | undefined {
  if (after.negative !== before.negative || after.isEnded || before.isEnded) return undefined;
  if (areHoldersOfOneRole(after, before)) return "contradicts";
  if (areOwnersOfOneThing(after, before)) return "replaces";
  const slot = slotOf(withoutTitles(before.tokens), withoutTitles(after.tokens));
  if (slot === undefined || !areAlike(slot.before, slot.after)) return undefined;
  if (lastEquallyLong(after, before)) return undefined;
  // "Never on Friday" and "never on Monday" hold both; "never with fewer than 3 reviews" is one limit.
  if (after.negative) return isLimit(slot) ? "replaces" : undefined;
  const [isNumber, isTime] = [slot.after[0]?.kind === "number", slot.after[0]?.kind === "time"];
  const kind = isNumber ? ofNumbers(slot) : isTime ? ofTimes(slot) : ofNames(slot, after, before);
  const told = kind !== "replaces" && after.isChange && after.from === undefined ? ofNow(slot) : kind;
  const decided = told === "beside" ? kind : told;
  return decided === "beside" ? undefined : decided;
}

/** "The client uses requests", "the client uses httpx": nothing else differs, whatever the two are. */
export function differInValue(after: Said, before: Said): boolean {
  const slot = slotOf(before.tokens, after.tokens);
  const relation = slot?.prefix.at(-1)?.relation;
  // "Are stored", "are kept": a verb may follow "are".
  const isValue = relation?.value === "after" && relation.id !== "be" && !lastEquallyLong(after, before);
  if (slot === undefined || !isValue) return false;
  // "31 December", "December 31"
  const [then, now] = [slot.before, slot.after].map((value) => termsOf(value).toSorted().join(" "));
  return then !== now;
}

/** "2000 ms", "two seconds" */
function lastEquallyLong(after: Said, before: Said): boolean {
  const [now, then] = [after, before].map((said) =>
    said
      .wording()
      .words.flatMap(({ duration = [] }) => duration)
      .join(),
  );
  return now !== "" && now === then && after.text !== before.text;
}

/** "Answers in Dutch from now on": another value held before. */
function ofNow({ before, after, prefix }: Slot): ChangeKind {
  const previous = prefix.at(-1);
  const about = contentOf(prefix);
  if (previous === undefined || about.length === 0 || previous.relation?.holds === "kind") return "beside";
  const isPlace = previous.isJoint ? PLACED.has(lower(previous)) : previous.relation?.value === "after";
  if (!isPlace || about.some(({ term }) => GATHERING.has(term))) return "beside";
  const [first, second] = [kindOf(before), kindOf(after)];
  if (first !== second) return "contradicts";
  const isOne = first !== undefined || [before, after].every(isNamed) || MEASURED.has(lower(about.at(-1) ?? previous));
  return isOne || before[0]?.kind === "time" ? "replaces" : "contradicts";
}

const PLACED: ReadonlySet<string> = new Set(
  "in on at to from via through im am auf über bei sur dans chez en em na no su на в".split(" "),
);

/** Stems of verbs that can have several objects at once. */
const GATHERING: ReadonlySet<string> = new Set(
  "depend rely support integrat connect listen subscrib also too".split(" "),
);

/** A name, a number or an address, not a word for a state. */
function isNamed(value: readonly Token[]): boolean {
  return value.every(
    ({ isName, kind, written }) => isName || kind !== "word" || /[\p{L}\d][@/.:_-][\p{L}\d]/u.test(written),
  );
}

/** "Dr. Okafor" and "Dr. Lindqvist" are two people, not one doctor. */
function withoutTitles(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter((token, at) => !(TITLES.has(lower(token)) && tokens[at + 1]?.isName === true));
}

const TITLES: ReadonlySet<string> = new Set("dr mr mrs ms prof herr frau mme sr sra".split(" "));

function termsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.map(({ term }) => term);
}

function slotOf(before: readonly Token[], after: readonly Token[]): Slot | undefined {
  const { start, end } = sharedEnds(termsOf(before), termsOf(after));
  const slot = {
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
    prefix: after.slice(0, start),
    suffix: end === 0 ? [] : after.slice(-end),
  };
  return isWhole(slot.before) && isWhole(slot.after) ? slot : undefined;
}

/** A value and nothing else: no condition, no other relation, no environment. "Tuesday at 10:00" is one. */
function isWhole(value: readonly Token[]): boolean {
  const isMoment = value[0]?.kind === "time" && contentOf(value).every(({ kind }) => kind === "time");
  if (isMoment && value.every(({ relation }) => relation === undefined)) return value.length <= LONGEST_VALUE;
  return (
    value.length > 0 &&
    value.length <= LONGEST_VALUE &&
    value.every(({ isJoint, isSetting, relation }) => !isJoint && !isSetting && relation === undefined)
  );
}

/** "At 2am" and "at 4am on Sundays" are not. */
function areAlike(first: readonly Token[], second: readonly Token[]): boolean {
  const kind = first[0]?.kind;
  return kind === second[0]?.kind && (kind !== "time" || contentOf(first).length === contentOf(second).length);
}

/** "… than 3 approvals". */
function isLimit({ before, after, prefix, suffix }: Slot): boolean {
  const previous = prefix.at(-1);
  const areNumbers = before[0]?.kind === "number" && after[0]?.kind === "number";
  return areNumbers && previous !== undefined && LIMITS.has(lower(previous)) && isAmount(suffix);
}

const LIMITS: ReadonlySet<string> = new Set(["than", "above", "over", "below", "under", "beyond"]);

/** What a number counts: "seconds", "workers"; not "is" in "issue 412 is", nor "needs" in "build 7 needs a review". */
function isAmount([token, next, last]: readonly Token[]): boolean {
  if (token === undefined || token.relation !== undefined) return false;
  const word = lower(token);
  // "calls a minute", "jobs per hour": a rate; not "needs a second reviewer".
  const isPeriod = next !== undefined && PERIODS.has(lower(next)) && (last === undefined || last.isJoint);
  const isRate = isPeriod && PLURAL.test(word);
  if (UNITS.has(word) || isRate) return true;
  const isVerb = VERBS.has(word) || (next !== undefined && OBJECTS.has(lower(next)));
  return !token.isJoint && !token.isName && !isVerb && PLURAL.test(word);
}

const PERIODS: ReadonlySet<string> = new Set(["second", "minute", "hour", "day", "week", "month", "year"]);

const PLURAL = /^[a-z]{2,}[^s\W]s$/u;

/** "port 8080", "20 seconds", "is 5"; never "issue 412". */
function ofNumbers({ before, after, prefix, suffix }: Slot): ChangeKind {
  const previous = prefix.at(-1);
  const about = contentOf(prefix);
  if (previous === undefined || NUMBERED.has(previous.term) || NUMBERED.has(lower(previous))) return "beside";
  if (about.length === 0 && previous.relation === undefined) return "beside";
  const haveUnits = [before, after].every(([, unit, ...rest]) => rest.length === 0 && isAmount(unit ? [unit] : []));
  if (isAmount(suffix) || haveUnits) return "replaces";
  if (MEASURED.has(lower(previous))) return "replaces";
  if (previous.relation !== undefined) return about.length > 0 ? "replaces" : "beside";
  // "The database is Postgres 14": the word in between is the thing that the number belongs to.
  const relation = prefix.at(-2)?.relation;
  const isLast = suffix[0]?.isJoint ?? true;
  return isLast && previous.isName && relation?.value === "after" ? "replaces" : "beside";
}

/** "The standup is at 9:30". If the time only says when something else is done, both may hold. */
function ofTimes({ prefix, suffix }: Slot): ChangeKind {
  const previous = prefix.at(-1);
  if (contentOf(prefix).length === 0 && previous?.relation?.id === "be") return "beside";
  if (previous?.relation !== undefined) return "replaces";
  // "Planning is on Monday at 10:00": one thing with its own time.
  const isOfOne = previous?.isJoint === true && prefix.at(-3)?.relation?.holds === "one";
  if (isOfOne && suffix.length === 0) return "replaces";
  const isWhen = suffix.length === 0 && previous !== undefined && WHEN.has(lower(previous));
  return isWhen && contentOf(prefix).length > 0 ? "contradicts" : "beside";
}

const WHEN: ReadonlySet<string> = new Set(["on", "at", "by"]);

function ofNames(slot: Slot, after: Said, before: Said): ChangeKind {
  const { prefix, suffix } = slot;
  if (prefix.length === 0 && suffix[0]?.relation?.value === "before")
    return contentOf(suffix).length > 0 ? "replaces" : "beside";
  const relation = prefix.at(-1)?.relation;
  if (isPreferredAs(slot) || isDeployedOn(slot)) return "replaces";
  if (relation?.value !== "after") return "beside";
  if (relation.holds === "kind") return ofKinds(slot, relation.id === "prefer");
  const isOwnSubject = relation.id === "deploy" || relation.id === "run on" || relation.id === "listen on";
  if (contentOf(prefix).length === 0 && !isOwnSubject) return "beside";
  return relation.id === "be" ? ofBeing(slot, after, before) : "replaces";
}

/** "I prefer reviews as a list": one thing is preferred in one form. */
function isPreferredAs({ prefix, suffix }: Slot): boolean {
  const at = prefix.findIndex(({ relation }) => relation?.id === "prefer");
  const about = prefix.slice(at + 1, -1);
  return at >= 0 && suffix.length === 0 && prefix.at(-1)?.isJoint === true && contentOf(about).length > 0;
}

/** "We deploy the docs site on Netlify" */
function isDeployedOn({ before, after, prefix, suffix }: Slot): boolean {
  const areNames = [before, after].every((value) => value.every(({ isName }) => isName));
  const isPlace = prefix.at(-1)?.isJoint === true && suffix.length === 0;
  return areNames && isPlace && contentOf(prefix).length > 1 && prefix.some((token) => DEPLOYING.has(lower(token)));
}

const DEPLOYING = verbsOf(RELATIONS.filter(({ id }) => id === "deploy"));

/** "The lead is Nora" has one value; "the build is red" is a state, and "Ann is a designer" is one fact of many. */
function ofBeing({ before: old, after: now, prefix }: Slot, after: Said, before: Said): ChangeKind {
  const areNames = old.every(({ isName }) => isName) && now.every(({ isName }) => isName);
  const isDefinite = [after, before].every(({ text }) => DEFINITE.test(text)) || prefix[0]?.isName === true;
  const isTerse = areNames && [after, before].every(({ text }) => ONE_OF_ITS_KIND.test(text));
  if (!isDefinite && !isTerse) return "beside";
  const [first, second] = [kindOf(old), kindOf(now)];
  return areNames || (first !== undefined && first === second) ? "replaces" : "contradicts";
}

/** "Jonas is the product owner", then "Our product owner is Mira" or "Mira is the product owner". */
function areHoldersOfOneRole(after: Said, before: Said): boolean {
  const [now, then] = [roleOf(after), roleOf(before)];
  if (now === undefined || then === undefined || !(now.isLast || then.isLast)) return false;
  return isSame(now.role, then.role) && !isSame(now.holder, then.holder);
}

/** "Priya owns the dashboard", then "The dashboard is owned by Marek". */
function areOwnersOfOneThing(after: Said, before: Said): boolean {
  const [now, then] = [ownedBy(after), ownedBy(before)];
  if (now === undefined || then === undefined || now.id === then.id) return false;
  return isSame(now.thing, then.thing) && !isSame(now.owner, then.owner);
}

interface Owned {
  readonly id: string;
  readonly owner: readonly Token[];
  readonly thing: readonly Token[];
}

function ownedBy({ tokens }: Said): Owned | undefined {
  const at = tokens.findIndex(({ relation }) => relation?.id === "own" || relation?.id === "be owned by");
  const id = tokens[at]?.relation?.id;
  const [first, last] = [tokens.slice(0, at), tokens.slice(at + 1)];
  const [owner, thing] = id === "own" ? [first, last] : [last, first];
  if (id === undefined || owner.length > LONGEST_VALUE || thing.length === 0) return undefined;
  return owner.length > 0 && owner.every(({ written }) => /^\p{Lu}/u.test(written)) ? { id, owner, thing } : undefined;
}

interface Role {
  readonly holder: readonly Token[];
  readonly role: readonly Token[];
  /** "Jonas is the owner", not "the owner is Jonas". */
  readonly isLast: boolean;
}

function roleOf({ tokens, text }: Said): Role | undefined {
  const at = tokens.findIndex(({ relation }) => relation?.id === "be");
  const [first, last] = [tokens.slice(0, at), tokens.slice(at + 1)];
  if (at < 1 || first.length > LONGEST_VALUE || last.length === 0 || last.length > LONGEST_VALUE) return undefined;
  // The first word of a sentence has a capital letter, name or not.
  if (first.every(({ written }) => /^\p{Lu}/u.test(written)) && IS_DEFINITE.test(text))
    return { holder: first, role: last, isLast: true };
  return last.every(({ isName }) => isName) && DEFINITE.test(text)
    ? { holder: last, role: first, isLast: false }
    : undefined;
}

const IS_DEFINITE =
  /\s(?:is (?:the|our|my)|ist (?:der|die|das|unser\p{L}*)|est (?:le|la|notre)|es (?:el|la|nuestr\p{L}*)|é [oa]|è (?:il|la|lo))\s/iu;

const DEFINITE =
  /^(?:the|our|my|its|their|der|die|das|unser\p{L}*|le|la|les|notre|el|los|las|nuestr\p{L}*|o|a|il|lo)\s/iu;

/** "On-call is Wen": no article, but only one at a time. */
const ONE_OF_ITS_KIND =
  /^(?!(?:an?|one|some|another|eine?|une?|una|um|uma)\s)\p{Ll}[\p{L}-]*(?: \p{Ll}[\p{L}-]*)? (?:is|ist|est|es|é|è) \S/u;

/** Of one kind, only one thing holds at a time; things of two kinds are independent. */
function ofKinds({ before, after, suffix }: Slot, isPreference: boolean): ChangeKind {
  const [first, second] = [kindOf(before), kindOf(after)];
  const isForOne = isPurpose(suffix) && isThing(before) && isThing(after);
  if (isForOne && (first === undefined || second === undefined)) return "replaces";
  if (first !== undefined || second !== undefined) {
    if (first !== second) return "beside";
    return isPreference || first?.shared !== true ? "replaces" : suffix.length > 0 ? "contradicts" : "beside";
  }
  const [next] = suffix;
  // "short answers" and "long answers": the thing is the same.
  if (isPreference)
    return next === undefined || next.isJoint ? (areShort(before, after) ? "contradicts" : "beside") : "replaces";
  return next?.isJoint === true ? "contradicts" : "beside";
}

const PURPOSE: ReadonlySet<string> = new Set("for für zum zur pour para per для do".split(" "));

/** "… for dates": one purpose needs one thing. */
function isPurpose([joint, ...rest]: readonly Token[]): boolean {
  return joint !== undefined && PURPOSE.has(lower(joint)) && contentOf(rest).length > 0;
}

/** A tool by name, not a class of things: "date-fns", not "mocks". */
function isThing(value: readonly Token[]): boolean {
  const last = value.at(-1);
  return (
    last !== undefined && value.length <= 2 && (last.isName || !PLURAL.test(lower(last)) || /[^a-z]/u.test(lower(last)))
  );
}

function areShort(first: readonly Token[], second: readonly Token[]): boolean {
  return first.length === 1 && second.length === 1;
}

function lower({ written }: Token): string {
  return written.toLowerCase();
}
