/** The files of a repository that the gates check. */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Paths that git tracks or would track, relative to `root`, with `/` as separator. Files that are staged but gone from
 * disk, links and directories of other repositories are left out.
 */
export function listFiles(root) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const paths = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  return [...new Set(paths)].filter((path) => path !== "" && isFile(join(root, path))).toSorted();
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** UTF-8 text of a file, or `undefined` for a binary one. */
export function readText(path) {
  const bytes = readFileSync(path);
  return bytes.includes(0) ? undefined : bytes.toString("utf8");
}
