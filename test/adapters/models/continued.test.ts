import { describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../../src/adapters/models/anthropic.ts";
import { createGoogleModel } from "../../../src/adapters/models/google.ts";
import { createOpenAiCompatibleModel, createOpenAiModel } from "../../../src/adapters/models/openai-compatible.ts";
import { extractMemories, type Extraction } from "../../../src/core/capture/extract/extract.ts";
import type { Model, ParentRequest } from "../../../src/core/models/model.ts";
import { KEY } from "../../contracts/model.ts";
import { cachingProvider } from "../../support/caching-provider.ts";
import { deps, sessionOf } from "../../core/capture/session.ts";

const WORDS = "Please from now on squash every merge.";
const LONG = "The project has many parts, and each has a reason. ".repeat(400);
const FOUND = JSON.stringify({
  look: [],
  operations: [
    {
      action: "create",
      note: "",
      type: "feedback",
      name: "squash",
      description: "Squash merges",
      rule: "Use squash merges.",
      why: "",
      how: "",
      message: "u1",
      quote: "from now on squash every merge",
    },
  ],
});
const LOOKS = JSON.stringify({ look: [{ tool: "note", argument: "old" }], operations: [] });

const marked = { cache_control: { type: "ephemeral" } };
const TOOLS = [{ name: "bash", description: "runs", input_schema: { type: "object", properties: {} } }];
const claude: ParentRequest = {
  provider: "anthropic",
  request: {
    model: "claude-sonnet-4-5",
    max_tokens: 8000,
    stream: true,
    temperature: 1,
    thinking: { type: "enabled", budget_tokens: 2000 },
    tools: TOOLS,
    tool_choice: { type: "auto" },
    system: [{ type: "text", text: LONG, ...marked }],
    messages: [
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
      { role: "user", content: [{ type: "text", text: WORDS, ...marked }] },
    ],
  },
};
const chat: ParentRequest = {
  provider: "openai",
  request: {
    model: "gpt-5.1",
    stream: true,
    stream_options: { include_usage: true },
    tools: [{ type: "function", function: { name: "bash", parameters: {} } }],
    messages: [
      { role: "system", content: LONG },
      { role: "assistant", content: "Done." },
      { role: "user", content: WORDS },
    ],
  },
};

const transcript = sessionOf([WORDS]);
const extract = (model: Model, parent: ParentRequest): Promise<Extraction> =>
  extractMemories(
    { transcript, turns: transcript.turns, existing: [], instructions: "" },
    { ...deps, model, parent, now: () => 0, tools: { look: () => Promise.resolve("there is no such note") } },
  );

/** What the agent itself sends first, so that the cache is warm. */
async function warm(url: string, body: unknown): Promise<void> {
  await fetch(url, { method: "POST", body: JSON.stringify(body) });
}

describe("a capture that continues the agent's own request", () => {
  const cases = [
    [
      "Anthropic",
      "anthropic",
      claude,
      (url: string) => createAnthropicModel({ model: "claude-sonnet-4-5", key: KEY, baseUrl: url }),
    ],
    ["OpenAI", "openai", chat, (url: string) => createOpenAiModel({ model: "gpt-5.1", key: KEY, baseUrl: url })],
    [
      "a compatible server",
      "openai",
      chat,
      (url: string) => createOpenAiCompatibleModel({ provider: "vllm", model: "gpt-5.1", key: KEY, baseUrl: url }),
    ],
  ] as const;

  it.each(cases)(
    "finds everything before it in the cache of %s, also in its second step",
    async (_name, kind, parent, create) => {
      const provider = await cachingProvider(kind, ["{}", LOOKS, FOUND]);
      await warm(provider.url, parent.request);
      const result = await extract(create(provider.url), parent);
      expect(result).toMatchObject({
        kind: "plan",
        steps: 2,
        plan: { operations: [{ kind: "create", draft: { body: "Use squash merges." } }] },
      });
      const parentTokens = Math.floor(LONG.length / 4);
      expect(provider.cached[1]).toBeGreaterThan(parentTokens - 128);
      expect(provider.cached[2]).toBeGreaterThan(parentTokens - 128);
      expect(result.usage.cachedTokens).toBe((provider.cached[1] ?? 0) + (provider.cached[2] ?? 0));
    },
  );

  it.each(cases)(
    "keeps the beginning byte for byte and appends one message of the user: %s",
    async (_name, kind, parent, create) => {
      const provider = await cachingProvider(kind, [FOUND]);
      await extract(create(provider.url), parent);
      const sent = Object(provider.requests[0]?.body);
      const before = JSON.stringify(parent.request["messages"]);
      expect(JSON.stringify(sent.messages).startsWith(before.slice(0, -1))).toBe(true);
      for (const part of ["model", "system", "tools", "thinking"])
        expect(JSON.stringify(sent[part])).toBe(JSON.stringify(parent.request[part]));
      expect(sent.messages).toHaveLength(Object(parent.request["messages"]).length + 1);
      expect(sent.messages.at(-1).role).toBe("user");
      const said = JSON.stringify(sent.messages.at(-1));
      expect(said).toContain("no tool may be called");
      expect(said).toContain("[u1] Please from now on squash every merge.");
      expect([sent.stream ?? false, sent.response_format, sent.stream_options]).toEqual([false, undefined, undefined]);
    },
  );

  it("would lose the cache with a schema or another choice of tools, which is why it sends neither", async () => {
    const provider = await cachingProvider("anthropic", ["{}"]);
    await warm(provider.url, claude.request);
    await warm(provider.url, { ...claude.request, output_config: { format: { type: "json_schema", schema: {} } } });
    await warm(provider.url, { ...claude.request, tool_choice: { type: "none" } });
    await warm(provider.url, claude.request);
    const [, schema = -1, choice = -1, same = -1] = provider.cached;
    expect(schema).toBe(0);
    expect(choice).toBeLessThan(same);
  });

  it("leaves room to think within the limit of output", async () => {
    const provider = await cachingProvider("anthropic", [FOUND]);
    await extract(createAnthropicModel({ model: "claude-sonnet-4-5", key: KEY, baseUrl: provider.url }), claude);
    expect(Object(provider.requests[0]?.body).max_tokens).toBe(4096 + 2000);
  });

  it("does without it where the model is another provider's, or the request ends in an open tool call", async () => {
    const provider = await cachingProvider("openai", [FOUND]);
    const other = createOpenAiModel({ model: "gpt-5.1", key: KEY, baseUrl: provider.url });
    expect(await extract(other, claude)).toMatchObject({ kind: "plan" });
    const open: ParentRequest = {
      provider: "openai",
      request: { ...chat.request, messages: [{ role: "assistant", content: null, tool_calls: [{ id: "1" }] }] },
    };
    expect(await extract(other, open)).toMatchObject({ kind: "plan" });
    for (const { body } of provider.requests) expect(JSON.stringify(body)).not.toContain("The project has many parts");
    expect(createGoogleModel({ model: "gemini-2.5-flash", key: KEY, baseUrl: provider.url }).continues).toBeUndefined();
  });

  it("calls a tool call no answer", async () => {
    const provider = await cachingProvider("anthropic", ["Let me look at that."]);
    expect(
      await extract(createAnthropicModel({ model: "claude-sonnet-4-5", key: KEY, baseUrl: provider.url }), claude),
    ).toMatchObject({ kind: "failed", reason: "invalid-answer" });
  });
});
