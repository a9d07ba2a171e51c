import { type Agent, hookSettings, type JsonTree, OPENCODE_EVENTS, serverSettings } from "./agents.ts";

export const OPENCODE_PLUGIN_FILE = "memdir.js";

/**
 * The plugin for OpenCode, which has no command hooks. It runs in the client, calls the same command as other
 * clients with Claude Code's event names, and has the same timeouts. If anything fails, the turn goes on.
 * `command` is written as a list; words that begin with `./` are relative to the plugin's file.
 */
export function openCodePlugin(command: readonly string[]): string {
  return PLUGIN.replace("COMMAND_LIST", () => `[${command.map((word) => JSON.stringify(word)).join(", ")}]`).replace(
    "LIMITS",
    () => JSON.stringify(OPENCODE_EVENTS),
  );
}

const PLUGIN = String.raw`// memdir for OpenCode, written by memdir install; memdir uninstall removes it. Edits are lost at the next install.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const COMMAND = COMMAND_LIST;
/** The longest wait for an answer (s). */
const SECONDS = LIMITS;
const LARGEST_ANSWER = 1_000_000;

/** Asks memdir; resolves to what it printed, empty when it failed or took too long. Never rejects. */
function ask(event, cwd) {
  return new Promise((done) => {
    let said = "";
    let child;
    const timer = setTimeout(() => end(""), (SECONDS[event.hook_event_name] ?? 5) * 1000);
    const end = (answer) => {
      clearTimeout(timer);
      child?.kill("SIGKILL");
      done(answer);
    };
    try {
      const [program, ...args] = COMMAND.map((word) => (word.startsWith("./") ? fileURLToPath(new URL(word, import.meta.url)) : word));
      child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "ignore"] });
      child.on("error", () => end(""));
      child.on("close", (code) => end(code === 0 ? said : ""));
      child.stdout.setEncoding("utf8").on("data", (part) => (said.length > LARGEST_ANSWER ? end("") : (said += part)));
      child.stdin.on("error", () => {}); // it ended before it read everything
      child.stdin.end(JSON.stringify(event));
    } catch {
      end(""); // node is gone, or the event cannot be written as JSON: the turn goes on without memory
    }
  });
}

function read(said) {
  if (said.trim() === "") return {};
  try {
    const { hookSpecificOutput: specific, decision, reason } = JSON.parse(said);
    return { context: specific?.additionalContext, decision: specific?.permissionDecision ?? decision, reason: specific?.permissionDecisionReason ?? reason };
  } catch {
    return { context: said }; // plain text is context, as in other clients
  }
}

export const Memdir = async ({ client, directory }) => {
  const started = new Set();
  /** Sessions that were compacted since their start was said. */
  const compacted = new Set();
  const children = new Set();
  const context = new Map();
  const warnings = new Map();
  const tell = async (name, session, more) => read(await ask({ hook_event_name: name, session_id: session, cwd: directory, ...more }, directory));
  const keep = (session, text) => text && context.set(session, [...(context.get(session) ?? []), text]);
  const start = async (session, how) => keep(session, (await tell("SessionStart", session, how)).context);
  /** A process may go on with a session that another began, or with a copy of one: what memdir said there tells whose it was. */
  const beginning = async (session, message) => {
    const before = (await messagesOf(session)).filter(({ info }) => info?.id !== message.id);
    if (before.length === 0) return { source: "startup" };
    const origins = before.flatMap(({ parts }) => parts ?? []).map((part) => part.metadata?.memdir).filter((id) => typeof id === "string");
    const origin = origins.at(-1);
    return origin === undefined || origin === session ? { source: "resume" } : { source: "fork", forked_from: origin };
  };
  const messagesOf = (session) => {
    const late = new Promise((done) => setTimeout(() => done([]), 2000).unref?.());
    const asked = (async () => (await client.session.messages({ path: { id: session } })).data ?? [])().catch(() => []);
    return Promise.race([asked, late]);
  };
  const turnsEnding = new Set();
  const endTurn = async (session) => {
    const told = tell("Stop", session, { stop_hook_active: false });
    turnsEnding.add(told);
    await told;
    turnsEnding.delete(told);
  };
  const finish = async (session) => {
    await Promise.all(turnsEnding); // the client may dispose of plugins while it still tells them that a turn ended
    if (started.delete(session)) await tell("SessionEnd", session, { reason: "other" });
    context.delete(session);
  };

  return {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      if (children.has(sessionID)) return;
      if (!started.has(sessionID)) {
        started.add(sessionID);
        await start(sessionID, await beginning(sessionID, message));
      } else if (compacted.has(sessionID)) await start(sessionID, { source: "compact" });
      compacted.delete(sessionID);
      const prompt = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n");
      keep(sessionID, (await tell("UserPromptSubmit", sessionID, { prompt })).context);
      const texts = context.get(sessionID) ?? [];
      context.delete(sessionID);
      // Parts are shown in the order of their ids: after the person's own, in the order in which they were said.
      const last = parts.reduce((most, { id }) => (typeof id === "string" && id > most ? id : most), "prt_");
      texts.forEach((text, at) => parts.push({ id: last + "m" + at, sessionID, messageID: message.id, type: "text", synthetic: true, text, metadata: { memdir: sessionID } }));
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      const { context: warning, decision, reason } = await tell("PreToolUse", sessionID, { tool_name: tool, tool_input: args ?? {}, tool_use_id: callID });
      if (warning) warnings.set(callID, warning);
      // There is nobody to ask in the middle of a call, so asking stops it too and the agent asks.
      if (decision === "deny" || decision === "block") throw new Error(reason ?? "A note of memdir's forbids this call.");
      if (decision === "ask") throw new Error((reason ?? "A note of memdir's wants the person asked first.") + " Ask the person before you go on.");
    },
    "tool.execute.after": async ({ callID }, output) => {
      const warning = warnings.get(callID);
      if (!warnings.delete(callID)) return;
      if (typeof output?.output === "string") output.output += "\n\n" + warning;
      else if (Array.isArray(output?.content)) output.content.push({ type: "text", text: warning });
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const { context: text } = await tell("PreCompact", sessionID, { trigger: "auto" });
      if (text) output.context.push(text);
    },
    event: async ({ event: { type, properties } }) => {
      const session = properties?.sessionID ?? properties?.info?.id;
      if (type === "session.created" && properties?.info?.parentID) children.add(session);
      if (children.has(session)) return;
      if (type === "session.idle" && started.has(session)) await endTurn(session);
      if (type === "session.compacted") {
        compacted.add(session);
        await tell("PostCompact", session, { trigger: "auto" });
      }
      if (type === "session.deleted") await finish(session);
    },
    dispose: async () => {
      await Promise.all([...started].map(finish));
    },
  };
};
`;

