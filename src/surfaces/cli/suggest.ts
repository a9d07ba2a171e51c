import { COMMANDS } from "./catalogue.ts";

/** The command that was probably meant: by its meaning (`delete`), its beginning (`hist`) or a slip (`lits`). */
export function suggestCommand(wanted: string): string | undefined {
  const word = wanted.toLowerCase();
  const byMeaning = COMMANDS.find(({ name, triedAs }) => name === word || triedAs?.includes(word) === true);
  if (byMeaning !== undefined) return byMeaning.name;
  const names = [...COMMANDS.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]), "help", "version"];
  const begun = names.filter((name) => word.length >= 2 && name.startsWith(word));
  if (begun.length === 1) return begun[0];
  const slip = nearest(word, names);
  if (slip !== undefined) return slip;
  const tried = nearest(
    word,
    COMMANDS.flatMap(({ triedAs }) => triedAs ?? []),
  );
  return COMMANDS.find(({ triedAs }) => tried !== undefined && triedAs?.includes(tried) === true)?.name;
}

/** The name that is at most one slip in three letters away. */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.name : undefined;
}

/** Letters to add, remove, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const isSwapped = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      next.push(
        Math.min(
          (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1),
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
          isSwapped ? (before[j - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
