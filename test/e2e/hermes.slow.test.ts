import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { homeOf } from "../support/cli.ts";
import { filesBelow, scratch } from "../support/scratch.ts";

const COMMAND = fileURLToPath(new URL("../../dist/memdir.cjs", import.meta.url));

/**
 * Hermes itself is run where it is installed (test/clients/more-clients). Everywhere else its base class stands in for
 * it, methods and their parameters as its makers publish them, and its rules for a plugin's folder: `register(ctx)` in
 * `__init__.py`.
 */
const BASE = `
from abc import ABC, abstractmethod
class MemoryProvider(ABC):
    @property
    @abstractmethod
    def name(self): ...
    @abstractmethod
    def is_available(self): ...
    @abstractmethod
    def initialize(self, session_id, **kwargs): ...
    @abstractmethod
    def get_tool_schemas(self): ...
    def unavailable_reason(self): return ""
    def system_prompt_block(self): return ""
    def prefetch(self, query, *, session_id=""): return ""
    def sync_turn(self, user_content, assistant_content, *, session_id="", messages=None): ...
    def handle_tool_call(self, tool_name, args, **kwargs): raise NotImplementedError
    def on_memory_write(self, action, target, content, metadata=None): ...
    def shutdown(self): ...
`;

/** Loads the folder as Hermes does, and does what the lines on standard input say; prints what came of each. */
const HOST = `
import atexit, importlib.util, json, os, sys, threading
root, folder = sys.argv[1], sys.argv[2]
sys.path.insert(0, root)
spec = importlib.util.spec_from_file_location("memdir_provider", os.path.join(folder, "__init__.py"))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
class Context:
    def register_memory_provider(self, provider): self.provider = provider
context = Context()
module.register(context)
provider = context.provider
for method, positional, named in json.load(sys.stdin):
    if method == "its server dies":
        provider._server._process.kill()
        provider._server._process.wait()
        continue
    if method == "Hermes ends at once":
        sys.stdout.flush()
        os._exit(0)
    if method == "Hermes ends meanwhile":
        ending = threading.Event()
        atexit.register(ending.set)
        threading.Thread(target=lambda: ending.wait() and provider.sync_turn(*positional), daemon=True).start()
        sys.exit(0)
    result = getattr(provider, method)(*positional, **named) if callable(getattr(provider, method)) else getattr(provider, method)
    print(json.dumps(result))
server = provider._server
print(json.dumps(server is None))
`;

type Call = readonly [method: string, positional: readonly unknown[], named?: Readonly<Record<string, unknown>>];

