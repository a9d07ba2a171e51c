import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../../../src/app/memory.ts";
import { openClawFiles } from "../../../src/core/install/opencode-plugin.ts";
import { openClawPlugin } from "../../../src/surfaces/openclaw/plugin.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

type Handler = (event: object, context: object) => unknown;
interface Tool {
  readonly name: string;
  execute(id: string, parameters: unknown): Promise<{ readonly content: readonly { readonly text: string }[] }>;
}

describe("the plugin for OpenClaw", () => {
  let memory: Memory;
  let root: string;
  const hooks = new Map<string, Handler>();
  const tools = new Map<string, Tool>();

  const register = (pluginConfig: object, environment = emptyHome(root)): void => {
    hooks.clear();
    tools.clear();
    memory = openMemory({ dir: `${root}/notes`, environment });
    const plugin = openClawPlugin(() => memory);
    if (!("register" in plugin) || typeof plugin.register !== "function") throw new Error("there is no register");
    plugin.register({
      pluginConfig,
      registerMemoryCapability: () => undefined,
      registerTool: (make: (context: object) => Tool) => tools.set(make({}).name, make({})),
      on: (hook: string, handler: Handler) => hooks.set(hook, handler),
    });
  };
  beforeEach(() => {
    root = scratch();
    register({});
  });
  afterEach(() => memory.close());

  const FACT = "Remember that releases are cut on Thursdays.";
  const end = async (messages: readonly object[], context: object = {}): Promise<number> => {
    await hooks.get("agent_end")?.({ success: true, messages }, { sessionId: "s", ...context });
    return memory.list().length;
  };

  it("captures what a person said, and nothing that a timer, another session or memory itself said", async () => {
    expect(await end([{ role: "user", content: FACT }], { trigger: "cron" })).toBe(0);
    expect(await end([{ role: "user", content: FACT }], { inputProvenance: { kind: "inter_session" } })).toBe(0);
    expect(await end([{ role: "user", content: FACT, provenance: { kind: "internal_system" } }])).toBe(0);
    const recalled = `<memdir-context source="recall">\n${FACT}\n</memdir-context>\n\nGo on.`;
    expect(await end([{ role: "user", content: [{ type: "text", text: recalled }] }])).toBe(0);
    expect(await end([{ role: "user", content: [{ type: "text", text: FACT }], timestamp: 5 }])).toBe(1);
    expect(await end([{ role: "user", content: FACT, timestamp: 5 }])).toBe(1);
  });

  it("puts what helps before each turn, again in the same session, and nothing where nothing helps", async () => {
    await end([{ role: "user", content: FACT }]);
    const ask = (event: object): unknown => hooks.get("before_prompt_build")?.(event, { sessionId: "t" });
    const given = { prependContext: expect.stringContaining("Releases are cut on Thursdays.") };
    expect(ask({ prompt: "history", currentUserMessage: "On which day do we cut the release?" })).toEqual(given);
    expect(ask({ prompt: "On which day do we cut the release?" })).toEqual(given);
    expect(ask({ prompt: "On which day do we cut the release?", currentUserMessage: "" })).toBeUndefined();
    expect(ask({ prompt: "Draw a horse." })).toBeUndefined();
  });

  it("stays out where the mode or the settings say so", async () => {
    await memory.close();
    register({}, { ...emptyHome(root), MEMDIR_MODE: "manual" });
    expect(await end([{ role: "user", content: FACT }])).toBe(0);
    register({ autoCapture: false, autoRecall: false });
    expect([...hooks.keys()]).toEqual(["gateway_stop"]);
  });

  it("registers the tools that its manifest names, and they save, find and show", async () => {
    const { contracts } = JSON.parse(openClawFiles("1.2.3")["openclaw.plugin.json"] ?? "");
    expect([...tools.keys()].toSorted()).toEqual(contracts.tools.toSorted());
    const call = async (name: string, parameters: object): Promise<string | undefined> =>
      (await tools.get(name)?.execute("1", parameters))?.content[0]?.text;
    expect(await call("memory_store", { text: "The staging host is called heron.", name: "staging" })).toBe("created");
    expect(await call("memory_recall", { query: "Which host is staging?" })).toContain("heron");
    expect(await call("memory_read", { path: "staging" })).toContain("heron");
    expect(await call("memory_read", { path: "none" })).toBe("There is no note none.");
  });
});