/** The file in every plugin that finds memdir and runs it. */
const LAUNCHER = "run.cjs";

const DESCRIPTION = "Memory for coding agents as plain Markdown: captured, recalled, versioned.";

/** A plugin for one client: its files by relative path. */
type PluginFiles = Readonly<Record<string, string>>;

/** The plugin for OpenClaw, which runs the library in the client; its code is in `surfaces/openclaw`. */
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

/** OpenClaw runs a copy of the plugin, so the library is found by a setting or by the `memdir` command on the path. */
const OPENCLAW_ENTRY = String.raw`import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { openClawPlugin } from "./plugin.js";

function libraryFile() {
  const commands = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return commands
    .filter((folder) => fs.existsSync(path.join(folder, "memdir")))
    // On Windows the command is a script beside the packages, elsewhere a link into one of them.
    .flatMap((folder) => [path.dirname(fs.realpathSync(path.join(folder, "memdir"))), path.join(folder, "node_modules", "memdir", "dist")])
    .map((dist) => path.join(dist, "index.js"))
    .find((file) => fs.existsSync(file));
}

export default openClawPlugin((options, library = libraryFile()) => {
  if (library === undefined) throw new Error("there is no memdir here; \`memdir install openclaw\` says where it is");
  return createRequire(import.meta.url)(library).openMemory(options);
});
`;

/** The four plugins, from the same description as the settings that `memdir install` writes. */
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
      // Codex expands no paths in a server's arguments, but can start it in the plugin's own folder.
      ".mcp.json": json({ mcpServers: { memdir: { command: "node", args: [`./${LAUNCHER}`, "mcp"], cwd: "." } } }),
      [LAUNCHER]: LAUNCHER_TEXT,
    },
    gemini: {
      "gemini-extension.json": json({ ...about, ...server("gemini", "${extensionPath}") }),
      "hooks/hooks.json": hooks("gemini", "${extensionPath}"),
      [LAUNCHER]: LAUNCHER_TEXT,
    },
    opencode: {
      "package.json": json({
        ...about,
        name: "memdir-opencode",
        license: "MIT",
        type: "module",
        // No `exports`: Node reads it only in the manifest at a package's root, and this one also ships inside memdir.
        main: `./${OPENCODE_PLUGIN_FILE}`,
        files: [OPENCODE_PLUGIN_FILE, LAUNCHER],
      }),
      [OPENCODE_PLUGIN_FILE]: openCodePlugin(["node", `./${LAUNCHER}`, "hook", "opencode"]),
      [LAUNCHER]: LAUNCHER_TEXT,
    },
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * Clients copy plugins into their own folders, so a plugin looks for memdir in its package, then by the `memdir`
 * command on the path. If memdir is missing, the agent works without memory.
 */
const LAUNCHER_TEXT = String.raw`// Starts memdir for a plugin: "run.cjs hook CLIENT" or "run.cjs mcp". Made from one description with the plugin.
const fs = require("node:fs");
const path = require("node:path");

function distFolder(file) {
  const beside = path.join(__dirname, "..", "..");
  if (fs.existsSync(path.join(beside, file))) return beside;
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const command = path.join(folder, "memdir");
    if (!path.isAbsolute(folder) || !fs.existsSync(command)) continue;
    // On Windows the command is a script beside the packages, elsewhere a link into one of them.
    const places = [path.dirname(fs.realpathSync(command)), path.join(folder, "node_modules", "memdir", "dist")];
    const dist = places.find((place) => fs.existsSync(path.join(place, file)));
    if (dist !== undefined) return dist;
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
