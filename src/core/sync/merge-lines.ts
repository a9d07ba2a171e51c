/** Joins hand-written lines, sorted and without duplicates, so that equal lines give equal texts on all devices. */
export function linesText(lines: readonly string[]): string {
  const kept = [...new Set(lines.filter((line) => line.trim() !== ""))].toSorted();
  return kept.map((line) => `${line}\n`).join("");
}

export function linesIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Merges as sets: lines added by either side are in, lines removed by either side are out. Never a conflict. */
export function mergeLineSets(base: string, ours: string, theirs: string): string {
  const [before, mine, other] = [base, ours, theirs].map((text) => new Set(linesIn(text)));
  const all = [...linesIn(ours), ...linesIn(theirs)];
  return linesText(all.filter((line) => (mine?.has(line) && other?.has(line)) || !before?.has(line)));
}
