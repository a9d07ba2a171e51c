import fs from "node:fs";
import { describe, expect, it } from "vitest";
import { type AgentCliOptions, createClaudeCliModel } from "../../../src/adapters/models/claude-cli.ts";
import { createCodexCliModel } from "../../../src/adapters/models/codex-cli.ts";
import { createGeminiCliModel } from "../../../src/adapters/models/gemini-cli.ts";
import type { Model } from "../../../src/core/models/model.ts";
import { REQUEST } from "../../contracts/model.ts";
import { fakeAgent, isAlive, until } from "../../support/fake-agent.ts";
import { scratch } from "../../support/scratch.ts";

const lines = (...events: readonly object[]): string => events.map((event) => JSON.stringify(event)).join("\n");
const codexSays = (text: string): string =>
  lines(
    { type: "thread.started" },
    { type: "item.completed", item: { type: "agent_message", text } },
    { type: "turn.completed", usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 7 } },
  );
const geminiSays = (text: string): string =>
  `Loaded cached credentials.\n${JSON.stringify({ response: text, stats: { models: { one: { tokens: { prompt: 60, candidates: 3, cached: 40, thoughts: 1 } }, two: { tokens: { prompt: 40, candidates: 3 } } } } })}`;
const claudeSays = (text: string): string =>
  JSON.stringify({
    is_error: false,
    result: text,
    total_cost_usd: 0.0125,
    usage: { input_tokens: 50, cache_creation_input_tokens: 10, cache_read_input_tokens: 40, output_tokens: 7 },
  });

const AGENTS: readonly (readonly [
  name: string,
  create: (options: AgentCliOptions) => Model,
  says: (text: string) => string,
])[] = [
  ["claude", createClaudeCliModel, claudeSays],
  ["codex", createCodexCliModel, codexSays],
  ["gemini", createGeminiCliModel, geminiSays],
];

