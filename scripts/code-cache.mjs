/**
 * node scripts/code-cache.mjs DIST: writes a .cache beside each quick-*.cjs of DIST, the compiled code of the short paths, taken
 * after recalls from a scratch store, so that it holds just the functions a recall runs.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const dist = resolve(process.argv[2] ?? "dist");
const load = (module) => import(pathToFileURL(join(dist, module)).href);
const { run, scriptOf } = await load("surfaces/cli/code-cache.js");
const { openMemory } = await load("index.js");
const { locate } = await load("compose/locations.js");

const root = mkdtempSync(join(tmpdir(), "memdir-build-"));
const environment = { HOME: root, PATH: process.env.PATH, NO_COLOR: "1" };
/** The same for `context`, run in a project with one rule; its output is not wanted here. */
function keepContext(project) {
  mkdirSync(join(project, ".claude", "rules"), { recursive: true });
  writeFileSync(join(project, "CLAUDE.md"), "# Project\n\nUse `npm`. <!-- x --> @style.md\n");
  writeFileSync(join(project, "style.md"), "Two spaces.\n");
  writeFileSync(join(project, ".claude", "rules", "ts.md"), "---\npaths: 'src/**'\n---\nTypes first.\n");
  const bundled = scriptOf(join(dist, "quick-context.cjs"));
  const { contextQuickly } = run(bundled, createRequire(bundled.file));
  const before = process.cwd();
  process.chdir(project);
  const code = contextQuickly(["--json", "--agent", "claude-code"], environment);
  process.chdir(before);
  if (code !== 0) throw new Error("the short path did not show the context");
  writeFileSync(join(dist, "quick-context.cache"), bundled.script.createCachedData());
}

/** And of the hooks' short path: a prompt, and the start of a session. Their command is run on an event that is nothing. */
function keepHook(dir) {
  const bundled = scriptOf(join(dist, "hook-recall.cjs"));
  const { answerQuickly } = run(bundled, createRequire(bundled.file));
  const locations = locate({ environment, dir });
  const parts = { client: { showsIndex: false }, verify: (outcome) => outcome, say: () => true };
  const events = [{ kind: "session-start", source: "startup", session: "one" }, ...["write integration tests for the database", "when is the merge freeze", "paint the fence green"].map((prompt) => ({ kind: "prompt", prompt, session: "one" }))];
  for (const event of events) if (answerQuickly(locations, event, parts) !== true) throw new Error("the hooks' short path did not answer from a fresh store");
  writeFileSync(join(dist, "hook-recall.cache"), bundled.script.createCachedData());
  const main = scriptOf(join(dist, "hook-main.cjs"));
  const { answerTool, clientNamed } = run(main, createRequire(main.file));
  clientNamed("claude-code").read({ hook_event_name: "PreToolUse", session_id: "one", tool_name: "Bash", tool_input: { command: "true" } });
  answerTool(locations, { kind: "before-tool", tool: "Bash", input: { command: "true" }, session: "one" }, () => true, Date.now());
  writeFileSync(join(dist, "hook-main.cache"), main.script.createCachedData());
}

/** And for the server: one client's start and first recall, over lines of its own. */
async function keepServer(dir) {
  const bundled = scriptOf(join(dist, "mcp.cjs"));
  const { serveMcp } = run(bundled, createRequire(bundled.file));
  const input = new PassThrough();
  const output = new PassThrough();
  let answers = "";
  output.setEncoding("utf8").on("data", (text) => (answers += text));
  const call = (id, name, args) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "build", version: "1" } } },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
    call(3, "recall", { prompt: "write integration tests for the database" }),
    call(4, "list", {}),
    call(5, "read", { note: "database tests" }),
  ];
  input.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  const code = await serveMcp(["--dir", dir], environment, { input, output });
  if (code !== 0 || !answers.includes("postgres test container")) throw new Error("the server did not recall from a fresh store");
  writeFileSync(join(dist, "mcp.cache"), bundled.script.createCachedData());
}

try {
  const dir = join(root, "notes");
  const memory = openMemory({ dir, environment });
  await memory.remember({ name: "database tests", type: "feedback", body: "Integration tests use the postgres test container (`test/support/container.ts`, `npm run test:db`), never a mocked database.\n\n**Why:** mocked tests passed and the migration failed." });
  await memory.remember({ name: "merge freeze", body: "The merge freeze starts when mobile cuts the release branch." });
  // Files as fresh as the clock's tick are read once more by the next look; after that the index is up to date.
  await setTimeout(50);
  memory.list();
  memory.close();
  const checking = scriptOf(join(dist, "quick-verify.cjs"));
  const { verifyQuickly } = run(checking, createRequire(checking.file));
  const bundled = scriptOf(join(dist, "quick-recall.cjs"));
  const { recallQuickly } = run(bundled, createRequire(bundled.file));
  for (const words of [["write integration tests for the database"], ["when is the merge freeze", "--json"], ["paint the fence green"]]) {
    if (recallQuickly([...words, "--dir", dir], environment, verifyQuickly) !== 0) throw new Error("the short path did not answer from a fresh store");
  }
  writeFileSync(join(dist, "quick-recall.cache"), bundled.script.createCachedData());
  writeFileSync(join(dist, "quick-verify.cache"), checking.script.createCachedData());
  keepContext(join(root, "project"));
  keepHook(dir);
  await keepServer(dir);
} finally {
  rmSync(root, { recursive: true, force: true });
}
