import { execFileSync } from "node:child_process";
import { devNull } from "node:os";
import { withoutGitVariables } from "../../core/shared/git-variables.ts";

/**
 * Files of a working tree that git tracks or would add, relative to `root`; `undefined` without git or a repository. At
 * most 64 MiB of names. Programs named in a repository's settings (a monitor, hooks, a transport that fetches missing
 * objects of a partial clone) are not run, and variables that point git to another repository are ignored.
 */
export function listProjectFiles(
  root: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  try {
    const out = execFileSync(
      "git",
      [
        "-c",
        "core.fsmonitor=false",
        "-c",
        `core.hooksPath=${devNull}`,
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
      ],
      {
        cwd: root,
        env: {
          ...withoutGitVariables(environment),
          GIT_OPTIONAL_LOCKS: "0",
          GIT_NO_LAZY_FETCH: "1",
          GIT_ALLOW_PROTOCOL: "none",
          GIT_TERMINAL_PROMPT: "0",
        },
        encoding: "utf8",
        maxBuffer: 64 * 1024 * 1024,
        stdio: ["ignore", "pipe", "ignore"],
        windowsHide: true,
      },
    );
    return out.split("\0").filter((name) => name !== "");
  } catch (error) {
    if (error instanceof Error) return undefined; // no git, no repository, or more names than the limit
    throw error;
  }
}
