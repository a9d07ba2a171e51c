/** Lines of the working tree that a revision does not have, by file. */
export function changedLines(root, base, execFileSync) {
  const diff = execFileSync("git", ["diff", "-U0", "--no-color", "--no-ext-diff", base, "--", "src"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return parseDiff(diff);
}

export function parseDiff(diff) {
  const lines = new Map();
  let current;
  for (const line of diff.split("\n")) {
    const file = /^\+\+\+ b\/(.*)$/u.exec(line);
    if (file !== null) lines.set(file[1], (current = new Set()));
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/u.exec(line);
    if (hunk === null || current === undefined) continue;
    for (let at = 0; at < Number(hunk[2] ?? 1); at++) current.add(Number(hunk[1]) + at);
  }
  return lines;
}
