import { describe, expect, it } from "vitest";
import type { Model, ModelRequest, ModelResult } from "../../src/core/models/model.ts";
import { fakeProvider, json, type FakeProvider, type Respond } from "../support/fake-provider.ts";

/** Joined from parts so that no scanner takes it for a secret. */
export const KEY = ["key", "of", "a", "test"].join("-");

export const REQUEST: ModelRequest = {
  purpose: "test",
  system: "Pick the notes.",
  messages: [
    { role: "user", text: "the list" },
    { role: "user", text: "the prompt" },
  ],
  cachePrefix: 1,
  schema: {
    type: "object",
    properties: { names: { type: "array", items: { type: "string", enum: ["a.md", "b c.md"] }, maxItems: 5 } },
    required: ["names"],
    additionalProperties: false,
  },
  schemaName: "chosen_notes",
  maxOutputTokens: 256,
  timeoutMs: 5000,
};

export interface HttpModelCase {
  create(baseUrl: string): Model;
  /** What the provider sends when the model wrote `text`: 100 tokens in, 40 of them cached, 7 out. */
  written(text: string): unknown;
  readonly refused: unknown;
  readonly cut: unknown;
}

/** What every model behind HTTP does, whoever's interface it speaks. */
export function httpModelContract(name: string, one: HttpModelCase): void {
  const ask = async (
    respond: Respond,
    change: Partial<ModelRequest> = {},
  ): Promise<{ readonly result: ModelResult; readonly provider: FakeProvider }> => {
    const provider = await fakeProvider(respond);
    return { result: await one.create(provider.url).ask({ ...REQUEST, ...change }), provider };
  };
  describe(`a model behind ${name}`, () => {
    it("gives the parsed answer with what it took", async () => {
      const { result, provider } = await ask(json(one.written('{"names":["b c.md"]}')));
      expect(result).toMatchObject({
        kind: "answer",
        value: { names: ["b c.md"] },
        usage: { inputTokens: 100, outputTokens: 7, cachedTokens: 40 },
      });
      expect(result.ms).toBeGreaterThan(0);
      expect(provider.requests).toHaveLength(1);
      expect(JSON.stringify(provider.requests[0]?.headers)).toContain(KEY);
      expect(JSON.stringify(provider.requests[0]?.body)).not.toContain(KEY);
      expect(provider.requests[0]?.path).not.toContain(KEY);
    });

    it("sends the schema with the names themselves and the limit of output", async () => {
      const { provider } = await ask(json(one.written("{}")));
      const body = JSON.stringify(provider.requests[0]?.body);
      expect(body).toContain('"enum":["a.md","b c.md"]');
      expect(body).toMatch(/"(?:max_tokens|max_completion_tokens|maxOutputTokens)":256/u);
    });

    it("takes JSON out of a fence", async () => {
      expect((await ask(json(one.written('```json\n{"names":[]}\n```')))).result).toMatchObject({
        kind: "answer",
        value: { names: [] },
      });
    });

    it.each(["I would pick a.md", '{"names":["a.md"', "", "7", "null"])(
      "says that %j is no answer, and what it cost",
      async (text) => {
        expect((await ask(json(one.written(text)))).result).toMatchObject({
          kind: "invalid-answer",
          usage: { outputTokens: 7 },
        });
      },
    );

    it("tells a refusal and a cut answer apart from an answer", async () => {
      expect((await ask(json(one.refused))).result).toMatchObject({ kind: "refused" });
      expect((await ask(json(one.cut))).result).toMatchObject({
        kind: "invalid-answer",
        reason: expect.stringContaining("cut off"),
      });
    });

    failures(ask);
    oddAnswers(ask, one);
    interruptions(ask, one);
  });
}

type Ask = (
  respond: Respond,
  change?: Partial<ModelRequest>,
) => Promise<{ readonly result: ModelResult; readonly provider: FakeProvider }>;

