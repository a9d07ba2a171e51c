import type { Features } from "./features.ts";

/** What each feature says for and against, beside what is so without any. */
export interface LinearWeights {
  readonly bias: number;
  readonly of: ReadonlyMap<string, number>;
}

export function scoreOf({ bias, of }: LinearWeights, features: Features): number {
  let score = bias;
  for (const [name, amount] of features) score += amount * (of.get(name) ?? 0);
  return score;
}

/**
 * Weights as they lie in a data file: for each whole number the names of the features that weigh so much, in units of
 * `unit`. Names hold spaces, so a tab stands between them.
 */
export interface StoredWeights {
  readonly bias: number;
  readonly unit: number;
  readonly features: Readonly<Record<string, string>>;
}

export function weightsOf({ bias, unit, features }: StoredWeights): LinearWeights {
  const of = new Map<string, number>();
  for (const [units, names] of Object.entries(features))
    for (const name of names.split("\t")) of.set(name, Number(units) * unit);
  return { bias, of };
}
