import { haveOneMeasure, isTurnedDown, type Pair, turnsDownTheSame } from "./pair.ts";
import { SIGNS_OF_CHANGE, type SignName } from "./signs.ts";
import lists from "./values.json" with { type: "json" };

/** It says in words that the note has not that something changed, or turns down what the note says. */
export function tellsChange(pair: Pair): boolean {
  return (isFresh(pair, "since") && !isOneMore(pair)) || announcesChange(pair);
}

export function announcesChange(pair: Pair): boolean {
  const isSameChoice = turnsDownTheSame(pair);
  const isNews = (sign: SignName): boolean => isFresh(pair, sign) && !(sign === "instead" && isSameChoice);
  return isTurnedDown(pair) || SIGNS_OF_CHANGE.some(isNews);
}

/** "The demo is switched off at eight" announces nothing if the note says so too. */
export function isFresh({ after, before }: Pick<Pair, "after" | "before">, sign: SignName): boolean {
  return after.signs.has(sign) && !before.signs.has(sign);
}

/** It says that something is over, moved, …, or since when it holds. */
export const SIGNS_OF_NEWS: readonly SignName[] = [...SIGNS_OF_CHANGE, "since"];

/** "Now supports Windows": one more, unless an amount differs, as in "now supports Android 10". */
export function isOneMore({ after, onlyBefore, onlyAfter }: Pair): boolean {
  return !haveOneMeasure(onlyBefore, onlyAfter) && after.words.some(({ lower }) => GATHERING.test(lower));
}

/** Verbs that can have several objects at once, and words such as "also". */
const GATHERING = new RegExp(
  `^(?:${lists.gathering.replaceAll(" ", "|")})|^(?:${lists.also.replaceAll(" ", "|")})$`,
  "u",
);
