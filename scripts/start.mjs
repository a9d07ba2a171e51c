/** `npm start [-- FILE]`: builds if needed, then shows the main use on the demo session or on FILE. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { buildFailure } from "./build.mjs";
import { COMMAND, ensureBuild } from "./ensure-build.mjs";
import { runNode } from "./run-child.mjs";

/** npm runs scripts in the package's folder, but a file is relative to the user's current directory. */
function fromWhereThePersonStands(argument) {
  const path = resolve(process.env["INIT_CWD"] ?? process.cwd(), argument);
  return !argument.startsWith("-") && existsSync(path) ? path : argument;
}

try {
  await ensureBuild();
  const args = process.argv.slice(2).map(fromWhereThePersonStands);
  process.exitCode = await runNode([COMMAND, "demo", ...args]);
} catch (error) {
  process.stderr.write(buildFailure(error));
  process.exitCode = 1;
}
