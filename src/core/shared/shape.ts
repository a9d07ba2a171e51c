import { isRecord } from "./json.ts";

/** Reads a value whose shape is unknown, such as parsed JSON; `undefined` when it has another one. */
export type Reader<T> = (value: unknown) => T | undefined;

/** What a reader finds. */
export type Read<R extends Reader<unknown>> = Exclude<ReturnType<R>, undefined>;

type Readers = Readonly<Record<string, Reader<unknown>>>;

type ReadBy<R extends Readers> = { readonly [Name in keyof R]: Read<R[Name]> };

export const text: Reader<string> = (value) => (typeof value === "string" ? value : undefined);

export const finite: Reader<number> = (value) =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** `false` for everything but `true`. */
export const flag: Reader<boolean> = (value) => value === true;

/** One of these values. */
export function oneOf<T extends string | true>(...values: readonly T[]): Reader<T> {
  return (value) => values.find((known) => known === value);
}

/** `fallback` stands for a value of another shape. */
export function or<T, F>(read: Reader<T>, fallback: F): (value: unknown) => T | F {
  return (value) => read(value) ?? fallback;
}

/** The entries of a list that have the right shape; none for what is not a list. */
export function listOf<T>(read: Reader<T>): (value: unknown) => readonly T[] {
  return (value) => {
    const entries: readonly unknown[] = Array.isArray(value) ? value : [];
    return entries.flatMap((entry): readonly T[] => {
      const found = read(entry);
      return found === undefined ? [] : [found];
    });
  };
}

/** An object with these fields, the `optional` ones where they have the right shape; other fields are left out. */
export function objectOf<R extends Readers, O extends Readers = Readonly<Record<never, never>>>(
  required: R,
  optional?: O,
): Reader<ReadBy<R> & Partial<ReadBy<O>>> {
  const [needed, others] = [Object.entries(required), Object.entries(optional ?? {})];
  return (value) => {
    if (!isRecord(value)) return undefined;
    const found: Record<string, unknown> = {};
    for (const [name, read] of [...needed, ...others]) {
      const field = read(value[name]);
      if (field !== undefined) found[name] = field;
    }
    return needed.every(([name]) => Object.hasOwn(found, name)) ? (found as ReadBy<R> & Partial<ReadBy<O>>) : undefined;
  };
}

/** What the first of these readers finds. */
export function firstOf<T>(...readers: readonly Reader<T>[]): Reader<T> {
  return (value) => {
    for (const read of readers) {
      const found = read(value);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
