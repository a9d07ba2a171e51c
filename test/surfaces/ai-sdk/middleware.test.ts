import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from "ai";
import { MockLanguageModelV3, simulateReadableStream } from "ai/test";
import { beforeEach, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../../../src/index.ts";
import { memoryMiddleware, type MemoryMiddlewareOptions } from "../../../src/surfaces/ai-sdk/middleware.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const STOP = { unified: "stop" as const, raw: undefined };
const CALLS = { unified: "tool-calls" as const, raw: undefined };

let memory: Memory;

beforeEach(async () => {
  const root = scratch();
  memory = openMemory({ cwd: root, environment: emptyHome(root) });
  await memory.remember({
    type: "feedback",
    name: "no mocks",
    body: "Integration tests use the postgres container, never mocks.",
  });
  return () => memory.close();
});

function answering(text: string): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doGenerate: async () => ({ content: [{ type: "text", text }], finishReason: STOP, usage: USAGE, warnings: [] }),
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: "stream-start", warnings: [] },
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: text },
          { type: "text-end", id: "1" },
          { type: "finish", finishReason: STOP, usage: USAGE },
        ],
      }),
    }),
  });
}

const wrap = (model: MockLanguageModelV3, options: Partial<MemoryMiddlewareOptions> = {}) =>
  wrapLanguageModel({ model, middleware: memoryMiddleware({ memory, session: "chat-1", ...options }) });

describe("memory for the AI SDK", () => {
  it("puts what helps before the person's words, fenced as data", async () => {
    const model = answering("Done.");
    await generateText({ model: wrap(model), system: "Be brief.", prompt: "write integration tests for the importer" });
    const [call] = model.doGenerateCalls;
    expect(call?.prompt.map(({ role }) => role)).toEqual(["system", "user", "user"]);
    expect(JSON.stringify(call?.prompt[1])).toMatch(/memdir-context.*never mocks/u);
    expect(JSON.stringify(call?.prompt[2])).toContain("importer");
  });

  it("puts it after the system message where that is wished, and nowhere when nothing helps", async () => {
    const model = answering("Done.");
    await generateText({
      model: wrap(model, { place: "system" }),
      system: "Be brief.",
      prompt: "write integration tests for the importer",
    });
    expect(model.doGenerateCalls[0]?.prompt.map(({ role }) => role)).toEqual(["system", "system", "user"]);
    await generateText({ model: wrap(model), prompt: "paint the garden fence" });
    expect(model.doGenerateCalls[1]?.prompt).toHaveLength(1);
  });

  it("captures what the person asked to remember when the answer is there", async () => {
    await generateText({
      model: wrap(answering("Understood.")),
      prompt: "Remember that releases are cut on Thursdays by ann.",
    });
    expect(
      memory
        .list()
        .map(({ entry }) => entry.description)
        .join("\n"),
    ).toContain("Thursdays");
    expect(memory.list()).toHaveLength(2);
  });

  it("captures after a stream too, and passes the stream on as it is", async () => {
    const { textStream } = streamText({
      model: wrap(answering("Understood.")),
      prompt: "Remember that releases are cut on Thursdays by ann.",
    });
    let said = "";
    for await (const part of textStream) said += part;
    expect(said).toBe("Understood.");
    expect(memory.list()).toHaveLength(2);
  });

  it("captures nothing where that is wished, and never what memory itself said", async () => {
    await generateText({
      model: wrap(answering("Understood."), { capture: false }),
      prompt: "Remember that releases are cut on Thursdays by ann.",
    });
    await generateText({ model: wrap(answering("As noted.")), prompt: "write integration tests for the importer" });
    expect(memory.list()).toHaveLength(1);
  });

  it.each(["manual", "recall-only", "off"])(
    "captures nothing in mode %s, and warns of nothing: nobody asked for it",
    async (mode) => {
      const root = scratch();
      const quiet = openMemory({ cwd: root, environment: { ...emptyHome(root), MEMDIR_MODE: mode } });
      const told: string[] = [];
      await generateText({
        model: wrap(answering("Understood."), { memory: quiet, onError: ({ message }) => told.push(message) }),
        prompt: "Remember that releases are cut on Thursdays by ann.",
      });
      expect(told).toEqual([]);
      await quiet.close();
      const noted = openMemory({ cwd: root, environment: emptyHome(root) });
      expect(noted.list()).toEqual([]);
      await noted.close();
    },
  );

  it("gives every step of a turn the same notes and captures once the turn is over", async () => {
    let step = 0;
    const captured: number[] = [];
    const model = new MockLanguageModelV3({
      doGenerate: async () =>
        ++step === 1
          ? {
              content: [{ type: "tool-call", toolCallId: "1", toolName: "look", input: "{}" }],
              finishReason: CALLS,
              usage: USAGE,
              warnings: [],
            }
          : { content: [{ type: "text", text: "Done." }], finishReason: STOP, usage: USAGE, warnings: [] },
    });
    const watched: MemoryMiddlewareOptions["memory"] = {
      recall: (...asked) => memory.recall(...asked),
      capture: (...asked) => (captured.push(step), memory.capture(...asked)),
    };
    await generateText({
      model: wrap(model, { memory: watched }),
      prompt: "write integration tests for the importer",
      tools: {
        look: tool({ inputSchema: jsonSchema({ type: "object", properties: {} }), execute: async () => "seen" }),
      },
      stopWhen: stepCountIs(3),
    });
    expect(model.doGenerateCalls).toHaveLength(2);
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt[0])).toBe(
      JSON.stringify(model.doGenerateCalls[0]?.prompt[0]),
    );
    expect(captured).toEqual([2]);
  });

  it("asks the model all the same when memory fails, and tells it", async () => {
    const told: string[] = [];
    const broken: MemoryMiddlewareOptions["memory"] = {
      recall: () => {
        throw new Error("the disk is gone");
      },
      capture: () => Promise.reject(new Error("still gone")),
    };
    const { text } = await generateText({
      model: wrap(answering("Done."), { memory: broken, onError: ({ message }) => told.push(message) }),
      prompt: "write tests",
    });
    expect(text).toBe("Done.");
    expect(told).toEqual(["the disk is gone", "still gone"]);
  });
});
