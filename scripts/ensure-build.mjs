/** Builds only if dist is missing or older than its inputs. */
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildProject } from "./build.mjs";

const INPUTS = [
  "src",
  "web",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "scripts/build.mjs",
  "scripts/bundled-packages.mjs",
  "scripts/plugins.mjs",
  "scripts/web.mjs",
];

/** The newest modification time under a path; a directory's own time reveals removed files. */
function newestTime(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestTime(join(path, name))), stats.mtimeMs);
}

export const ROOT = dirname(import.meta.dirname);
export const COMMAND = join(ROOT, "dist", "memdir.cjs");

export async function ensureBuild() {
  const built = newestTime(COMMAND);
  if (built > 0 && INPUTS.every((input) => newestTime(join(ROOT, input)) <= built)) return;
  process.stderr.write("building memdir…\n");
  await buildProject(ROOT);
}
