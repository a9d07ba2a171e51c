/** `npm start [-- FILE]`: builds when needed, then shows the main job on the demo session or on FILE. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { buildFailure } from "./build.mjs";
import { COMMAND, ensureBuild } from "./ensure-build.mjs";
import { runNode } from "./run-child.mjs";

/** npm runs scripts from the package's folder; a file is meant relative to where the person stands. */
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
