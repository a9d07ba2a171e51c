/** The middle value; of an even number of values, the higher of the two in the middle. 0 when there is none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
