/** How many characters or words two texts begin with, and how many of the others they end with. */
export function sharedEnds(
  one: ArrayLike<string>,
  other: ArrayLike<string>,
): { readonly start: number; readonly end: number } {
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start++;
  let end = 0;
  while (end < least - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return { start, end };
}