/** What the provider answers with an error. */
function failures(ask: Ask): void {
  it.each([401, 403])(
    "calls HTTP %d unauthorised and repeats nothing of what the provider said about the key",
    async (status) => {
      const { result } = await ask(json({ error: { message: `Incorrect key: ${KEY}` } }, status));
      expect(result).toMatchObject({ kind: "unauthorised" });
      expect(JSON.stringify(result)).not.toContain(KEY);
    },
  );

  it("passes on how long to wait when it asked too often", async () => {
    expect((await ask(json({ error: { message: "slow down" } }, 429, { "retry-after": "7" }))).result).toMatchObject({
      kind: "rate-limited",
      retryAfterMs: 7000,
      reason: expect.stringContaining("slow down"),
    });
    expect((await ask(json({}, 429, { "retry-after-ms": "40" }))).result).toMatchObject({
      kind: "rate-limited",
      retryAfterMs: 40,
    });
    expect((await ask(json({}, 429))).result).toMatchObject({ kind: "rate-limited", retryAfterMs: 0 });
    expect((await ask(json({}, 429, { "retry-after": "soon" }))).result).toMatchObject({
      kind: "rate-limited",
      retryAfterMs: 0,
    });
  });

  it("masks the key in any other message of the provider", async () => {
    const { result } = await ask(json({ error: { message: `bad request with ${KEY}` } }, 422));
    expect(result).toMatchObject({ kind: "unavailable", reason: expect.stringContaining("bad request with (key)") });
    expect(result).not.toHaveProperty("retryAfterMs");
  });

  it("may ask again after a fault of the server, not after its own", async () => {
    for (const status of [500, 502, 503, 529])
      expect((await ask(json({}, status))).result).toMatchObject({
        kind: "unavailable",
        reason: expect.stringContaining(`HTTP ${status}`),
        retryAfterMs: 0,
      });
    expect((await ask(json({}, 529, { "retry-after": "3" }))).result).toMatchObject({ retryAfterMs: 3000 });
    expect((await ask(json({}, 404))).result).not.toHaveProperty("retryAfterMs");
  });

  it("does not follow a redirect with its key", async () => {
    const elsewhere = await fakeProvider(json({}));
    expect((await ask(json({}, 307, { location: elsewhere.url }))).result.kind).toBe("unavailable");
    expect(elsewhere.requests).toEqual([]);
  });

  it.each(["", "<html>", "{", "[1", '"text"'])("survives %j in the place of JSON", async (text) => {
    expect((await ask((response) => response.end(text))).result.kind).toBe("invalid-answer");
  });
}

/** Time, size, cancellation and an address where nobody answers. */
function interruptions(ask: Ask, one: HttpModelCase): void {
  it("gives up after its time and closes the connection", async () => {
    const { result, provider } = await ask(() => undefined, { timeoutMs: 80 });
    expect(result).toMatchObject({ kind: "timeout" });
    await provider.requests[0]?.closed;
  });

  it("gives up on an answer that trickles without end", async () => {
    const { result, provider } = await ask((response) => trickle(response), { timeoutMs: 120 });
    expect(result).toMatchObject({ kind: "timeout" });
    await provider.requests[0]?.closed;
  });

  it("closes the connection on an answer that is far too long", async () => {
    const { result, provider } = await ask((response) => flood(response));
    expect(result).toMatchObject({ kind: "invalid-answer", reason: expect.stringContaining("bytes") });
    await provider.requests[0]?.closed;
  });

  it("ends at once when it is cancelled, and closes the connection", async () => {
    const controller = new AbortController();
    const { result, provider } = await ask(() => controller.abort(), { signal: controller.signal });
    expect(result).toMatchObject({ kind: "cancelled" });
    await provider.requests[0]?.closed;
  });

  it("sends nothing when it was cancelled before", async () => {
    const { result, provider } = await ask(json({}), { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ kind: "cancelled" });
    expect(provider.requests).toEqual([]);
  });

  it("says where it could not get through", async () => {
    expect(await one.create("http://127.0.0.1:2").ask(REQUEST)).toMatchObject({
      kind: "unavailable",
      reason: expect.stringContaining("127.0.0.1:2"),
      retryAfterMs: 0,
    });
  });
}

function oddAnswers(ask: Ask, one: HttpModelCase): void {
  it.each(["text/html", "text/event-stream", "application/octet-stream"])(
    "goes by what is in an answer that calls itself %s",
    async (type) => {
      const send =
        (text: string): Respond =>
        (response) => {
          response.writeHead(200, { "content-type": type });
          response.end(text);
        };
      expect((await ask(send(JSON.stringify(one.written('{"names":[]}'))))).result.kind).toBe("answer");
      expect((await ask(send("data: {}\n\n"))).result).toMatchObject({
        kind: "invalid-answer",
        reason: expect.stringContaining("did not answer with JSON"),
      });
    },
  );

  it("never says its key, whatever comes back", async () => {
    for (const status of [200, 400, 401, 403, 404, 422, 429, 500, 529]) {
      for (const body of [
        KEY,
        JSON.stringify({ error: KEY }),
        JSON.stringify({ error: { message: `${KEY} ${KEY}` } }),
      ]) {
        const { result } = await ask((response) => {
          response.writeHead(status, { "content-type": "application/json" });
          response.end(body);
        });
        expect(JSON.stringify(result), `${status} ${body}`).not.toContain(KEY);
      }
    }
  });
}

function trickle(response: Parameters<Respond>[0]): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
}

function flood(response: Parameters<Respond>[0]): void {
  const part = "x".repeat(1 << 16);
  const more = (): void => {
    while (!response.destroyed && response.write(part));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}
