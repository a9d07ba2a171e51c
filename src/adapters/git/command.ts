import { spawnSync } from "node:child_process";
import { devNull } from "node:os";
import { withoutGitVariables } from "../../core/shared/git-variables.ts";
import { MemoryError } from "../../core/shared/errors.ts";

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

/** Enough for any history of a store (ms). */
const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 1 << 30;

export interface GitRun {
  /** Default 120,000 ms. */
  readonly timeoutMs?: number;
  /** An open file that receives git's output. */
  readonly output?: number;
}

/** Runs git on one repository, ignoring the caller's own git settings and hooks. */
export function runGit(
  gitDirectory: string,
  environment: GitEnvironment,
  args: readonly string[],
  input?: Uint8Array,
  { timeoutMs = TIMEOUT_MS, output }: GitRun = {},
): Buffer {
  const result = spawnSync(
    "git",
    ["--git-dir", gitDirectory, "-c", "core.quotePath=false", "-c", "core.fsync=all", ...args],
    {
      env: cleanEnvironment(environment),
      input,
      stdio: ["pipe", output ?? "pipe", "pipe"],
      timeout: timeoutMs,
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    },
  );
  if (result.error !== undefined)
    throw new MemoryError("unavailable", `git could not be run: ${result.error.message}`, { cause: result.error });
  if (result.status !== 0)
    throw new MemoryError(
      "io",
      `git ${args.find((word) => /^[a-z]+(?:-[a-z]+)*$/u.test(word)) ?? ""} failed for ${gitDirectory}: ${reasonIn(result.stderr.toString("utf8"))}`,
    );
  return result.stdout ?? Buffer.alloc(0);
}

/** The line that gives the reason; later lines are about crash reports. */
function reasonIn(errors: string): string {
  const lines = errors.trim().split("\n");
  return lines.find((line) => line.startsWith("fatal: ")) ?? lines.at(-1) ?? "";
}

function cleanEnvironment(environment: GitEnvironment): Record<string, string> {
  return {
    ...withoutGitVariables(environment),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}
