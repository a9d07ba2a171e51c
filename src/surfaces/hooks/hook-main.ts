import { createRequire } from "node:module";
import { processEnvironment } from "../../compose/hook-process.ts";
import type { HookParts } from "./hook.ts";
import { runHook } from "./run-hook.ts";

/** The hook command in this process; `file` is the command's own, beside which its parts lie. */
export function runProcess(file: string, loadCached: HookParts["load"]): Promise<void> | undefined {
  const environment = processEnvironment();
  // Inside an agent that memdir itself started, or with memory off: nothing is read and nothing is said.
  if (environment["MEMDIR_NESTED"] === "1" || environment["MEMDIR_MODE"] === "off") return undefined;
  // The large part is no short path, and imports modules as it needs them, which compiled code that was kept cannot.
  const load = (name: string): Readonly<Record<string, unknown>> => (name === "hook-full" ? required(file, name) : loadCached(name));
  return runHook(process.argv.slice(2), { environment, load, file });
}

function required(file: string, name: string): Readonly<Record<string, unknown>> {
  const part: unknown = createRequire(file)(`./${name}.cjs`);
  return typeof part === "object" && part !== null ? Object.fromEntries(Object.entries(part)) : {};
}

// For the build, which keeps the compiled code of what an event needs.
export { clientNamed } from "./clients.ts";
export { answerTool } from "./on-tool.ts";
