import { once } from "../../shared/once.ts";
import lists from "./signs.json" with { type: "json" };

/** What a statement may say of what was said before, by the lists of words of `signs.json`. */
export type SignName = Exclude<keyof typeof lists, "about" | "unsaid">;

/** Something is over, has another place, another measure, another person. */
export const SIGNS_OF_CHANGE: readonly SignName[] = [
  "over",
  "instead",
  "moved",
  "adjusted",
  "reversed",
  "departed",
  "back",
];

/** Those of a text in small letters, without apostrophes. */
export function signsIn(folded: string): ReadonlySet<SignName> {
  return new Set(PATTERNS().flatMap(([name, pattern]) => (pattern.test(folded) ? [name] : [])));
}

/** "No more than four" ends nothing. */
export function withoutUnsaid(folded: string): string {
  return folded.replaceAll(UNSAID(), " ");
}

const UNSAID = once(() => new RegExp(patternOf(lists.unsaid).source, "gu"));

const PATTERNS = once((): readonly (readonly [SignName, RegExp])[] => {
  const { about: _about, unsaid: _unsaid, ...signs } = lists;
  const names: readonly SignName[] = [
    "over",
    "departed",
    "instead",
    "moved",
    "since",
    "adjusted",
    "reversed",
    "unsure",
    "hearsay",
    "reason",
    "detail",
    "other",
    "restated",
    "pointing",
    "planned",
    "fresh",
    "back",
    "allowed",
    "stays",
  ];
  return names.map((name) => [name, patternOf(signs[name])]);
});

const UNBOUNDED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

function patternOf(rows: readonly string[]): RegExp {
  const phrases = rows.flatMap((row) => row.split("|"));
  const bounded = phrases.filter((phrase) => !UNBOUNDED.test(phrase)).map(sourceOf);
  const unbounded = phrases.filter((phrase) => UNBOUNDED.test(phrase)).map(sourceOf);
  return new RegExp([`(?<![\\p{L}\\p{N}])(?:${bounded.join("|")})(?![\\p{L}\\p{N}])`, ...unbounded].join("|"), "u");
}

function sourceOf(phrase: string): string {
  return phrase
    .replaceAll(/[.+?^${}()|[\]\\]/gu, "\\$&")
    .replaceAll(" * ", " (?:\\S+ ){1,4}?")
    .replaceAll(/(?<=\S)\*(?=\S)/gu, ".{1,8}")
    .replaceAll(/(?<=\S)\*/gu, "\\p{L}*")
    .replaceAll("-", "[- ]");
}
