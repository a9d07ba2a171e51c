/** Of fewer notes nobody can say which stands out. */
const LEAST_NOTES = 8;
/** How often one of the notes may stand out by chance. */
const CHANCE = 0.05;
/** What makes the median distance from the median comparable to a standard deviation of a bell curve. */
const DEVIATIONS = 1.4826;

/** The cosine of two vectors' angle, -1 to 1; 0 where one of them is nothing or they are not of one length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 0;
  let dot = 0;
  let left = 0;
  let right = 0;
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    dot += value * other;
    left += value * value;
    right += other * other;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}

/**
 * Those of the similarities that stand out from all, best first, as indexes. How near is near differs from embedder
 * to embedder and from store to store, so each is held against the others: further from their median than one of so
 * many would be by chance.
 */
export function standingOut(similarities: readonly number[]): number[] {
  if (similarities.length < LEAST_NOTES) return [];
  const middle = median(similarities);
  const spread = DEVIATIONS * median(similarities.map((value) => Math.abs(value - middle)));
  if (spread === 0) return [];
  const least = deviationsOfChance(CHANCE / similarities.length);
  return similarities
    .flatMap((value, index) => ((value - middle) / spread >= least ? [index] : []))
    .toSorted((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0) || a - b);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
}

/** How many standard deviations above the mean a bell curve has this share of itself (Abramowitz and Stegun 26.2.23; error below 0.0005). */
function deviationsOfChance(share: number): number {
  const t = Math.sqrt(-2 * Math.log(share));
  return (
    t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t)
  );
}
