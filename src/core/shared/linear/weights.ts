import type { Features } from "./features.ts";

/** What each feature says for and against, beside what is so without any. */
export interface LinearWeights {
  readonly bias: number;
  /** 0 for a feature that nobody has learnt. */
  weightOf(name: string): number;
}

export function scoreOf({ bias, weightOf }: LinearWeights, features: Features): number {
  let score = bias;
  for (const [name, amount] of features) score += amount * weightOf(name);
  return score;
}

/**
 * A few weights as they lie in a data file that can be read: for each whole number the names of the features that weigh so
 * much, in units of `unit`. Names hold spaces, so a tab stands between them.
 */
export interface NamedWeights {
  readonly bias: number;
  readonly unit: number;
  readonly features: Readonly<Record<string, string>>;
}

export function namedWeights({ bias, unit, features }: NamedWeights): LinearWeights {
  const weights = new Map<string, number>();
  for (const [units, names] of Object.entries(features))
    for (const name of names.split("\t")) weights.set(name, Number(units) * unit);
  return { bias, weightOf: (name) => weights.get(name) ?? 0 };
}

/** Many weights as they lie in a data file: `table` is base64 of the places that have a weight, in order. */
export interface PlacedWeights {
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

/** A byte that says that the gap goes on. */
const MORE = 255;
const ZERO = 128;

/** Of each weight there is the gap to the place before it, in steps of 255, and the weight itself. */
export function placedWeights({ bias, unit, table: text }: PlacedWeights): LinearWeights {
  const bytes = atob(text);
  const table = new Int8Array(PLACES);
  let place = 0;
  for (let at = 0; at < bytes.length; at++) {
    const gap = bytes.charCodeAt(at);
    place += gap;
    if (gap !== MORE) table[place] = bytes.charCodeAt(++at) - ZERO;
  }
  return { bias, weightOf: (name) => unit * (table[placeOf(name)] ?? 0) };
}
