import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEveryFile } from "../support/after-every-test.ts";

export const PROJECT = join(import.meta.dirname, "..", "..");

export interface TreeOptions {
  /** Configuration files of the project itself, so that the tree is judged by the real rules. */
  readonly config?: readonly string[];
  /** Makes the project's installed packages reachable from the tree. */
  readonly packages?: boolean;
}

const roots: string[] = [];

/**
 * A small repository outside this one. Violations are planted there, so no gate has to look away from
 * any file of the project. Removed when the test file ends.
 */
export function plantTree(files: Readonly<Record<string, string>>, options: TreeOptions = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "planted-")));
  roots.push(root);
  execFileSync("git", ["init", "-q"], { cwd: root });
  writeFileSync(join(root, ".gitignore"), "node_modules\n");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const file of options.config ?? []) copyFileSync(join(PROJECT, file), join(root, file));
  if (options.packages === true) symlinkSync(join(PROJECT, "node_modules"), join(root, "node_modules"));
  return root;
}

afterEveryFile(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

interface Finding {
  readonly rule: string;
  readonly path: string;
}

/** The rules a gate named for one file. */
export function rulesFor(findings: readonly Finding[], path: string): string[] {
  return findings.filter((finding) => finding.path === path).map(({ rule }) => rule);
}
