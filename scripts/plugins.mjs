/** Writes plugins into DIST/plugins/CLIENT, and the marketplaces with them. Usage: node scripts/plugins.mjs DIST */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Vendors' directories require a readme in the plugin's folder. */
function readme(client) {
  return `# memdir for ${client}

Memory for coding agents as plain Markdown: what you said in one session is recalled in the next.

The plugin needs memdir itself: \`npm install -g memdir\`. Without it the agent works on without memory. To connect a client without a plugin, run \`memdir install ${client}\`.

Notes are Markdown files that you can read and edit; \`memdir list\` shows them. https://github.com/memdir/memdir
`;
}

/** The plugins folder is a marketplace for Claude Code and for Codex; other clients use a plugin's folder directly. */
function marketplaces({ name, description, author, homepage, repository, license, keywords }) {
  const claude = {
    name,
    owner: { name: author },
    metadata: { description },
    plugins: [
      {
        name,
        source: "./claude-code",
        description,
        author: { name: author },
        homepage,
        repository: repository.url.replace(/^git\+|\.git$/gu, ""),
        license,
        keywords,
      },
    ],
  };
  const policy = { installation: "AVAILABLE", authentication: "ON_INSTALL" };
  const codex = {
    name,
    interface: { displayName: name },
    plugins: [{ name, source: { source: "local", path: "./codex" }, policy, category: "Productivity" }],
  };
  return { ".claude-plugin/marketplace.json": claude, ".agents/plugins/marketplace.json": codex };
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** @param {string} dist a finished build, which holds the description that the plugins are made from */
export async function writePlugins(dist) {
  const { pluginFiles, openClawFiles } = await import(
    pathToFileURL(join(dist, "core", "install", "opencode-plugin.js")).href
  );
  const about = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"));
  const license = readFileSync(join(import.meta.dirname, "..", "LICENSE"), "utf8");
  for (const [client, files] of Object.entries({
    ...pluginFiles(about.version),
    openclaw: openClawFiles(about.version),
  })) {
    const shipped = { ...files, "README.md": readme(client), LICENSE: license };
    for (const [name, text] of Object.entries(shipped)) write(join(dist, "plugins", client, name), text);
  }
  for (const [name, list] of Object.entries(marketplaces(about)))
    write(join(dist, "plugins", name), `${JSON.stringify(list, undefined, 2)}\n`);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await writePlugins(resolve(process.argv[2] ?? "dist"));
