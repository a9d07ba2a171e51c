/**
 * The name closest to what was typed, with at most one wrong letter in three. A short word is one letter away from too
 * many names, so for it only swapped letters count.
 */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  return near(wanted, names)[0];
}

/** All close names, nearest first. */
export function near(wanted: string, names: readonly string[]): readonly string[] {
  const isShort = wanted.length < SHORT;
  const most = isShort ? 1 : Math.max(1, Math.floor(wanted.length / 3));
  return names
    .filter((name) => !isShort || isSwapped(wanted, name) || isOneLeftOut(wanted, name))
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

const SHORT = 4;

function isSwapped(wanted: string, name: string): boolean {
  return wanted.length === name.length && [...wanted].toSorted().join("") === [...name].toSorted().join("");
}

/** "jsn" for "json": a short word that lacks a letter, but not its first. */
function isOneLeftOut(wanted: string, name: string): boolean {
  return wanted.length === SHORT - 1 && name.length === SHORT && wanted[0] === name[0];
}

/** The number of letters to add, remove, change or swap with a neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const isSwap = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      next.push(
        Math.min(
          (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1),
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
          isSwap ? (before[j - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
