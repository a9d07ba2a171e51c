import type * as HooksInFull from "./surfaces/hooks/hook-full.ts";
import type * as Context from "./surfaces/cli/quick-context.ts";
import type * as Process from "./surfaces/cli/process.ts";

/** `commands.cjs`: every command but those of `reader.cjs` and the server, and what a hook does in a process of its own. */
export const commandLine = (): typeof Process => require("./surfaces/cli/process.ts");
export const context = (): typeof Context => require("./surfaces/cli/quick-context.ts");
export const hooksInFull = (): typeof HooksInFull => require("./surfaces/hooks/hook-full.ts");
