import { once } from "../../shared/once.ts";
import { Phrases } from "./phrase-finder.ts";
import lists from "./signs.json" with { type: "json" };

const SIGNS = [
  "over",
  "departed",
  "instead",
  "moved",
  "since",
  "adjusted",
  "reversed",
  "unsure",
  "hearsay",
  "considered",
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
] as const;

/** What a statement may say about an earlier one, by the word lists in `signs.json`. */
export type SignName = (typeof SIGNS)[number];

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

/** The signs in a lower-case text without apostrophes; "no more than four" is not a sign. */
export function signsIn(folded: string): ReadonlySet<SignName> {
  return new Set(
    PHRASES()
      .in(folded)
      .map(({ of }) => of),
  );
}

const PHRASES = once(
  () =>
    new Phrases<SignName>([
      ...SIGNS.map((sign) => [lists[sign].join("|"), sign] as const),
      [lists.unsaid.join("|"), undefined],
    ]),
);
