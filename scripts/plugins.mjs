/** Writes the plugins for the four clients into a build: DIST/plugins/CLIENT. Usage: node scripts/plugins.mjs DIST */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** @param {string} dist a finished build, which holds the description that the plugins are made from */
export async function writePlugins(dist) {
  const { pluginFiles, openClawFiles } = await import(pathToFileURL(join(dist, "core", "install", "plugins.js")).href);
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"));
  for (const [client, files] of Object.entries({
    ...pluginFiles(version),
    openclaw: openClawFiles(version),
  })) {
    for (const [name, text] of Object.entries(files)) {
      const file = join(dist, "plugins", client, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await writePlugins(resolve(process.argv[2] ?? "dist"));
