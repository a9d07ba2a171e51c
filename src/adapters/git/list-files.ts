import { execFileSync } from "node:child_process";

/**
 * Files of a working tree that git knows or would take, relative to `root`; `undefined` without git or a
 * repository. At most 64 MiB of names. A repository's own settings may name a program for `core.fsmonitor`: it is not run.
 */
export function listProjectFiles(root: string, environment: Readonly<Record<string, string | undefined>>): readonly string[] | undefined {
  try {
    const out = execFileSync("git", ["-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, env: environment, encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "ignore"], windowsHide: true });
    return out.split("\0").filter((name) => name !== "");
  } catch (error) {
    if (error instanceof Error) return undefined; // no git, no repository, or more names than a check looks at
    throw error;
  }
}
