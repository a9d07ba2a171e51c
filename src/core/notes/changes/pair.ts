import type { Features } from "../../shared/linear.ts";
import { contrastsOf } from "./contrasts.ts";
import { polesApart } from "./poles.ts";
import { SIGNS_OF_CHANGE, type SignName } from "./signs.ts";
import { areSynonyms, likeness, NEGATIONS, type Word, type Wording, type WordKind } from "./wording.ts";

/** Words count as shared from this likeness on. */
export const ALIKE = 0.6;

/** Two wordings to compare. */
export interface Pair {
  readonly after: Wording;
  readonly before: Wording;
  readonly shared: readonly Word[];
  readonly onlyBefore: readonly Word[];
  readonly onlyAfter: readonly Word[];
  /** How much of the older one the new one covers, and the other way round; from 0 to 1. */
  readonly known: number;
  readonly old: number;
}

export function pairOf(after: Wording, before: Wording): Pair {
  const [now, then] = [after.content, before.content];
  // "HTTP client" and "httpx": what has a counterpart is none for another word.
  const [ofNow, ofThen] = [withoutThoseIn(then, now), withoutThoseIn(now, then)];
  const near = then.map((word) => (ofThen.includes(word) ? nearest(word, ofNow) : 1));
  const back = now.map((word) => (ofNow.includes(word) ? nearest(word, ofThen) : 1));
  return {
    after,
    before,
    shared: then.filter((_, at) => (near[at] ?? 0) >= ALIKE),
    onlyBefore: then.filter((_, at) => (near[at] ?? 0) < ALIKE),
    onlyAfter: now.filter((_, at) => (back[at] ?? 0) < ALIKE),
    known: covered(then, near),
    old: covered(now, back),
  };
}

function withoutThoseIn(others: readonly Word[], words: readonly Word[]): readonly Word[] {
  const known = new Set(others.map(({ term }) => term));
  return words.filter(({ term }) => !known.has(term));
}

function nearest(word: Word, all: readonly Word[]): number {
  let most = 0;
  for (const other of all) most = Math.max(most, likeness(word, other));
  return most;
}

function covered(words: readonly Word[], near: readonly number[]): number {
  let [sum, all] = [0, 0];
  for (const [at, word] of words.entries()) {
    const weight = word.kind === "word" ? (word.matters.length > 0 ? 0.8 : 1) : 1.3;
    sum += weight * (near[at] ?? 0);
    all += weight;
  }
  return all === 0 ? 0 : sum / all;
}

/** The features of a pair for a learned judgement. Beyond the lists of `signs`, they do not know what words mean. */
export function featuresOf(pair: Pair): Features {
  const features: Features = new Map();
  const note = (name: string, amount = 1): void => {
    if (amount !== 0) features.set(name, amount);
  };
  noteOverlap(pair, note);
  const hasSlot = noteValues(pair, note);
  noteSettings(pair, note);
  const contrasts = contrastsOf(pair);
  for (const one of contrasts) note(`contrast ${one}`);
  noteForm(pair, note);
  noteStance(pair, note);
  noteSigns(pair, note, hasSlot);
  noteRejected(pair, note, hasSlot);
  noteTone(pair, note, { hasSlot, hasContrast: contrasts.has("early") || contrasts.has("modifier") });
  noteWords(pair, note);
  return features;
}

type Noting = (name: string, amount?: number) => void;

const STEPS = [0.15, 0.35, 0.55, 0.75];

function step(share: number): number {
  return STEPS.filter((least) => share >= least).length;
}

function noteOverlap({ after, before, known, old, shared, onlyBefore, onlyAfter }: Pair, note: Noting): void {
  note("known", known);
  note("old", old);
  note("known old", known * old);
  note(`known ${step(known)}`);
  note(`old ${step(old)}`);
  note(`known old ${step(known)} ${step(old)}`);
  let grams = 0;
  for (const gram of before.grams) if (after.grams.has(gram)) grams++;
  note("grams known", grams / Math.max(1, before.grams.size));
  note("grams old", grams / Math.max(1, after.grams.size));
  note("shared", Math.min(shared.length, 6) / 6);
  note("only before", Math.min(onlyBefore.length, 8) / 8);
  note("only after", Math.min(onlyAfter.length, 12) / 12);
  for (const [name, words] of Object.entries({ shared, onlyBefore, onlyAfter }))
    if (words.length === 0) note(`no ${name}`);
  const begins = (words: readonly Word[], other: readonly Word[]): number =>
    covered(
      words,
      words.map((word) => nearest(word, other)),
    );
  note("start old", begins(after.content.slice(0, 3), before.content));
  note("end old", begins(after.content.slice(-3), before.content));
  note("start known", begins(before.content.slice(0, 3), after.content));
  note("end known", begins(before.content.slice(-3), after.content));
}

const VALUES: readonly WordKind[] = ["number", "day", "month", "time", "code", "name"];

