import { describe, expect, it } from "vitest";
import { createEmbedder } from "../../../src/adapters/models/embeddings.ts";
import { fakeProvider, json } from "../../support/fake-provider.ts";

const KEY = ["sk", "test", "not", "a", "key"].join("-");
const embed = async (
  body: unknown,
  texts: readonly string[] = ["one", "two"],
  more: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
) => {
  const server = await fakeProvider(json(body));
  const result = await createEmbedder({ provider: "ollama", model: "nomic", key: KEY, baseUrl: server.url }).embed({
    purpose: "recall",
    texts,
    timeoutMs: 2000,
    ...more,
  });
  return { result, requests: server.requests };
};

describe("a server's embeddings", () => {
  it("are asked for as OpenAI's interface has it, and put in the order of the texts", async () => {
    const { result, requests } = await embed({
      data: [
        { index: 1, embedding: [0, 1] },
        { index: 0, embedding: [1, 0] },
      ],
      usage: { prompt_tokens: 4 },
    });
    expect(result).toMatchObject({ kind: "vectors", usage: { inputTokens: 4 } });
    expect(result.kind === "vectors" && result.vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(requests[0]).toMatchObject({
      path: "/embeddings",
      body: { model: "nomic", input: ["one", "two"], encoding_format: "float" },
    });
    expect(requests[0]?.headers["authorization"]).toBe(`Bearer ${KEY}`);
  });

  it.each([
    ["too few", { data: [{ index: 0, embedding: [1] }] }],
    [
      "twice the same text's",
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [2] },
        ],
      },
    ],
    [
      "no numbers",
      {
        data: [
          { index: 0, embedding: ["a"] },
          { index: 1, embedding: [1] },
        ],
      },
    ],
    [
      "of different lengths",
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 1, embedding: [1, 2] },
        ],
      },
    ],
    [
      "empty",
      {
        data: [
          { index: 0, embedding: [] },
          { index: 1, embedding: [] },
        ],
      },
    ],
    ["not there", { ok: true }],
  ])("are refused when they are %s", async (_, body) => {
    expect((await embed(body)).result).toMatchObject({ kind: "invalid-answer" });
  });

  it("that do not come are a failure with a reason, never a rejection", async () => {
    const gone = await createEmbedder({
      provider: "ollama",
      model: "nomic",
      key: "",
      baseUrl: "http://127.0.0.1:9",
    }).embed({ purpose: "recall", texts: ["one"], timeoutMs: 2000 });
    expect(gone).toMatchObject({ kind: "unavailable" });
    expect((await embed({}, ["one"], { signal: AbortSignal.abort() })).result).toMatchObject({ kind: "cancelled" });
  });

  it("know whether what is sent leaves the machine", () => {
    const place = (baseUrl: string): string =>
      createEmbedder({ provider: "compatible", model: "m", key: "", baseUrl }).place;
    expect([place("http://127.0.0.1:11434/v1"), place("http://embeddings.example/v1")]).toEqual(["machine", "network"]);
  });
});
