/** Runs a script of this repository on an up-to-date build. Usage: node scripts/run-built.mjs SCRIPT [ARGUMENTS] */
import { join } from "node:path";
import { buildFailure } from "./build.mjs";
import { ROOT, ensureBuild } from "./ensure-build.mjs";
import { runNode } from "./run-child.mjs";

const [script = "", ...args] = process.argv.slice(2);
try {
  await ensureBuild();
  process.exitCode = await runNode([join(ROOT, script), ...args]);
} catch (error) {
  process.stderr.write(buildFailure(error));
  process.exitCode = 1;
}
