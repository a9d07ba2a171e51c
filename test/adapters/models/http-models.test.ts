import { describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../../src/adapters/models/anthropic.ts";
import { createGoogleModel } from "../../../src/adapters/models/google.ts";
import { createOpenAiCompatibleModel, createOpenAiModel } from "../../../src/adapters/models/openai-compatible.ts";
import { httpModelContract, KEY, REQUEST } from "../../contracts/model.ts";
import { fakeProvider, json } from "../../support/fake-provider.ts";

const claude = (text: string, more: object = {}) => ({
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
  usage: { input_tokens: 50, cache_creation_input_tokens: 10, cache_read_input_tokens: 40, output_tokens: 7 },
  ...more,
});
const chat = (message: object, finish: string) => ({
  choices: [{ message, finish_reason: finish }],
  usage: { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 40 } },
});
const gemini = (text: string, finish = "STOP") => ({
  candidates: [{ content: { parts: [{ thought: true, text: "hm" }, { text }] }, finishReason: finish }],
  usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 5, thoughtsTokenCount: 2, cachedContentTokenCount: 40 },
});
const chatCase = {
  written: (text: string) => chat({ content: text }, "stop"),
  refused: chat({ content: null, refusal: "no" }, "stop"),
  cut: chat({ content: '{"names":[' }, "length"),
};

httpModelContract("Anthropic's interface", {
  create: (baseUrl) => createAnthropicModel({ model: "claude-haiku-4-5", key: KEY, baseUrl }),
  written: claude,
  refused: claude("", { stop_reason: "refusal" }),
  cut: claude('{"names":[', { stop_reason: "max_tokens" }),
});
httpModelContract("OpenAI's interface", {
  create: (baseUrl) => createOpenAiModel({ model: "gpt-4.1-mini", key: KEY, baseUrl }),
  ...chatCase,
});
httpModelContract("an OpenAI-compatible server", {
  create: (baseUrl) => createOpenAiCompatibleModel({ provider: "vllm", model: "qwen/qwen3:4b", key: KEY, baseUrl }),
  ...chatCase,
});
httpModelContract("Google's interface", {
  create: (baseUrl) => createGoogleModel({ model: "gemini-2.5-flash-lite", key: KEY, baseUrl }),
  written: gemini,
  refused: { promptFeedback: { blockReason: "SAFETY" } },
  cut: gemini('{"names":[', "MAX_TOKENS"),
});

async function bodyOf(
  create: (baseUrl: string) => ReturnType<typeof createAnthropicModel>,
  change: Partial<typeof REQUEST> = {},
) {
  const provider = await fakeProvider(json({}));
  await create(provider.url).ask({ ...REQUEST, ...change });
  return { body: provider.requests[0]?.body, path: provider.requests[0]?.path, headers: provider.requests[0]?.headers };
}

describe("Anthropic", () => {
  const create = (baseUrl: string) => createAnthropicModel({ model: "claude-haiku-4-5", key: KEY, baseUrl });

  it("marks the stable beginning to be cached and nothing after it", async () => {
    const { body, path, headers } = await bodyOf(create);
    expect(path).toBe("/v1/messages");
    expect(headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
    expect(body).toEqual({
      model: "claude-haiku-4-5",
      max_tokens: 256,
      system: [{ type: "text", text: "Pick the notes." }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "the list", cache_control: { type: "ephemeral" } },
            { type: "text", text: "the prompt" },
          ],
        },
      ],
      // How long an array may be is not said: Anthropic turns such a schema down.
      output_config: {
        format: {
          type: "json_schema",
          schema: {
            ...REQUEST.schema,
            properties: { names: { type: "array", items: { type: "string", enum: ["a.md", "b c.md"] } } },
          },
        },
      },
    });
  });

  it("can mark the system text alone, or nothing", async () => {
    const marked = { type: "text", text: "Pick the notes.", cache_control: { type: "ephemeral" } };
    expect((await bodyOf(create, { cachePrefix: 0 })).body).toMatchObject({
      system: [marked],
      messages: [{ content: [{ type: "text", text: "the list" }, {}] }],
    });
    const provider = await fakeProvider(json({}));
    const { cachePrefix, ...unmarked } = REQUEST;
    await create(provider.url).ask(unmarked);
    expect(cachePrefix).toBe(1);
    expect(JSON.stringify(provider.requests[0]?.body)).not.toContain("cache_control");
  });
});

