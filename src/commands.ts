import type * as HooksInFull from "./surfaces/hooks/hook-full.ts";
import type * as Context from "./surfaces/cli/quick-context.ts";
import type * as Process from "./surfaces/cli/process.ts";

/** `commands.cjs`: every command except those of `reader.cjs` and the server, and hook work in a separate process. */
export const commandLine = (): typeof Process => require("./surfaces/cli/process.ts");
export const context = (): typeof Context => require("./surfaces/cli/quick-context.ts");
export const hooksInFull = (): typeof HooksInFull => require("./surfaces/hooks/hook-full.ts");
