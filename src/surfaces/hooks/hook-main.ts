import { processEnvironment, readInput, writeOutput } from "../../app/background/hook-process.ts";
import type { HookParts } from "./hook.ts";
import { runHook } from "./run-hook.ts";

/** The hook command in this process; `undefined` where nothing is to be done. */
export function runProcess(parts: Pick<HookParts, "file" | "answers" | "full" | "shell">): Promise<void> | undefined {
  const environment = processEnvironment();
  // Inside an agent that memdir itself started, or with memory off: nothing is read and nothing is said.
  if (environment["MEMDIR_NESTED"] === "1" || environment["MEMDIR_MODE"] === "off") return undefined;
  return runHook(process.argv.slice(2), { ...parts, environment, read: readInput, write: writeOutput });
}
