/** Hand-written lines as one text: sorted, each once, so that two devices with the same lines have the same text. */
export function linesText(lines: readonly string[]): string {
  const kept = [...new Set(lines.filter((line) => line.trim() !== ""))].toSorted();
  return kept.map((line) => `${line}\n`).join("");
}

export function linesIn(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** As a set: what either side added is there, what either side took out is not. Never a conflict. */
export function mergeLineSets(base: string, ours: string, theirs: string): string {
  const [before, mine, other] = [base, ours, theirs].map((text) => new Set(linesIn(text)));
  const all = [...linesIn(ours), ...linesIn(theirs)];
  return linesText(all.filter((line) => (mine?.has(line) && other?.has(line)) || !before?.has(line)));
}