/** Notes kinds of which both have values, but different ones; returns whether there are any. */
function noteValues(pair: Pair, note: Noting): boolean {
  const { after, before, shared, onlyBefore, onlyAfter, known, old } = pair;
  let hasSlot = haveOneTool(onlyBefore, onlyAfter);
  if (hasSlot) note("slot tool");
  const state = (all: readonly Word[], only: readonly Word[], kind: WordKind): string =>
    isAny(only, kind) ? "other" : isAny(all, kind) ? "same" : "none";
  for (const kind of VALUES) {
    const [then, now] = [state(before.content, onlyBefore, kind), state(after.content, onlyAfter, kind)];
    note(`${kind} ${then} ${now}`);
    if (isAny(shared, kind)) note(`${kind} shared`);
    if (then !== "other" || now !== "other") continue;
    hasSlot = true;
    note(`slot ${kind}`);
    note(`slot ${kind} known`, known);
  }
  const isTime = ({ kind }: Word): boolean => kind === "day" || kind === "month" || kind === "time";
  if (onlyBefore.some(isTime) && onlyAfter.some(isTime)) note("slot when");
  note(`values ${hasValue(onlyBefore)} ${hasValue(onlyAfter)}`);
  note(`names ${onlyBefore.some(isName)} ${onlyAfter.some(isName)} ${shared.some(isName)}`);
  if (!hasSlot) return false;
  note("slot");
  note("slot known", known);
  note("slot old", old);
  return true;
}

function isAny(words: readonly Word[], kind: WordKind): boolean {
  return words.some((word) => word.kind === kind);
}

export function hasValue(words: readonly Word[]): boolean {
  return words.some(({ kind }) => kind !== "word");
}

/** A name, or something written as code. */
export function isName({ kind }: Word): boolean {
  return kind === "name" || kind === "code";
}

/** Whether one value may have replaced another: two numbers, two names, two tools of one kind. */
export function haveOneKind(some: readonly Word[], others: readonly Word[]): boolean {
  return haveOneTool(some, others) || VALUES.some((kind) => isAny(some, kind) && isAny(others, kind));
}

/** Whether one amount, time or number may have replaced another; names and tools may hold side by side. */
export function haveOneMeasure(some: readonly Word[], others: readonly Word[]): boolean {
  return MEASURES.some((kind) => isAny(some, kind) && isAny(others, kind));
}

const MEASURES: readonly WordKind[] = ["number", "day", "month", "time"];

export function isMeasure({ kind }: Word): boolean {
  return MEASURES.includes(kind);
}

function haveOneTool(some: readonly Word[], others: readonly Word[]): boolean {
  return some.some(({ tool }) => tool !== undefined && others.some((other) => other.tool === tool));
}

/** Whether there are environments, places, components, people or conditions that only one of the two names. */
export function settingsApart({ after, before }: Pair): {
  readonly old: boolean;
  readonly fresh: boolean;
  readonly other: boolean;
} {
  // "After 24 hours" is not a condition.
  const isDuration = (words: readonly Word[], at: number): boolean =>
    words[at]?.setting === "condition" && words[at + 1]?.kind === "number";
  const own = ({ words }: Wording, { words: others }: Wording): readonly Word[] =>
    words.filter(
      (word, at) =>
        word.setting !== undefined &&
        !isDuration(words, at) &&
        !others.some((one) => withoutAccents(one.term) === withoutAccents(word.term) || areSynonyms(one, word)),
    );
  const [then, now] = [own(before, after), own(after, before)];
  const other = then.some(({ setting }) => now.some((word) => word.setting === setting));
  return { old: then.length > 0, fresh: now.length > 0, other };
}

/** "Préprod" and "preprod". */
function withoutAccents(term: string): string {
  return term.normalize("NFD").replaceAll(/\p{M}/gu, "");
}

function noteSettings(pair: Pair, note: Noting): void {
  const { old, fresh, other } = settingsApart(pair);
  note(`settings ${old} ${fresh}`);
  if (other) note("settings other");
}

/** Whether one denies an odd number of times and the other not, or one names the other's opposite, but not both. */
export function isOpposed(pair: Pair): boolean {
  const { after, before } = pair;
  if (turnsDownTheSame(pair)) return false;
  const isApart = polesApart(after.stance(), before.stance()) === 1;
  return (after.stance().denies !== before.stance().denies) !== isApart;
}

function noteStance(pair: Pair, note: Noting): void {
  const { after, before, known, old, onlyAfter } = pair;
  const apart = polesApart(after.stance(), before.stance());
  const [then, now] = [before.stance().denies, after.stance().denies];
  note(`denies ${then} ${now}`);
  note(`denies ${then} ${now} known`, known);
  note(`denies ${then} ${now} ${step(known)} ${step(old)}`);
  note(`denies ${then} ${now} poles ${Math.min(apart, 2)}`);
  if (apart > 0) note("poles apart");
  if (apart > 0) note("poles apart known", known);
  if (!isOpposed(pair)) return;
  note("opposed");
  note("opposed known", known);
  note("opposed old", old);
  note(`opposed ${step(known)} ${step(old)}`);
  note(`opposed with ${Math.min(onlyAfter.length, 4)}`);
}

