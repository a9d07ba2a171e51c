import { once } from "../../shared/once.ts";
import { Phrases } from "./phrase-finder.ts";
import lists from "./poles.json" with { type: "json" };

/** What a statement denies, and which sides of opposites it names. */
export interface Stance {
  /** It denies an odd number of times: "nobody may merge without a review" asserts. */
  readonly denies: boolean;
  /** For each named pair of opposites its sides: 0, 1 or both. */
  readonly sides: ReadonlyMap<number, ReadonlySet<number>>;
}

type Pole = { readonly row: number; readonly side: number } | "denial" | "doubled";

const POLES = once(
  () =>
    new Phrases<Pole>([
      [lists.unsaid.join("|"), undefined],
      [lists.denials.join("|"), "denial"],
      [lists.doubled.join("|"), "doubled"],
      ...lists.rows.flatMap((sides, row) => sides.map((names, side) => [names, { row, side }] as const)),
    ]),
);

const PORTUGUESE = new RegExp(lists.portuguese, "u");

/** In some languages several denials this close together deny once: "no lo uses nunca" (words). */
const ONE_DENIAL = 5;

/** In Portuguese "no" means "in the"; in a lower-case text. */
export function withoutPortugueseNo(folded: string): string {
  return PORTUGUESE.test(folded) ? folded.replaceAll(/(?<![^ ])no(?= )/gu, "em") : folded;
}

/** The stance of a lower-case text without apostrophes. */
export function stanceOf(written: string): Stance {
  const folded = withoutPortugueseNo(written);
  const sides = new Map<number, Set<number>>();
  let denials = 0;
  let [denied, doubled] = [-Infinity, -Infinity];
  for (const { of, at } of POLES().in(folded)) {
    if (typeof of === "object") {
      sides.set(of.row, (sides.get(of.row) ?? new Set()).add(of.side));
    } else if (of === "denial") {
      // "Keep X out" of "keep X out of" is found, too.
      if (at !== denied || at < 0) denials++;
      denied = at;
    } else {
      if (at - doubled > ONE_DENIAL) denials++;
      doubled = at;
    }
  }
  return { denies: denials % 2 === 1, sides };
}

/** The number of pairs of opposites of which each names another side. */
export function polesApart(one: Stance, other: Stance): number {
  let apart = 0;
  for (const [row, sides] of one.sides) {
    const others = other.sides.get(row);
    if (others !== undefined && sides.size === 1 && others.size === 1 && ![...sides].some((side) => others.has(side)))
      apart++;
  }
  return apart;
}

/** "Just one of our regions", "every one of our regions"; "on", "off". Neither denies more than the other. */
export function nameOpposites(one: Stance, other: Stance): boolean {
  return one.denies === other.denies && polesApart(one, other) === 1;
}

/** Whether a lower-case word denies or has an opposite. */
export function isPole(lower: string): boolean {
  return POLES().in(lower).length > 0;
}
