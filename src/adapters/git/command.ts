import { spawnSync } from "node:child_process";
import { devNull } from "node:os";
import { MemoryError } from "../../core/shared/errors.ts";

export type GitEnvironment = Readonly<Record<string, string | undefined>>;

/** A history of this size never needs longer (ms). */
const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 1 << 30;

/** Runs git on one repository, deaf to the caller's own git settings and hooks. */
export function runGit(gitDirectory: string, environment: GitEnvironment, args: readonly string[], input?: Uint8Array): Buffer {
  const result = spawnSync("git", ["--git-dir", gitDirectory, "-c", "core.quotePath=false", "-c", "core.fsync=all", ...args], {
    env: cleanEnvironment(environment),
    input,
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
  });
  if (result.error !== undefined) throw new MemoryError("unavailable", `git could not be run: ${result.error.message}`, { cause: result.error });
  if (result.status !== 0) throw new MemoryError("io", `git ${args[0] ?? ""} failed for ${gitDirectory}: ${result.stderr.toString("utf8").trim().split("\n").at(-1) ?? ""}`);
  return result.stdout;
}

function cleanEnvironment(environment: GitEnvironment): Record<string, string> {
  const kept = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("GIT_"));
  return { ...Object.fromEntries(kept), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: devNull, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}
