import { expression, type Phrase, wholeWords } from "./phrases.ts";
import type { Language } from "./language.ts";
import { LAPSING } from "./words/date-words.ts";

/** Replaces characters that are not the writer's own prose; no word pattern matches it. */
const HIDDEN = "\uFFFC";

/**
 * The text, with its length unchanged and everything hidden that must stay as it is: code, quotations, links,
 * addresses, HTML comments.
 */
export function withoutQuotations(text: string): string {
  return NOT_PROSE.reduce((masked, pattern) => masked.replace(pattern, hide), text);
}

function hide(found: string): string {
  return found.replace(/[^\n]/gu, HIDDEN);
}

const NOT_PROSE: readonly RegExp[] = [
  /^([ \t]*)(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(?:[\s\S]*?^[ \t]*\2[`~]*[ \t]*$|[\s\S]*$)/gmu,
  /<!--[\s\S]*?(?:-->|$)/gu,
  /^[ \t]*>[^\n]*$/gmu,
  /^(?: {4}|\t)(?![-*+•]|\d+[.)])[^\n]*$/gmu,
  /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/gu,
  /\[\[[^\][\n]*\]\]|\[[^\][\n]*\](?:\([^)\n]*\)|\[[^\][\n]*\])/gu,
  /<[a-z][a-z+.-]*:[^>\s]*>|\b[a-z][a-z+.-]*:\/\/[^\s)>\]]+/giu,
  /"[^"\n]*(?:"|$)/gmu,
  /“[^”\n]*(?:”|$)|„[^“”"\n]*(?:[“”"]|$)|«[^»\n]*(?:»|$)|»[^«\n]*«|‹[^›\n]*›|「[^」\n]*(?:」|$)|『[^』\n]*(?:』|$)|《[^》\n]*》/gmu,
  /(?<![\p{L}\p{N}])['‘](?=\S)[^'‘’\n]*(?:['’](?=\p{L})[^'‘’\n]*)*(?<=\S)['’](?![\p{L}\p{N}])/gu,
];

export type Direction = "back" | "forward";

/** A phrase in its sentence. */
export interface Place {
  readonly language: Language;
  /** As it is written. */
  readonly written: string;
  /** In lower case, with the same length as `written`. */
  readonly sentence: string;
  readonly phrase: Phrase;
}

/** In which direction to count a day that does not say so itself; `undefined` if in doubt. */
export function directionOf(place: Place): Direction | undefined {
  const { language } = place;
  const { before, after, part } = surroundings(place);
  const clause = clauseOf(part);
  const isPast = language.past.test(part) && (hasFewWords(clause) || language.past.test(clause));
  const isFuture = language.future.test(part);
  if (isPast && isFuture) return undefined;
  if (language.since.test(before) || (language.sinceAfter.test(after) && !isFuture))
    return isFuture ? undefined : "back";
  if (language.until.test(before) || language.untilAfter.test(after)) return isPast ? undefined : "forward";
  const isComing = isFuture || (language.progressive.test(part) && !isPast);
  if (language.aim.test(before)) return isComing ? "forward" : undefined;
  return isPast ? "back" : isComing ? "forward" : undefined;
}

/** "Volvo signed, the contract starts on ⟨…⟩": what stands between the same commas and colons. */
function clauseOf(part: string): string {
  return part.split(/[,:;，：；]/u).find((one) => one.includes(PHRASE)) ?? part;
}

/** Whether a clause has hardly a word but the phrase: "On ⟨…⟩, Bob deployed it". */
function hasFewWords(clause: string): boolean {
  return (clause.match(/[\p{L}\p{N}]+/gu) ?? []).length <= MOST_AROUND;
}

const MOST_AROUND = 2;

/** Stands for the phrase, which has no tense itself: "last" is not a verb here. */
const PHRASE = "\u2002";

/** Whether what a phrase names may be in the future. */
export function mayCome(place: Place): boolean {
  return !place.language.past.test(surroundings(place).part);
}

/** Whether a count such as "in two weeks" names a day, not how long something takes or lives. */
export function announces(place: Place, perhaps: boolean): boolean {
  const { part } = surroundings(place);
  if (LIVES.test(part)) return false;
  const { past, future, events, anyOne, begins } = place.language;
  if (anyOne.test(part) && !begins.test(part)) return false;
  return !perhaps || (!past.test(part) && (future.test(part) || events.test(part)));
}

const LIVES = expression(wholeWords(LAPSING), "u");

/** Whether the words around a phrase show that it names no day, or not a specific one. */
export function isBarred({ language, sentence, phrase }: Place): boolean {
  const before = sentence.slice(0, phrase.start);
  const after = sentence.slice(phrase.end);
  const [from, to, moved] = language.moves;
  return (
    /[\w@#$+/\\_-]$|[-–]$/u.test(before.slice(-1)) ||
    /^(?:[_/\\@=+#]|[-–]\S|\.\p{L})/u.test(after) ||
    language.dated.test(after) ||
    HAS_DATE_BEFORE.test(before) ||
    (phrase.meaning.kind === "month-day" && (HAS_YEAR_AFTER.test(after) || HAS_YEAR_BEFORE.test(before))) ||
    language.standing.test(sentence) ||
    language.notAfter.test(before) ||
    language.notBefore.test(after) ||
    (phrase.meaning.kind === "weekday" && ((from.test(before) && to.test(after)) || moved.test(before))) ||
    (phrase.meaning.kind === "count" && (language.inexact.test(before) || language.inexactAfter.test(after)))
  );
}

/** "4 May 2031", "4 de mayo de 2031", "2031年5月4日" */
const HAS_YEAR_AFTER = /^(?:st|nd|rd|th|\.)?,?\s*(?:d[eo]l? |of |van )?(?:1[89]|2[01])\d\d(?!\d)/u;
const HAS_YEAR_BEFORE = /\d{4}\s*年\s*$/u;

const HAS_DATE_BEFORE = /\d{4}-\d{2}-\d{2}[\s,(（]*$|\d{1,2}(?:\.\d{1,2}\.|\/\d{1,2}\/?)(?:\d{2,4})?[\s,(（]*$/u;

/** The words right before and after a phrase, and the part of the sentence that shares its tense. */
export function surroundings({ language, written, sentence, phrase }: Place): {
  readonly before: string;
  readonly after: string;
  readonly part: string;
} {
  let from = 0;
  let to = sentence.length;
  for (const { index, 0: word } of sentence.matchAll(language.cut)) {
    if (index + word.length <= phrase.start) from = index + word.length;
    else if (index >= phrase.end) {
      to = index;
      break;
    }
  }
  const text = language.words.hasCapitalNouns === true ? written : sentence;
  return {
    before: sentence.slice(0, phrase.start),
    after: sentence.slice(phrase.end),
    part: `${text.slice(from, phrase.start)}${PHRASE}${text.slice(phrase.end, to)}`,
  };
}
