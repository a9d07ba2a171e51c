import fs from "node:fs";
import path from "node:path";

/** Whether a `git` program is on the path; checked without starting a process. */
export function hasGit(environment: Readonly<Record<string, string | undefined>>): boolean {
  const names = process.platform === "win32" ? ["git.exe", "git.cmd"] : ["git"];
  const directories = (environment["PATH"] ?? environment["Path"] ?? "").split(path.delimiter);
  return directories.some(
    (directory) => directory !== "" && names.some((name) => fs.existsSync(path.join(directory, name))),
  );
}
