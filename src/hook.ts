import { join } from "node:path";
import { processEnvironment } from "./compose/hook-process.ts";
import { loadCached } from "./surfaces/cli/code-cache.ts";
import { runHook } from "./surfaces/hooks/run-hook.ts";

/**
 * `hook.cjs CLIENT`: what coding agents run at their events. Always ends with 0: any other code means something to a
 * client, and a hook that fails must mean nothing.
 */
async function main(argv: readonly string[]): Promise<void> {
  const environment = processEnvironment();
  // Inside an agent that memdir itself started, or with memory off: nothing is read and nothing is said.
  if (environment["MEMDIR_NESTED"] === "1" || environment["MEMDIR_MODE"] === "off") return;
  await runHook(argv, { environment, load, file: __filename });
}

/** The large part is no short path, and imports modules as it needs them, which compiled code that was kept cannot. */
function load(name: string): Readonly<Record<string, unknown>> {
  if (name !== "hook-full") return loadCached(name);
  const part: unknown = require(join(__dirname, "hook-full.cjs"));
  return typeof part === "object" && part !== null ? Object.fromEntries(Object.entries(part)) : {};
}

const end = (): never => process.exit(0);
process.on("uncaughtException", end);
main(process.argv.slice(2)).then(end, end);