function hermes() {
  const root = scratch();
  const home = homeOf(root);
  const workspace = path.join(root, "workspace");
  for (const folder of [home, workspace, path.join(workspace, "hermes"), path.join(root, "agent")])
    fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(root, "agent", "__init__.py"), "");
  fs.writeFileSync(path.join(root, "agent", "memory_provider.py"), BASE);
  fs.writeFileSync(path.join(root, "host.py"), HOST);
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
  const start = (command: string, args: readonly string[], input = ""): string => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: workspace,
      env,
      input,
      encoding: "utf8",
      timeout: 60_000,
    });
    expect([status, stderr]).toEqual([0, expect.anything()]);
    return stdout;
  };
  const memdir = (...args: readonly string[]): string => start(process.execPath, [COMMAND, ...args]);
  /** What Hermes says of the workspace is a name, here that of a folder too. */
  const session = (calls: readonly Call[], context = "primary"): readonly unknown[] => {
    const about = { agent_context: context, agent_workspace: "hermes" };
    const all: readonly Call[] = [["initialize", ["s1"], about], ...calls, ["shutdown", []]];
    const given = JSON.stringify(all.map(([method, positional, named = {}]) => [method, positional, named]));
    const folder = path.join(home, ".hermes/plugins/memdir");
    const lines = start("python3", [path.join(root, "host.py"), root, folder], given)
      .trim()
      .split("\n");
    return lines.slice(1).map((line): unknown => JSON.parse(line));
  };
  const notes = (): readonly string[] =>
    [...filesBelow(home).keys()].filter(
      (name) => /\.memdir\/projects\/.*\.md$/u.test(name) && !name.endsWith("MEMORY.md"),
    );
  /** The worker that a turn starts may be at work already: then this waits for it. */
  const captured = async (): Promise<void> => {
    memdir("capture", "--pending");
    const waiting = (): readonly string[] =>
      [...filesBelow(home).keys()].filter((name) => /captures\/(?:jobs|turns)\//u.test(name));
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([]);
  };
  return { home, workspace, memdir, session, notes, captured };
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;
if (!hasPython) process.stderr.write("python3 is not here, so the provider for Hermes was not tried\n");

describe.skipIf(!hasPython)("the memory provider for Hermes", () => {
  it("captures a turn, gives it to the next session, and leaves nothing behind after uninstall", async () => {
    const { home, memdir, session, notes, captured } = hermes();
    memdir("install", "hermes", "--yes");
    const said = session([
      ["is_available", []],
      ["sync_turn", ["Remember that releases are cut on Thursdays.", "Understood."], { session_id: "s1" }],
    ]);
    expect(said).toEqual([true, null, null, true]);
    await captured();
    expect(notes()).toHaveLength(1);
    const [recalled, none] = session([
      ["prefetch", ["On which day do we cut the release?"]],
      ["prefetch", ["Draw a horse."]],
    ]);
    expect(recalled).toContain("Releases are cut on Thursdays.");
    expect(recalled).toContain("<memdir-context");
    expect(none).toBe("");
    session([["sync_turn", ["Remember that releases are cut on Thursdays.", "Yes."]]]);
    await captured();
    expect(notes()).toHaveLength(1);
    memdir("uninstall", "hermes", "--yes");
    expect([...filesBelow(home).keys()].filter((name) => /hermes/iu.test(name))).toEqual([]);
    expect(notes()).toHaveLength(1);
  });

  const said = ["Remember that releases are cut on Thursdays.", "Yes."];
  it.each<readonly [string, readonly Call[]]>([
    [
      "and is killed",
      [
        ["sync_turn", said],
        ["Hermes ends at once", []],
      ],
    ],
    [
      "while it is handed over",
      [
        ["prefetch", [said[0]]],
        ["Hermes ends meanwhile", said],
      ],
    ],
  ])("keeps a turn that Hermes ends with %s, with the directory that Hermes works in", async (_, calls) => {
    const { workspace, memdir, session, notes, captured } = hermes();
    memdir("install", "hermes", "--yes");
    session(calls);
    await expect.poll(notes, { timeout: 30_000 }).toHaveLength(1);
    await captured();
    expect(notes()[0]).toContain(`${workspace.replaceAll(/[^A-Za-z0-9]/gu, "-")}/memory/`);
  });

  it("goes on after its server has ended", async () => {
    const { memdir, session } = hermes();
    memdir("install", "hermes", "--yes");
    memdir("remember", "Releases are cut on Thursdays.");
    const [recalled] = session([
      ["its server dies", []],
      ["prefetch", ["On which day do we cut the release?"]],
    ]);
    expect(recalled).toContain("Releases are cut on Thursdays.");
  });

  it("offers its tools, mirrors what Hermes itself saves, and keeps a sub-agent from writing", async () => {
    const { memdir, session, notes, captured } = hermes();
    memdir("install", "hermes", "--yes");
    const [tools, saved, mirrored, found, wrong] = session([
      ["get_tool_schemas", []],
      ["handle_tool_call", ["memdir_remember", { type: "project", text: "The staging host is called heron." }]],
      ["on_memory_write", ["add", "user", "The person is called Ada."]],
      ["handle_tool_call", ["memdir_recall", { prompt: "Which host is staging?" }]],
      ["handle_tool_call", ["memdir_forget", {}]],
    ]);
    expect(tools).toMatchObject([{ name: "memdir_recall" }, { name: "memdir_remember" }, { name: "memdir_read" }]);
    expect(JSON.parse(String(saved))).toMatchObject({ success: true });
    expect(mirrored).toBeNull();
    expect(JSON.parse(String(found)).result).toContain("heron");
    expect(JSON.parse(String(wrong))).toMatchObject({ success: false });
    const before = notes();
    session([["sync_turn", ["Remember that we never deploy on Fridays.", "Yes."]]], "subagent");
    await captured();
    expect(notes()).toEqual(before);
  });
});
