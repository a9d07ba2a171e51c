import fs from "node:fs";
import path from "node:path";
import { type InstallPlace, install, installPlace } from "../../src/app/install/install.ts";
import { locate } from "../../src/app/workspace/locations.ts";
import { uninstall } from "../../src/app/install/uninstall.ts";
import type { Agent } from "../../src/core/install/agents.ts";
import { field, text } from "./json.ts";
import { type Ground, type Layout, layOut } from "./layout.ts";

/** A path that is quoted wrongly sooner or later; `$X` is no variable of these clients. */
const AWKWARD = `Jané Döe's "own" $X`;

/** Stands in for memdir's hook: notes what it was asked and answers with a mark. */
const HOOK = String.raw`
const fs = require("node:fs"), path = require("node:path");
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
fs.appendFileSync(path.join(__dirname, "hooks.jsonl"), JSON.stringify({ client: process.argv[2], asked }) + "\n");
const event = asked.hook_event_name;
if (["SessionStart", "UserPromptSubmit", "BeforeAgent"].includes(event)) console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: "MARK-" + event } }));
`;

/** Stands in for memdir's MCP server: one tool. */
const SERVER = String.raw`
const fs = require("node:fs"), path = require("node:path");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  fs.appendFileSync(path.join(__dirname, "server.jsonl"), JSON.stringify({ method, argument: process.argv[2] }) + "\n");
  if (id === undefined) return;
  const tool = { name: "recall", description: "MARK-TOOL", inputSchema: { type: "object", properties: { query: { type: "string" } } } };
  const result = { initialize: () => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "memdir", version: "0" }, instructions: "MARK-INSTRUCTIONS" }), "tools/list": () => ({ tools: [tool] }), "tools/call": () => ({ content: [{ type: "text", text: "MARK-CALLED" }] }), ping: () => ({}) }[method];
  console.log(JSON.stringify(result === undefined ? { jsonrpc: "2.0", id, error: { code: -32601, message: "unknown" } } : { jsonrpc: "2.0", id, result: result() }));
});
`;

export interface WithMemdir {
  readonly ground: Ground;
  readonly place: InstallPlace;
  /** Events that the hook was asked about, in order, each with what it was given. */
  hooks(): readonly { readonly event: string; readonly client: string; readonly asked: unknown }[];
  /** Methods that the MCP server was asked for, in order. */
  methods(): readonly string[];
  install(scope?: "user" | "project"): void;
  uninstall(): void;
}

/** A layout with memdir installed into one client, the program behind it being one that notes what it was asked. */
export function withMemdir(agent: Agent, layout: Layout): WithMemdir {
  const ground = layOut(layout);
  const dist = path.join(ground.root, AWKWARD, "dist");
  fs.mkdirSync(dist, { recursive: true });
  fs.writeFileSync(path.join(dist, "hook.cjs"), HOOK);
  fs.writeFileSync(path.join(dist, "memdir.cjs"), SERVER);
  const environment = { ...ground.environment, MEMDIR_HOME: path.join(ground.root, "memdir") };
  const place = {
    ...installPlace(locate({ cwd: ground.cwd, environment })),
    program: { node: process.execPath, hook: path.join(dist, "hook.cjs"), command: path.join(dist, "memdir.cjs") },
  };
  const log = (name: string): readonly unknown[] =>
    fs.existsSync(path.join(dist, name))
      ? fs
          .readFileSync(path.join(dist, name), "utf8")
          .trimEnd()
          .split("\n")
          .map((row): unknown => JSON.parse(row))
      : [];
  return {
    ground,
    place,
    hooks: () =>
      log("hooks.jsonl").map((row) => ({
        event: text(field(field(row, "asked"), "hook_event_name")),
        client: text(field(row, "client")),
        asked: field(row, "asked"),
      })),
    methods: () => log("server.jsonl").map((row) => text(field(row, "method"))),
    install: (scope = "user") => void install(place, agent, scope, "2026-11-22T00:00:00.000Z"),
    uninstall: () => void uninstall(place, { clients: [agent], scope: undefined }),
  };
}

/** Every file below a directory: its bytes, or where a link leads. */
export function treeOf(directory: string): ReadonlyMap<string, string> {
  const entries = fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory());
  return new Map(
    entries.map((entry): [string, string] => {
      const file = path.join(entry.parentPath, entry.name);
      return [
        path.relative(directory, file),
        entry.isSymbolicLink()
          ? `-> ${fs.readlinkSync(file)}`
          : entry.isFile()
            ? fs.readFileSync(file, "latin1")
            : entry.name,
      ];
    }),
  );
}