describe.skipIf(process.platform === "win32").each(AGENTS)("%s run without a screen", (name, create, says) => {
  const open = (...given: Parameters<typeof fakeAgent> extends [unknown, ...infer Rest] ? Rest : never) => {
    const agent = fakeAgent(scratch(), ...given);
    return { agent, model: create({ command: agent.command, model: "small-1", environment: agent.environment }) };
  };

  it("answers by schema and says what it took", async () => {
    const { model } = open("answer", says('{"names":["a.md"]}'));
    expect(await model.ask(REQUEST)).toMatchObject({
      kind: "answer",
      value: { names: ["a.md"] },
      usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 40 },
    });
    expect(model).toMatchObject({ id: `${name}-cli/small-1`, place: "network" });
  });

  it("runs in an empty directory that is gone afterwards, marked as nested, without its outer session's channels", async () => {
    const { agent, model } = open("answer", says("{}"), {
      CLAUDECODE: "1",
      CLAUDE_CODE_MESSAGING_TOKEN: "t",
      CLAUDE_CODE_SESSION_ID: "s",
      CLAUDE_CODE_OAUTH_TOKEN: "kept",
    });
    await model.ask(REQUEST);
    const { cwd, files, env } = agent.start();
    expect(files.filter((file) => !/^(?:schema\.json|\.gemini)$/u.test(file))).toEqual([]);
    expect(fs.existsSync(cwd)).toBe(false);
    expect(env).toMatchObject({
      MEMDIR_NESTED: "1",
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
      CLAUDE_CODE_OAUTH_TOKEN: "kept",
    });
    for (const variable of ["CLAUDECODE", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SESSION_ID"])
      expect(env).not.toHaveProperty(variable);
  });

  it("passes prompts by standard input, where no process list shows them", async () => {
    const { agent, model } = open("answer", says("{}"));
    await model.ask({ ...REQUEST, messages: [{ role: "user", text: "$(touch pwned) `id` ; the prompt" }] });
    const { argv, input } = agent.start();
    expect(input).toContain("$(touch pwned) `id` ; the prompt");
    expect(argv.join(" ")).not.toContain("the prompt");
  });

  it.each([
    ["timeout", 250],
    ["cancelled", 20_000],
  ] as const)(
    "leaves no process behind on %s, its children and the stubborn ones included",
    async (kind, timeoutMs) => {
      const { agent, model } = open("hang");
      const controller = new AbortController();
      const asked = model.ask({
        ...REQUEST,
        timeoutMs: kind === "timeout" ? 2500 : timeoutMs,
        signal: controller.signal,
      });
      await until(() => agent.started());
      const { pids } = agent.start();
      expect(pids.filter(isAlive)).toHaveLength(3);
      if (kind === "cancelled") controller.abort();
      expect(await asked).toMatchObject({ kind });
      await until(() => pids.every((pid) => !isAlive(pid)));
    },
  );

  it("ends children that it left running behind a good answer", async () => {
    const { agent, model } = open("leave", says('{"names":[]}'));
    expect(await model.ask(REQUEST)).toMatchObject({ kind: "answer" });
    await until(() => agent.start().pids.every((pid) => !isAlive(pid)));
  });

  it("ends it when it prints without end", async () => {
    const { agent, model } = open("flood");
    expect(await model.ask(REQUEST)).toMatchObject({
      kind: "invalid-answer",
      reason: expect.stringContaining("bytes"),
    });
    await until(() => agent.start().pids.every((pid) => !isAlive(pid)));
  });

  it("says how it failed, and when nobody is logged in", async () => {
    expect(await open("fail", "something broke").model.ask(REQUEST)).toMatchObject({
      kind: "unavailable",
      reason: expect.stringContaining("ended with 3: something broke"),
    });
    expect(await open("fail", "Not logged in. Please run /login").model.ask(REQUEST)).toMatchObject({
      kind: "unauthorised",
    });
    expect(await create({ command: `${scratch()}/none`, model: "", environment: {} }).ask(REQUEST)).toMatchObject({
      kind: "unavailable",
      reason: expect.stringContaining("ENOENT"),
    });
  });

  it.each(["", "hello", "{", "[]", '{"response":7}', '{"is_error":true,"result":"out of credit"}'])(
    "survives %j as its output",
    async (output) => {
      expect(["invalid-answer", "unavailable", "answer"]).toContain(
        (await open("answer", output).model.ask(REQUEST)).kind,
      );
    },
  );

  it("starts nothing for a question that was cancelled before", async () => {
    expect(await open("answer", says("{}")).model.ask({ ...REQUEST, signal: AbortSignal.abort() })).toMatchObject({
      kind: "cancelled",
    });
  });
});

describe.skipIf(process.platform === "win32")("what is switched off inside an agent", () => {
  const start = async (create: (options: AgentCliOptions) => Model, output: string) => {
    const agent = fakeAgent(scratch(), "answer", output);
    await create({ command: agent.command, model: "", environment: agent.environment }).ask(REQUEST);
    return agent.start();
  };

  it("of Claude Code: hooks, memory, settings, tools, servers, skills and the transcript", async () => {
    const { argv } = await start(createClaudeCliModel, claudeSays("{}"));
    const after = (option: string) => argv[argv.indexOf(option) + 1];
    expect(argv).toEqual(
      expect.arrayContaining(["-p", "--strict-mcp-config", "--no-session-persistence", "--disable-slash-commands"]),
    );
    expect([after("--tools"), after("--setting-sources")]).toEqual(["", ""]);
    expect(JSON.parse(after("--settings") ?? "")).toEqual({ disableAllHooks: true, autoMemoryEnabled: false });
    expect(JSON.parse(after("--json-schema") ?? "")).toEqual(REQUEST.schema);
    expect(argv).not.toContain("--bare"); // it would not see the person's login
    expect(argv).not.toContain("--model");
  });

  it("of Codex: its configuration, hooks, memories, rules, instructions of projects, and the session file", async () => {
    const { argv, schema } = await start(createCodexCliModel, codexSays("{}"));
    expect(argv.slice(0, 1)).toEqual(["exec"]);
    expect(argv).toEqual(
      expect.arrayContaining([
        "--ephemeral",
        "--ignore-user-config",
        "--ignore-rules",
        "read-only",
        "hooks",
        "memories",
        "project_doc_max_bytes=0",
      ]),
    );
    expect(schema).toEqual(REQUEST.schema);
  });

  it("of Gemini CLI: hooks, servers, extensions, context files and tools", async () => {
    const { argv, settings, input } = await start(createGeminiCliModel, geminiSays("{}"));
    expect(argv).toEqual(
      expect.arrayContaining([
        "--extensions",
        "none",
        "--allowed-mcp-server-names",
        "--skip-trust",
        "--output-format",
        "json",
      ]),
    );
    expect(settings).toMatchObject({
      hooksConfig: { enabled: false },
      context: { fileName: [expect.any(String)] },
      tools: { core: [] },
    });
    expect(input).toContain(JSON.stringify(REQUEST.schema));
  });
});
