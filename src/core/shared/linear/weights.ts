import type { Features } from "./features.ts";

/** What each feature says for and against, beside what is so without any. */
export interface LinearWeights {
  readonly bias: number;
  /** What a weight of 1 in the table is worth. */
  readonly unit: number;
  /** Of each place one whole number. */
  readonly table: Int8Array;
}

/** Weights as they lie in a data file: `table` is base64 of the places that have a weight, in order. */
export interface StoredWeights {
  readonly bias: number;
  readonly unit: number;
  readonly table: string;
}

/** So many that of the features nobody has learnt few meet one that was. */
const PLACES = 1 << 20;

/** Where the weight of a feature lies: names would be four times as long as the file. */
export function placeOf(name: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) % PLACES;
}

export function scoreOf({ bias, unit, table }: LinearWeights, features: Features): number {
  let sum = 0;
  for (const [name, amount] of features) sum += amount * (table[placeOf(name)] ?? 0);
  return bias + unit * sum;
}

/** A byte that says that the gap goes on. */
const MORE = 255;
const ZERO = 128;

/** For each weight the gap to the place before it, in steps of 255, and the weight itself. */
export function weightsOf({ bias, unit, table: text }: StoredWeights): LinearWeights {
  const bytes = atob(text);
  const table = new Int8Array(PLACES);
  let place = 0;
  for (let at = 0; at < bytes.length; at++) {
    const gap = bytes.charCodeAt(at);
    place += gap;
    if (gap !== MORE) table[place] = bytes.charCodeAt(++at) - ZERO;
  }
  return { bias, unit, table };
}
