import { processEnvironment, readInput, writeComplaint, writeOutput } from "../../app/background/hook-process.ts";
import { nameHidden } from "../../core/shared/hidden.ts";
import { clientNamed, unknownClient } from "./clients.ts";
import type { HookParts } from "./hook.ts";
import { runHook } from "./run-hook.ts";

/** Runs the hook command in this process; `undefined` if there is nothing to do. */
export function runProcess(parts: Pick<HookParts, "file" | "answers" | "full" | "shell">): Promise<void> | undefined {
  const environment = processEnvironment();
  // Inside an agent that memdir started itself, or with memory off: nothing is read or written.
  if (environment["MEMDIR_NESTED"] === "1" || environment["MEMDIR_MODE"] === "off") return undefined;
  const [name, ...more] = process.argv.slice(2);
  if (name !== undefined && clientNamed(name) === undefined) {
    // A mistyped name in the user's settings would otherwise look like "nothing to recall" forever.
    writeComplaint(unknownClient(nameHidden(name)));
    return undefined;
  }
  return runHook([...(name === undefined ? [] : [name]), ...more], {
    ...parts,
    environment,
    read: readInput,
    write: writeOutput,
  });
}
