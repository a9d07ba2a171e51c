import matters from "./matters.json" with { type: "json" };
import { once } from "../../shared/once.ts";
import { Names, type Row } from "./names.ts";
import lists from "./values.json" with { type: "json" };

/** A value that has a name in many languages. */
export interface NamedValue {
  readonly kind: "day" | "month" | "number";
  readonly term: string;
}

/** What a word names, if it is a day, a month or a number. */
export function valueNamed(lower: string): NamedValue | undefined {
  return OF_VALUES().get(lower)[0];
}

/** The matters that a word may be about. */
export function mattersOf(lower: string): readonly number[] {
  return OF_MATTERS().get(lower);
}

/** Names of values in scripts that write no spaces. */
export const UNSPACED_VALUES = once(() =>
  rowsOfValues().flatMap(([row, value]) =>
    row
      .split("|")
      .filter((name) => name.length > 1 && /[\p{sc=Han}\p{sc=Hangul}]/u.test(name))
      .map((name) => [name, value] as const),
  ),
);

function rowsOfValues(): readonly Row<NamedValue>[] {
  return [
    ...lists.day.map((row, at): Row<NamedValue> => [row, { kind: "day", term: `day ${at}` }]),
    ...lists.month.map((row, at): Row<NamedValue> => [row, { kind: "month", term: `month ${at}` }]),
    ...lists.number.map((row, at): Row<NamedValue> => [row, { kind: "number", term: `${at}` }]),
    ...lists.tens.map((row, at): Row<NamedValue> => [row, { kind: "number", term: `${20 + 10 * at}` }]),
  ];
}

const OF_VALUES = once(() => new Names(rowsOfValues()));

const OF_MATTERS = once(() => new Names(matters.rows.map((row, at): Row<number> => [row, at])));
