import { once } from "../../shared/once.ts";
import { stem } from "../terms.ts";
import { sharedEnds } from "./ends.ts";
import { anyOf, firstNames } from "./named-words.ts";
import { synonymsOf } from "./synonyms.ts";
import lists from "./values.json" with { type: "json" };
import { NEGATIONS } from "./wording.ts";

/**
 * Whether two texts are the same but for one place, and there each has something: "the job for `npm publish`", "the job
 * for `make lint`". Who says the same in other words changes more than that.
 */
export function differInOnePlace(after: string, before: string): boolean {
  const [now, then] = [wordsIn(after), wordsIn(before)];
  const { start, end } = sharedEnds(now, then);
  const [own, old] = [now, then].map((words) => words.slice(start, words.length - end));
  const isOther = own !== undefined && old !== undefined && own.length > 0 && old.length > 0;
  return isOther && start + end >= LEAST_SHARED && !areInterchangeable(own, old);
}

/** "Needs", "requires"; "don't", "never" */
function areInterchangeable([own = "", ...more]: readonly string[], [old = "", ...others]: readonly string[]): boolean {
  if (more.length + others.length > 0) return false;
  const areDenials = [own, old].every((word) => NEGATIONS.has(word.replaceAll(/['’]/gu, "")));
  return areDenials || synonymsOf(own).some((row) => synonymsOf(old).includes(row));
}

/** "< 80", ">= 80"; "5 €", "5 %". */
export function haveOtherSigns(after: string, before: string): boolean {
  const [now, then] = [signsIn(after), signsIn(before)];
  return now !== "" && then !== "" && now !== then;
}

function signsIn(text: string): string {
  const units = Array.from(text.matchAll(UNIT), ([, unit = ""]) => UNITS.get(unit) ?? unit);
  return [...(text.match(/[<>≤≥]=?|[%€$£¥°](?![\p{L}(])/gu) ?? []), ...units].toSorted().join(" ");
}

/** "30秒", "7일": in scripts without spaces a unit is not a word of its own. */
const UNITS = firstNames(lists["unspaced units"]);
const UNIT = new RegExp(`\\d ?(${anyOf(UNITS.keys())})`, "gu");

/** A shorter sentence may well have another verb: "the module needs zstd", "the module requires zstd". */
const LEAST_SHARED = 7;

/** In small letters, without the punctuation around them. */
function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replaceAll(/^["'`“„«(]+|["'`”“»),.;:!?。！？]+$/gu, ""))
    .filter((word) => word !== "");
}

/** "Ends in June", "ended in June"; "are tested", "were tested"; in English */
export function haveOtherTenses(after: string, before: string): boolean {
  const [now, then] = [wordsIn(after), wordsIn(before)];
  const { start, end } = sharedEnds(now, then);
  // Who says the same in other words changes more than the tense.
  const [own, old] = [now, then].map((words) => words.slice(Math.max(0, start - 1), words.length - end));
  if (own === undefined || old === undefined || Math.max(own.length, old.length) > WORDS_OF_TENSE) return false;
  return arePastAndPresent(own, old) || arePastAndPresent(old, own);
}

/** A word that both have, and a verb with what helps it: "Jonas has reviewed". */
const WORDS_OF_TENSE = 3;

function arePastAndPresent(past: readonly string[], present: readonly string[]): boolean {
  const has = (words: readonly string[], forms: readonly string[]): boolean => words.some((one) => forms.includes(one));
  const [was, is] = lists["to be"].map((forms) => forms.split(" "));
  if (was === undefined || is === undefined) return false;
  if (has(past, was) && has(present, is) && !has(past, is) && !has(present, was)) return true;
  const told = past.filter((word, at) => word.endsWith("ed") && ![...was, ...is].includes(past[at - 1] ?? ""));
  const stems = new Set(told.map(stem));
  return present.some((word) => !word.endsWith("ed") && stems.has(stem(word)));
}

/** "Must", "may"; "until", "from": each names one side of what tells two statements of the same words apart. */
export function takeOtherSides(after: string, before: string): boolean {
  const [now, then] = [after.toLowerCase(), before.toLowerCase()];
  return APART().some(([one, other]) => {
    const sides = [now, then].map((text) => `${one.test(text)} ${other.test(text)}`);
    return sides.includes("true false") && sides.includes("false true");
  });
}

const APART = once(() =>
  lists.apart.map(([one = "", other = ""]) => [new RegExp(one, "u"), new RegExp(other, "u")] as const),
);
