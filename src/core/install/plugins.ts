import { type Agent, hookSettings, type JsonTree, serverSettings } from "./agents.ts";
import { OPENCODE_PLUGIN_FILE, openCodePlugin } from "./opencode-plugin.ts";

/** The file in every plugin that finds memdir and hands over to it. */
const LAUNCHER = "run.cjs";

const DESCRIPTION = "Memory for coding agents as plain Markdown: captured, recalled, versioned.";

/** A plugin for one client: its files by relative path. */
export type PluginFiles = Readonly<Record<string, string>>;

/** The plugin for OpenClaw, which runs in the client over the library; what it does is `surfaces/openclaw`. */
export function openClawFiles(version: string): PluginFiles {
  const tools = ["memory_recall", "memory_read", "memory_store"];
  const settings = {
    library: { type: "string" },
    dir: { type: "string" },
    autoRecall: { type: "boolean" },
    autoCapture: { type: "boolean" },
  };
  const manifest = {
    id: "memdir",
    name: "memdir",
    description: DESCRIPTION,
    kind: "memory",
    categories: ["memory"],
    activation: { onStartup: true },
    contracts: { tools },
    toolMetadata: { memory_recall: { replaySafe: true }, memory_read: { replaySafe: true } },
    configSchema: { type: "object", additionalProperties: false, properties: settings },
  };
  const compatible = ">=2026.9.0";
  const about = {
    name: "memdir-openclaw",
    version,
    description: DESCRIPTION,
    license: "MIT",
    type: "module",
    main: "./index.js",
    peerDependencies: { openclaw: compatible },
    peerDependenciesMeta: { openclaw: { optional: true } },
    openclaw: { extensions: ["./index.js"], compat: { pluginApi: compatible, minGatewayVersion: "2026.9.0" } },
  };
  return { "openclaw.plugin.json": json(manifest), "package.json": json(about), "index.js": OPENCLAW_ENTRY };
}

/** OpenClaw runs a copy of the plugin: the settings say where the library is, or the `memdir` command on the path does. */
const OPENCLAW_ENTRY = String.raw`import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { openClawPlugin } from "./plugin.js";

function libraryFile() {
  const commands = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return commands
    .map((folder) => path.join(folder, "memdir"))
    .filter((command) => fs.existsSync(command))
    .map((command) => path.join(path.dirname(fs.realpathSync(command)), "index.js"))
    .find((file) => fs.existsSync(file));
}

export default openClawPlugin((options, library = libraryFile()) => {
  if (library === undefined) throw new Error("there is no memdir here; \`memdir install openclaw\` says where it is");
  return createRequire(import.meta.url)(library).openMemory(options);
});
`;

/** The four plugins, from the same description that `memdir install` writes into settings. */
export function pluginFiles(version: string): Readonly<Record<Agent, PluginFiles>> {
  const about = { name: "memdir", version, description: DESCRIPTION, author: { name: "The memdir authors" } };
  const hooks = (agent: "claude-code" | "codex" | "gemini", root: string): string =>
    json(hookSettings(agent, `node "${root}/${LAUNCHER}" hook ${agent}`));
  const server = (agent: Agent, root: string): JsonTree =>
    serverSettings(agent, "node", [`${root}/${LAUNCHER}`, "mcp"]);
  return {
    "claude-code": {
      ".claude-plugin/plugin.json": json(about),
      "hooks/hooks.json": hooks("claude-code", "${CLAUDE_PLUGIN_ROOT}"),
      ".mcp.json": json(server("claude-code", "${CLAUDE_PLUGIN_ROOT}")),
      [LAUNCHER]: LAUNCHER_TEXT,
    },
    codex: {
      ".codex-plugin/plugin.json": json({ ...about, hooks: "./hooks/hooks.json", mcpServers: "./.mcp.json" }),
      "hooks/hooks.json": hooks("codex", "${PLUGIN_ROOT}"),
      // Codex puts no paths into a server's arguments, and starts it in the plugin's own folder when told to.
      ".mcp.json": json({ mcpServers: { memdir: { command: "node", args: [`./${LAUNCHER}`, "mcp"], cwd: "." } } }),
      [LAUNCHER]: LAUNCHER_TEXT,
    },
    gemini: {
      "gemini-extension.json": json({ ...about, ...server("gemini", "${extensionPath}") }),
      "hooks/hooks.json": hooks("gemini", "${extensionPath}"),
      [LAUNCHER]: LAUNCHER_TEXT,
    },
    opencode: {
      "package.json": json({ ...about, name: "memdir-opencode", type: "module", main: OPENCODE_PLUGIN_FILE }),
      [OPENCODE_PLUGIN_FILE]: openCodePlugin(["node", `./${LAUNCHER}`, "hook", "opencode"]),
      [LAUNCHER]: LAUNCHER_TEXT,
    },
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * Clients copy a plugin into folders of their own, so it cannot know where memdir is: beside it in the package, or
 * behind the `memdir` command on the path. Where it is nowhere the agent works on without memory.
 */
const LAUNCHER_TEXT = String.raw`// Starts memdir for a plugin: "run.cjs hook CLIENT" or "run.cjs mcp". Made from one description with the plugin.
const fs = require("node:fs");
const path = require("node:path");

function distFolder(file) {
  const beside = path.join(__dirname, "..", "..");
  if (fs.existsSync(path.join(beside, file))) return beside;
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const command = path.join(folder, "memdir");
    if (path.isAbsolute(folder) && fs.existsSync(command)) {
      const dist = path.dirname(fs.realpathSync(command));
      if (fs.existsSync(path.join(dist, file))) return dist;
    }
  }
  return undefined;
}

const [what, ...rest] = process.argv.slice(2);
const file = what === "hook" ? "hook.cjs" : "memdir.cjs";
const dist = distFolder(file);
if (dist === undefined) {
  process.stderr.write("memdir: the plugin found no memdir command; install the package globally\n");
  process.exitCode = what === "hook" ? 0 : 1;
} else {
  const program = path.join(dist, file);
  process.argv = [process.argv[0], program, ...(what === "hook" ? rest : [what, ...rest])];
  require(program);
}
`;