describe("OpenAI", () => {
  it("asks for a strict schema and for nothing to be kept", async () => {
    const { body, path } = await bodyOf((baseUrl) => createOpenAiModel({ model: "gpt-4.1-mini", key: KEY, baseUrl }));
    expect(path).toBe("/chat/completions");
    expect(body).toEqual({
      model: "gpt-4.1-mini",
      max_completion_tokens: 256,
      store: false,
      messages: [
        { role: "system", content: "Pick the notes." },
        { role: "user", content: "the list" },
        { role: "user", content: "the prompt" },
      ],
      response_format: {
        type: "json_schema",
        json_schema: { name: "chosen_notes", strict: true, schema: REQUEST.schema },
      },
    });
  });

  it.each([
    ["gpt-5-mini", "minimal"],
    ["gpt-5.4-nano", "none"],
    ["gpt-6-luna", "low"],
    ["o4-mini", "low"],
  ])("tells %s to think as little as it can (%s)", async (model, effort) => {
    expect((await bodyOf((baseUrl) => createOpenAiModel({ model, key: KEY, baseUrl }))).body).toMatchObject({
      reasoning_effort: effort,
    });
  });
});

describe("an OpenAI-compatible server", () => {
  it("is asked without a key where there is none", async () => {
    const { headers, body } = await bodyOf((baseUrl) =>
      createOpenAiCompatibleModel({ provider: "ollama", model: "qwen3:4b", key: undefined, baseUrl }),
    );
    expect(headers).not.toHaveProperty("authorization");
    expect(body).toMatchObject({ max_tokens: 256, stream: false, temperature: 0 });
  });

  it("knows whether what it is told stays on this machine", () => {
    const place = (baseUrl: string) =>
      createOpenAiCompatibleModel({ provider: "ollama", model: "m", key: undefined, baseUrl }).place;
    expect(["http://127.0.0.1:1/v1", "http://localhost/v1", "http://[::1]:8/v1"].map(place)).toEqual([
      "machine",
      "machine",
      "machine",
    ]);
    expect(
      ["http://127.0.0.1.example.com/v1", "http://192.168.1.5/v1", "http://localhost.example/v1", "nonsense"].map(
        place,
      ),
    ).toEqual(["network", "network", "network", "network"]);
  });

  it("asks whether the server runs when nobody listens", async () => {
    expect(
      await createOpenAiCompatibleModel({
        provider: "ollama",
        model: "m",
        key: undefined,
        baseUrl: "http://127.0.0.1:2/v1",
      }).ask(REQUEST),
    ).toMatchObject({ reason: expect.stringContaining("is ollama running at") });
  });
});

describe("Google", () => {
  it("asks without thinking, in Google's own words for a schema", async () => {
    const { body, path, headers } = await bodyOf((baseUrl) =>
      createGoogleModel({ model: "gemini-2.5-flash-lite", key: KEY, baseUrl }),
    );
    expect(path).toBe("/v1beta/models/gemini-2.5-flash-lite:generateContent");
    expect(headers).toMatchObject({ "x-goog-api-key": KEY });
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: "Pick the notes." }] },
      contents: [{ role: "user", parts: [{ text: "the list" }, { text: "the prompt" }] }],
      generationConfig: {
        maxOutputTokens: 256,
        responseMimeType: "application/json",
        thinkingConfig: { thinkingBudget: 0 },
        responseSchema: {
          type: "object",
          properties: { names: { type: "array", items: { type: "string", enum: ["a.md", "b c.md"] }, maxItems: 5 } },
          required: ["names"],
        },
      },
    });
  });

  it("asks again without the list of names when Google finds the schema too large", async () => {
    const provider = await fakeProvider((response, attempt) =>
      (attempt === 1
        ? json({ error: { message: "too many states for serving" } }, 400)
        : json(gemini('{"names":["a.md"]}')))(response, attempt),
    );
    const result = await createGoogleModel({ model: "gemini-2.5-flash", key: KEY, baseUrl: provider.url }).ask(REQUEST);
    expect(result).toMatchObject({ kind: "answer", value: { names: ["a.md"] } });
    expect(provider.requests.map(({ body }) => JSON.stringify(body).includes("enum"))).toEqual([true, false]);
  });
});