function noteForm({ after, before, known }: Pair, note: Noting): void {
  note(`negative ${before.isNegative} ${after.isNegative}`);
  if (before.isNegative !== after.isNegative) note("denial known", known);
  if (after.isQuestion) note("question");
  if (after.isAsking) note("asking");
  if (after.sentences > 1) note("sentences");
  const ratio = after.words.length / Math.max(1, before.words.length);
  note("length", Math.min(ratio, 3) / 3);
  note(ratio < 0.7 ? "shorter" : ratio > 1.5 ? "longer" : "as long");
  note(after.words.length < 6 ? "terse" : after.words.length > 16 ? "wordy" : "middling");
}

function noteSigns({ after, before, known, shared }: Pair, note: Noting, hasSlot: boolean): void {
  const level = step(known) >= 3 ? "high" : step(known) >= 1 ? "middle" : "low";
  const isNamed = shared.some(isName);
  for (const sign of after.signs) {
    note(`sign ${sign}`);
    note(`sign ${sign} known`, known);
    note(`sign ${sign} ${level}`);
    if (hasSlot) note(`sign ${sign} slot`);
    if (isNamed) note(`sign ${sign} name`);
    if (after.firstSigns.has(sign)) note(`first ${sign}`);
    if (!before.signs.has(sign)) note(`only ${sign}`);
  }
}

/** "Tabs, not spaces", "tabs rather than spaces" */
export function turnsDownTheSame({ after, before, shared }: Pair): boolean {
  const both = shared.filter(({ term }) => after.rejected().has(term) && before.rejected().has(term));
  return both.length > 0 && shared.some(({ term }) => !after.rejected().has(term) && !before.rejected().has(term));
}

/** Whether the new statement turns down what the note says and names something else: "Ruff, not Black". */
export function isTurnedDown({ after, before, shared, onlyAfter }: Pair): boolean {
  const isRejected = ({ term }: Word): boolean => after.rejected().has(term) && !before.rejected().has(term);
  return (
    shared.some(isRejected) &&
    onlyAfter.some((word) => !word.isLight && !NEGATIONS.has(word.lower) && !isRejected(word))
  );
}

function noteRejected(pair: Pair, note: Noting, hasSlot: boolean): void {
  if (!isTurnedDown(pair)) return;
  const isOfName = pair.shared.some((word) => isName(word) && pair.after.rejected().has(word.term));
  note("rejects");
  note("rejects known", pair.known);
  note(`rejects ${isOfName ? "name" : "word"}`);
  if (hasSlot || pair.onlyAfter.some(isName)) note("rejects for another");
}

interface Found {
  readonly hasSlot: boolean;
  readonly hasContrast: boolean;
}

/** Whether the new statement announces a change, doubts, or does neither, combined with other features. */
function noteTone(pair: Pair, note: Noting, { hasSlot, hasContrast }: Found): void {
  const { after, before, known, old, onlyBefore, onlyAfter } = pair;
  const has = (sign: SignName): boolean => after.signs.has(sign);
  const changes = SIGNS_OF_CHANGE.filter(has).length;
  const isDoubtful = has("unsure") || has("hearsay") || has("considered");
  const tone = isDoubtful ? "doubt" : changes > 0 ? "change" : has("since") ? "since" : "quiet";
  note("changes", Math.min(changes, 3) / 3);
  note("changes known", (Math.min(changes, 2) / 2) * known);
  note(tone);
  note(`${tone} known`, known);
  note(`${tone} old`, old);
  note(`${tone} ${step(known)}`);
  note(`${tone} ${hasSlot ? "slot" : "no slot"} ${hasContrast ? "contrast" : "plain"}`);
  note(`${tone} ${hasSlot ? "slot" : "no slot"} known`, known);
  note(`${tone} ${hasContrast ? "contrast" : "plain"} known`, known);
  note(`${tone} values ${hasValue(onlyBefore)} ${hasValue(onlyAfter)}`);
  note(`${tone} negative ${before.isNegative} ${after.isNegative}`);
  if (isOpposed(pair)) {
    note(`${tone} opposed`);
    note(`${tone} opposed ${hasContrast ? "contrast" : "plain"} ${step(known)}`);
  }
  if (tone === "quiet") note(`quiet ${step(known)} ${step(old)}`);
  if (tone === "quiet" && has("reason")) note("quiet reason");
  if (tone === "quiet" && has("detail")) note("quiet detail");
  if (has("over") && has("since")) note("over since");
}

/** The words of the new statement that the older one lacks, and all pairs of neighbouring words. */
function noteWords({ after, before }: Pair, note: Noting): void {
  const then = new Set(before.words.map(({ lower }) => lower));
  for (const [at, { lower }] of after.words.entries()) {
    const next = after.words[at + 1];
    if (!then.has(lower)) note(`w:${lower}`);
    if (next !== undefined) note(`w:${lower} ${next.lower}`);
  }
}
