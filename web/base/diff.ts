/** Lines that two texts share and do not share. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "skipped";
  readonly text: string;
}

/** Above this many cells the middle is told as removed and added whole. */
const CELLS = 4_000_000;
const CONTEXT = 3;

function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = before.map((text): DiffLine => ({ kind: "removed", text }));
  const added = after.map((text): DiffLine => ({ kind: "added", text }));
  if (before.length === 0 || after.length === 0 || before.length * after.length > CELLS) return [...removed, ...added];
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      longest[row * width + column] =
        before[row] === after[column]
          ? (longest[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(longest[(row + 1) * width + column] ?? 0, longest[row * width + column + 1] ?? 0);
  return walk(removed, added, (row, column) => longest[row * width + column] ?? 0);
}

function walk(
  removed: readonly DiffLine[],
  added: readonly DiffLine[],
  longest: (row: number, column: number) => number,
): DiffLine[] {
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  for (;;) {
    const left = removed[row];
    const right = added[column];
    if (left === undefined && right === undefined) return lines;
    if (left !== undefined && right !== undefined && left.text === right.text) {
      lines.push({ kind: "same", text: left.text });
      row += 1;
      column += 1;
    } else if (right === undefined || (left !== undefined && longest(row + 1, column) >= longest(row, column + 1))) {
      if (left !== undefined) lines.push(left);
      row += 1;
    } else {
      lines.push(right);
      column += 1;
    }
  }
}

export function diffLines(before: string, after: string): DiffLine[] {
  const left = before === "" ? [] : before.replace(/\n$/u, "").split("\n");
  const right = after === "" ? [] : after.replace(/\n$/u, "").split("\n");
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < left.length - head && tail < right.length - head && left.at(-1 - tail) === right.at(-1 - tail))
    tail += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: "same", text }));
  return [
    ...same(left.slice(0, head)),
    ...middle(left.slice(head, left.length - tail), right.slice(head, right.length - tail)),
    ...same(left.slice(left.length - tail)),
  ];
}

/** Long runs of unchanged lines become one line that counts them. */
export function folded(lines: readonly DiffLine[]): DiffLine[] {
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== "same"),
  );
  const out: DiffLine[] = [];
  let skipped = 0;
  for (const [at, line] of lines.entries()) {
    if (near[at] !== true) {
      skipped += 1;
      continue;
    }
    if (skipped > 0) out.push({ kind: "skipped", text: `${skipped}` });
    skipped = 0;
    out.push(line);
  }
  if (skipped > 0) out.push({ kind: "skipped", text: `${skipped}` });
  return out;
}
