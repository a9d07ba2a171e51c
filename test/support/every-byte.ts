import { execFileSync } from "node:child_process";
import path from "node:path";
import { filesBelow } from "./scratch.ts";

/** Where a word occurs below a directory: names and bytes of files, and objects of git repositories, packed or not. */
export function whereIs(word: string, root: string): string[] {
  const files = [...filesBelow(root)];
  const found = files.filter(([name, bytes]) => name.includes(word) || bytes.includes(word)).map(([name]) => name);
  const repositories = new Set(
    files
      .map(([name]) => name)
      .filter((name) => /\.git[^/]*\/HEAD$/u.test(name))
      .map((name) => path.dirname(name)),
  );
  for (const repository of repositories) {
    const objects = execFileSync(
      "git",
      ["--git-dir", path.join(root, repository), "cat-file", "--batch-all-objects", "--batch", "--unordered"],
      { maxBuffer: 1 << 30 },
    );
    if (objects.includes(word)) found.push(`${repository} (an object)`);
  }
  return found;
}
