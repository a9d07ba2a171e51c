/**
 * Weights of features by ridge regression (least squares with a penalty on large weights), found by conjugate
 * gradients: no randomness, no order, no learning rate. Nothing here depends on what is learnt.
 */

/** After this many rounds no visible change remains. */
const ROUNDS = 80;
const SMALL = 1e-5;

/**
 * Numbers the features of `rows` (each with `features`, a Map of amounts by name) that at least `least` rows have, and
 * gives each row its vector. A feature of a single row identifies that row and nothing else. With `byRarity` an amount
 * is multiplied by how rare its feature is (`scales`, the logarithm of one in so many rows), so that the penalty on
 * large weights is smaller for rare features; `unscaled` undoes that for the file.
 */
export function numbered(rows, { least = 1, byRarity = false } = {}) {
  const counts = new Map();
  for (const { features } of rows) for (const name of features.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].filter(([, count]) => count >= least).map(([name]) => name);
  const numbers = new Map(names.map((name, number) => [name, number]));
  const scales = Float64Array.from(names, (name) => (byRarity ? Math.log(1 + rows.length / counts.get(name)) : 1));
  return { names, scales, vectors: rows.map(({ features }) => vectorOf(features, numbers, scales)) };
}

/** Weights for amounts as they are. */
export function unscaled({ bias, weights }, scales) {
  return { bias, weights: weights.map((weight, at) => weight * scales[at]) };
}

/** The rows with features named by their places; `placeOf` is that of src/core/shared/linear.ts. */
export function placedRows(rows, placeOf) {
  return rows.map(({ features, ...row }) => {
    const amounts = new Map();
    for (const [name, amount] of features) {
      const place = placeOf(name);
      amounts.set(place, (amounts.get(place) ?? 0) + amount);
    }
    return { ...row, features: amounts };
  });
}

function vectorOf(features, numbers, scales) {
  const known = [...features].filter(([name]) => numbers.has(name));
  return {
    numbers: Int32Array.from(known, ([name]) => numbers.get(name)),
    amounts: Float64Array.from(known, ([name, amount]) => amount * scales[numbers.get(name)]),
  };
}

/**
 * Learns the weights of `size` features and a bias from examples `{vector, wanted, weight}`. `decay` is the penalty on
 * large weights. The bias is a feature like the others, with the amount `constant`.
 */
export function learn(examples, size, { decay = 0.3, constant = 0.3 } = {}) {
  const weights = new Float64Array(size + 1);
  const errors = Float64Array.from(examples, ({ wanted, weight = 1 }) => wanted * Math.sqrt(weight));
  const gradient = transposed(examples, errors, size, constant);
  const step = Float64Array.from(gradient);
  let length = squares(gradient);
  const enough = length * SMALL ** 2;
  for (let round = 0; round < ROUNDS && length > enough; round++) {
    const moved = applied(examples, step, size, constant);
    const stride = length / (squares(moved) + decay * squares(step));
    for (let at = 0; at <= size; at++) weights[at] += stride * step[at];
    for (let at = 0; at < errors.length; at++) errors[at] -= stride * moved[at];
    const next = transposed(examples, errors, size, constant);
    for (let at = 0; at <= size; at++) next[at] -= decay * weights[at];
    const nextLength = squares(next);
    for (let at = 0; at <= size; at++) step[at] = next[at] + (nextLength / length) * step[at];
    length = nextLength;
  }
  return { bias: weights[size] * constant, weights: weights.subarray(0, size) };
}

export function scored({ bias, weights }, { numbers, amounts }) {
  let score = bias;
  for (let at = 0; at < numbers.length; at++) score += amounts[at] * weights[numbers[at]];
  return score;
}

function applied(examples, step, size, constant) {
  return Float64Array.from(examples, ({ vector: { numbers, amounts }, weight = 1 }) => {
    let sum = constant * step[size];
    for (let at = 0; at < numbers.length; at++) sum += amounts[at] * step[numbers[at]];
    return sum * Math.sqrt(weight);
  });
}

function transposed(examples, errors, size, constant) {
  const sums = new Float64Array(size + 1);
  for (const [row, { vector, weight = 1 }] of examples.entries()) {
    const error = errors[row] * Math.sqrt(weight);
    const { numbers, amounts } = vector;
    for (let at = 0; at < numbers.length; at++) sums[numbers[at]] += error * amounts[at];
    sums[size] += error * constant;
  }
  return sums;
}

function squares(vector) {
  let sum = 0;
  for (const one of vector) sum += one * one;
  return sum;
}

/**
 * Weights of places in the form of a data file (`PlacedWeights` of src/core/shared/linear.ts). Those below `least` of
 * 127 parts of the largest are left out.
 */
export function placed({ bias, weights }, places, { least = 1 } = {}) {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), Number.MIN_VALUE);
  const unit = Number((largest / 127).toPrecision(6));
  const kept = places
    .map((place, number) => ({ place, weight: Math.max(-127, Math.min(127, Math.round(weights[number] / unit))) }))
    .filter(({ weight }) => Math.abs(weight) >= least)
    .toSorted((a, b) => a.place - b.place);
  const bytes = kept.flatMap(({ place, weight }, at) => {
    const gap = place - (kept[at - 1]?.place ?? 0);
    return [...Array.from({ length: Math.floor(gap / 255) }, () => 255), gap % 255, weight + 128];
  });
  return { bias: Number(bias.toPrecision(6)), unit, table: Buffer.from(bytes).toString("base64") };
}

/** Weights of names in the form of a data file (`NamedWeights` of the same module), small ones left out. */
export function named({ bias, weights }, names, { unit }) {
  const groups = new Map();
  for (const [number, name] of names.entries()) {
    const units = Math.round(weights[number] / unit);
    if (units !== 0) groups.set(units, [...(groups.get(units) ?? []), name]);
  }
  const sorted = [...groups].toSorted(([a], [b]) => b - a);
  return {
    bias: Math.round(bias * 1e4) / 1e4,
    unit,
    // Keys have a sign, because a bare number would sort before all others.
    features: Object.fromEntries(
      sorted.map(([units, own]) => [units > 0 ? `+${units}` : `${units}`, own.toSorted().join("\t")]),
    ),
  };
}
