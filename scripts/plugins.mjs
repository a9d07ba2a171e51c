/** Writes the plugins for the four clients into a build: DIST/plugins/CLIENT. Usage: node scripts/plugins.mjs DIST */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Vendors' directories want one in the folder of the plugin. */
function readme(client) {
  return `# memdir for ${client}

Memory for coding agents as plain Markdown: what you said in one session is recalled in the next.

The plugin needs memdir itself: \`npm install -g memdir\`. Without it the agent works on without memory. To connect a client without a plugin, run \`memdir install ${client}\`.

Notes are Markdown files that you can read and edit; \`memdir list\` shows them. https://github.com/memdir/memdir
`;
}

/** @param {string} dist a finished build, which holds the description that the plugins are made from */
export async function writePlugins(dist) {
  const { pluginFiles, openClawFiles } = await import(
    pathToFileURL(join(dist, "core", "install", "opencode-plugin.js")).href
  );
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"));
  const license = readFileSync(join(import.meta.dirname, "..", "LICENSE"), "utf8");
  for (const [client, files] of Object.entries({
    ...pluginFiles(version),
    openclaw: openClawFiles(version),
  })) {
    const shipped = { ...files, "README.md": readme(client), LICENSE: license };
    for (const [name, text] of Object.entries(shipped)) {
      const file = join(dist, "plugins", client, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await writePlugins(resolve(process.argv[2] ?? "dist"));
