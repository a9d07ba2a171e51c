import { once } from "../../shared/once.ts";
import matters from "./matters.json" with { type: "json" };
import lists from "./values.json" with { type: "json" };

/** Names separated by `|`, and what they stand for. */
export type Row<T> = readonly [names: string, of: T];

/** Shorter beginnings occur in too many words. */
const START = 2;

/** What words stand for, by rows of names separated by `|`; `*` stands for any ending. */
export class Names<T> {
  readonly #whole = new Map<string, T[]>();
  readonly #starts = new Map<string, (readonly [start: string, of: T])[]>();

  constructor(rows: readonly Row<T>[]) {
    for (const [names, of] of rows) for (const name of names.split("|")) this.#add(name, of);
  }

  #add(name: string, of: T): void {
    if (name.endsWith("*")) pushTo(this.#starts, name.slice(0, START), [name.slice(0, -1), of]);
    else pushTo(this.#whole, name, of);
  }

  get(lower: string): readonly T[] {
    const whole = this.#whole.get(lower) ?? [];
    const starts = this.#starts.get(lower.slice(0, START));
    if (starts === undefined) return whole;
    const found = starts.filter(([start]) => lower.startsWith(start));
    return found.length === 0 ? whole : [...whole, ...found.map(([, of]) => of)];
  }
}

/** Adds a value to the list of a key. */
export function pushTo<K, V>(all: Map<K, V[]>, key: K, value: V): void {
  const list = all.get(key);
  if (list === undefined) all.set(key, [value]);
  else list.push(value);
}

/** Each name of a row, from one of them on, by the first. */
export function firstNames(rows: readonly string[], { from = 0, separator = " " } = {}): ReadonlyMap<string, string> {
  return new Map(
    rows
      .map((row) => row.split(separator))
      .flatMap((names) => names.slice(from).map((name) => [name, names[0] ?? name] as const)),
  );
}

/** The source of an expression for any of some names; a longer one comes before its beginning. */
export function anyOf(names: Iterable<string>): string {
  return [...names].toSorted((one, other) => other.length - one.length).join("|");
}

/** A value that has a name in many languages. */
export interface NamedValue {
  readonly kind: "day" | "month" | "number";
  readonly term: string;
}

/** What a word names, if it is a day, a month or a number. */
export function valueNamed(lower: string): NamedValue | undefined {
  return OF_VALUES().get(lower)[0];
}

/** The topics that a word may be about. */
export function mattersOf(lower: string): readonly number[] {
  return OF_MATTERS().get(lower);
}

/** Names of values in scripts without spaces. */
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
