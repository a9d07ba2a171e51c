import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { devNull } from "node:os";
import path from "node:path";
import { withoutGitVariables } from "../../core/shared/git-variables.ts";
import type { Checkout, GitPlace } from "./checkout.ts";
import { codeOf } from "../../core/shared/errors.ts";

export interface Answer {
  readonly text: string;
  /** Git came to its end: what it did not say is not there. */
  readonly complete: boolean;
}

/** Asks git one thing; `undefined` when there was no time left to start, or no git. */
export type AskGit = (args: readonly string[], input?: string) => Answer | undefined;

/** A process that could not even start in this time is not worth starting (ms). */
const LEAST_MS = 4;
const MOST_OUTPUT_BYTES = 16 << 20;

/**
 * Git on the objects, the index and the files of a checkout, through an empty repository of our own: neither the
 * checkout's configuration nor the person's is read, so nothing that is set there (monitors, pagers, drivers,
 * filters, hooks, aliases, transports) can run. A missing object is an error, never a fetch.
 */
export function plainGit(
  checkout: Checkout & { readonly git: GitPlace },
  emptyRepository: string,
  environment: Readonly<Record<string, string | undefined>>,
  remainingMs: () => number,
): AskGit {
  const { git, root } = checkout;
  let missing = false;
  return (args, input) => {
    const timeout = Math.floor(remainingMs());
    if (missing || timeout < LEAST_MS) return undefined;
    const directory = `${emptyRepository}-${git.head?.length === 64 ? "sha256" : "sha1"}.git`;
    if (!isReady(directory)) return undefined;
    const result = spawnSync("git", ["--no-pager", "-C", root, ...args], {
      // Where a program called git could not be planted.
      cwd: directory,
      env: { ...withoutGitVariables(environment), ...settings(git, root, directory) },
      input: input ?? "",
      timeout,
      killSignal: "SIGKILL",
      maxBuffer: MOST_OUTPUT_BYTES,
      windowsHide: true,
    });
    if (result.error !== undefined && "code" in result.error && result.error.code === "ENOENT") missing = true;
    // Where git could not be started at all Node 20 says null and newer ones undefined, whatever the types say.
    const output: Buffer | null | undefined = result.stdout;
    if (output === null || output === undefined) return undefined;
    // 1 is grep's "nothing found".
    return {
      text: output.toString("utf8"),
      complete: result.error === undefined && (result.status === 0 || (args[0] === "grep" && result.status === 1)),
    };
  };
}

function settings(git: GitPlace, root: string, directory: string): Record<string, string> {
  return {
    GIT_DIR: directory,
    GIT_WORK_TREE: root,
    GIT_INDEX_FILE: path.join(git.own, "index"),
    GIT_OBJECT_DIRECTORY: path.join(git.common, "objects"),
    ...(git.shallow ? { GIT_SHALLOW_FILE: path.join(git.common, "shallow") } : {}),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

/** Makes the empty repository when it is not there: three small files. */
function isReady(directory: string): boolean {
  if (fs.existsSync(path.join(directory, "HEAD"))) return true;
  const isLong = directory.endsWith("sha256.git");
  const config = `[core]\n\trepositoryformatversion = ${isLong ? 1 : 0}\n\tbare = false\n\tquotePath = false\n\tfsmonitor = false\n${isLong ? "[extensions]\n\tobjectformat = sha256\n" : ""}`;
  try {
    for (const name of ["objects", "refs"]) makeLevels(path.join(directory, name));
    fs.writeFileSync(path.join(directory, "config"), config, { mode: 0o600 });
    fs.writeFileSync(path.join(directory, "HEAD"), "ref: refs/heads/none\n", { mode: 0o600 });
    return true;
  } catch (error) {
    // Nothing can be written there: without git, claims stay unchecked.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** Level by level: Node's own recursive mkdir never returns below /proc. */
export function makeLevels(directory: string): void {
  if (fs.existsSync(directory)) return;
  makeLevels(path.dirname(directory));
  try {
    fs.mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
