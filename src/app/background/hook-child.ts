import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Environment } from "../workspace/locations.ts";

export interface DetachedRun {
  /** A script and its arguments, for this Node. */
  readonly command: readonly string[];
  /** For its standard input. */
  readonly input: string;
  readonly cwd: string;
  readonly environment: Environment;
  /** How long its output is waited for; 0 does not read any. */
  readonly waitMs: number;
}

/**
 * Runs a process of its own group that may outlive this one. Its output when it ended in time, else `undefined`: it
 * goes on, and has to bound itself (`hook-bound.ts`).
 */
export function runDetached({ command, input, cwd, environment, waitMs }: DetachedRun): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...command], {
      cwd: existsSync(cwd) ? cwd : "/",
      env: { ...environment },
      detached: true,
      windowsHide: true,
      stdio: ["pipe", waitMs === 0 ? "ignore" : "pipe", "ignore"],
    });
    const parts: Buffer[] = [];
    const timer = setTimeout(() => resolve(undefined), Math.max(waitMs, 200));
    const done = (output: string | undefined): void => {
      clearTimeout(timer);
      resolve(output);
    };
    // No process can be started, or it went away before it read: the client goes on without it.
    child.on("error", () => done(undefined));
    child.stdin?.on("error", () => undefined);
    child.stdout?.on("data", (part: Buffer) => parts.push(part));
    if (waitMs === 0) child.stdin?.end(input, () => done(undefined));
    else {
      child.stdin?.end(input);
      child.on("close", () => done(Buffer.concat(parts).toString("utf8")));
    }
    child.unref();
  });
}
