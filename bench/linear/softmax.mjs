/**
 * Weights of features for one of several classes by multinomial logistic regression with a penalty on large weights,
 * found by L-BFGS: no randomness, no order, no learning rate. Nothing here depends on what is learnt.
 */

const ROUNDS = 80;
const KEPT = 8;
const SMALL = 1e-5;

/** Learns one `{bias, weights}` per class from `{vector, wanted, weight}` (`wanted` is the number of a class). */
export function learn(examples, size, classes, { decay = 8 } = {}) {
  const flat = minimum(
    (weights, gradient) => loss(examples, size, classes, decay, weights, gradient),
    (size + 1) * classes,
  );
  return Array.from({ length: classes }, (_, one) => ({
    bias: flat[size * classes + one],
    weights: Float64Array.from({ length: size }, (__, at) => flat[at * classes + one]),
  }));
}

/** The likelihood of each class by its score. */
function likelihoods(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((all, one) => all + one, 0);
  return powers.map((power) => power / sum);
}

function loss(examples, size, classes, decay, weights, gradient) {
  gradient.fill(0);
  let sum = 0;
  for (const { vector, wanted, weight = 1 } of examples) {
    const { numbers, amounts } = vector;
    const scores = Array.from({ length: classes }, (_, one) => weights[size * classes + one]);
    for (let at = 0; at < numbers.length; at++)
      for (let one = 0; one < classes; one++) scores[one] += amounts[at] * weights[numbers[at] * classes + one];
    const likely = likelihoods(scores);
    sum -= weight * Math.log(likely[wanted] + 1e-300);
    for (let one = 0; one < classes; one++) {
      const error = weight * (likely[one] - (one === wanted ? 1 : 0));
      gradient[size * classes + one] += error;
      for (let at = 0; at < numbers.length; at++) gradient[numbers[at] * classes + one] += amounts[at] * error;
    }
  }
  for (let at = 0; at < size * classes; at++) {
    sum += (decay * weights[at] ** 2) / 2;
    gradient[at] += decay * weights[at];
  }
  return sum;
}

/** The minimum of a smooth function, searched from zero. */
function minimum(valueAt, length) {
  let place = new Float64Array(length);
  let slope = new Float64Array(length);
  let value = valueAt(place, slope);
  const steps = [];
  for (let round = 0; round < ROUNDS; round++) {
    const next = stepDown(valueAt, { place, slope, value }, direction(slope, steps));
    const step = { moved: minus(next.place, place), bent: minus(next.slope, slope) };
    const bend = dot(step.moved, step.bent);
    if (bend > 1e-10) steps.push({ ...step, bend });
    if (steps.length > KEPT) steps.shift();
    const isDone = Math.abs(value - next.value) < SMALL * Math.abs(value);
    ({ place, slope, value } = next);
    if (isDone) break;
  }
  return place;
}

function direction(slope, steps) {
  const way = Float64Array.from(slope);
  const shares = [];
  for (const { moved, bent, bend } of steps.toReversed()) {
    const share = dot(moved, way) / bend;
    shares.unshift(share);
    add(way, bent, -share);
  }
  const last = steps.at(-1);
  const scale =
    last === undefined ? 1 / Math.max(1, Math.sqrt(dot(slope, slope))) : last.bend / dot(last.bent, last.bent);
  for (let at = 0; at < way.length; at++) way[at] *= scale;
  for (const [at, { moved, bent, bend }] of steps.entries()) add(way, moved, shares[at] - dot(bent, way) / bend);
  return way;
}

function stepDown(valueAt, { place, slope, value }, way) {
  const fall = dot(slope, way);
  const next = { place: new Float64Array(place.length), slope: new Float64Array(place.length), value: 0 };
  for (let length = 1; length > 1e-6; length /= 2) {
    for (let at = 0; at < place.length; at++) next.place[at] = place[at] - length * way[at];
    next.value = valueAt(next.place, next.slope);
    if (next.value <= value - 1e-4 * length * fall) break;
  }
  return next;
}

function dot(one, other) {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at] * other[at];
  return sum;
}

function add(to, what, share) {
  for (let at = 0; at < to.length; at++) to[at] += share * what[at];
}

function minus(one, other) {
  return one.map((value, at) => value - other[at]);
}
