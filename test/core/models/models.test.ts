import { describe, expect, it } from "vitest";
import { withBudget, withRetries } from "../../../src/core/models/budgeted.ts";
import { type ModelResult, parseModelName, shownModel } from "../../../src/core/models/model.ts";
import {
  dollarsOf,
  priceOf,
  type Budget,
  DEFAULT_BUDGET,
  type SpendEntry,
  type SpendLedger,
  spentToday,
  sumSpend,
} from "../../../src/core/models/spend.ts";
import { MemoryError } from "../../../src/core/shared/errors.ts";
import { REQUEST } from "../../contracts/model.ts";
import { answer, scriptedModel } from "../../support/models.ts";

describe("the name of a model", () => {
  it("is a provider and what the provider calls it, slashes and colons included", () => {
    expect(parseModelName("ollama/hf.co/org/model:4b")).toEqual({ provider: "ollama", model: "hf.co/org/model:4b" });
    expect(parseModelName(" Anthropic/claude-haiku-4-5 ")).toEqual({
      provider: "anthropic",
      model: "claude-haiku-4-5",
    });
    expect(shownModel(parseModelName("codex-cli"))).toBe("codex-cli");
  });

  it.each(["", "/", "gpt-4", "claude/haiku", "openai/a b", "claude-cli/--dangerous", "openai/$(x)"])(
    "is not %j",
    (text) => {
      expect(() => parseModelName(text)).toThrow(MemoryError);
    },
  );
});

describe("the price of a request", () => {
  it("counts cached input at its own price and takes the provider's word where it gives one", () => {
    const price = priceOf("anthropic/claude-haiku-4-5-20251001", "network");
    expect(price.known).toBe(true);
    expect(dollarsOf({ inputTokens: 9000, outputTokens: 60, cachedTokens: 8000 }, price)).toBeCloseTo(0.0021, 6);
    expect(dollarsOf({ inputTokens: 9000, outputTokens: 60, cachedTokens: 0, dollars: 0.5 }, price)).toBe(0.5);
  });

  it("is nothing on one's own machine and out of a subscription, dear where it is not known, and as set where it is set", () => {
    expect(priceOf("ollama/qwen3:4b", "machine").input).toBe(0);
    expect(priceOf("vllm/qwen3", "network").input).toBe(0);
    expect(priceOf("claude-cli/haiku", "network").output).toBe(0);
    expect(priceOf("openai/gpt-99", "network")).toEqual({ input: 5, output: 25, cached: 5, known: false });
    expect(priceOf("openai/gpt-4.1-mini-2025-04-14", "network").input).toBe(0.4);
    expect(
      priceOf("openai/gpt-99", "network", {
        openai: { input: 9, output: 9, cached: 9 },
        "openai/gpt-99": { input: 1, output: 2, cached: 0 },
      }),
    ).toMatchObject({ input: 1, known: true });
  });
});

function ledger(): SpendLedger & { readonly entries: SpendEntry[] } {
  const entries: SpendEntry[] = [];
  return {
    entries,
    append: (entry) => void entries.push(entry),
    since: (ms) => entries.filter(({ time }) => time >= ms),
  };
}

function budgeted(budget: Partial<Budget>, model = scriptedModel([answer({})])) {
  const book = ledger();
  const clock = { now: () => now, timeZone: "Europe/Prague" };
  let now = Date.parse("2026-03-02T09:00:00Z");
  let ids = 0;
  const price = { input: 1, output: 5, cached: 0.1 };
  return {
    book,
    model,
    at: (time: string) => (now = Date.parse(time)),
    asked: withBudget(model, {
      ledger: book,
      budget: { ...DEFAULT_BUDGET, ...budget },
      price,
      clock,
      newId: () => `id-${++ids}`,
    }),
  };
}

describe("a model within a budget", () => {
  it("writes down that a request begins before it is sent, and what it took", async () => {
    const { book, asked } = budgeted({});
    await asked.ask(REQUEST);
    expect(book.entries).toMatchObject([
      { id: "id-1", state: "begun", purpose: "test" },
      { id: "id-1", state: "answer", inputTokens: 1000, cachedTokens: 400, ms: 250, dollars: 0.00074 },
    ]);
    expect(JSON.stringify(book.entries)).not.toContain("the prompt");
  });

  it.each([
    ["requests", 2],
    ["tokens", 2000],
    ["seconds", 0.5],
    ["dollars", 0.001],
  ] as const)("sends nothing more once the day's %s are spent, and goes on the next day", async (limit, most) => {
    const { asked, model, at } = budgeted({ [limit]: most });
    for (let i = 0; i < 5; i++) await asked.ask(REQUEST);
    expect(model.requests).toHaveLength(2);
    expect(await asked.ask(REQUEST)).toMatchObject({ kind: "over-budget", reason: expect.stringContaining(limit) });
    at("2026-03-02T22:30:00Z"); // the 2nd in London, the 3rd in Prague
    at("2026-03-02T23:00:01Z");
    expect(await asked.ask(REQUEST)).toMatchObject({ kind: "answer" });
  });

  it("asks nobody with a budget of nothing", async () => {
    const { asked, model } = budgeted({ requests: 0 });
    expect(await asked.ask(REQUEST)).toMatchObject({ kind: "over-budget" });
    expect(model.requests).toEqual([]);
  });

  it("counts failed requests with what they took", async () => {
    const failed: ModelResult = {
      kind: "invalid-answer",
      reason: "no",
      ms: 10,
      usage: { inputTokens: 5, outputTokens: 6, cachedTokens: 0 },
    };
    const { asked, book } = budgeted({}, scriptedModel([failed]));
    await asked.ask(REQUEST);
    expect(sumSpend(book.entries)).toMatchObject({ requests: 1, tokens: 11, unfinished: 0 });
  });

  it("spends nothing that it cannot write down", async () => {
    const { model } = budgeted({});
    const full: SpendLedger = {
      since: () => [],
      append: () => {
        throw new MemoryError("disk-full", "the disk is full");
      },
    };
    const asked = withBudget(model, {
      ledger: full,
      budget: DEFAULT_BUDGET,
      price: { input: 1, output: 1, cached: 1 },
      clock: { now: () => 0, timeZone: "UTC" },
      newId: () => "x",
    });
    expect(await asked.ask(REQUEST)).toMatchObject({
      kind: "over-budget",
      reason: expect.stringContaining("the disk is full"),
    });
    expect(model.requests).toEqual([]);
  });

  it("shows a request whose process was killed", () => {
    const { book } = budgeted({});
    book.append({
      id: "lost",
      time: Date.parse("2026-03-02T08:00:00Z"),
      model: "m",
      purpose: "recall",
      state: "begun",
      ms: 0,
      dollars: 0,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
    });
    expect(spentToday(book, Date.parse("2026-03-02T09:00:00Z"), "Europe/Prague")).toMatchObject({
      requests: 1,
      unfinished: 1,
    });
  });
});

const limited = (retryAfterMs: number): ModelResult => ({
  kind: "rate-limited",
  reason: "slow down",
  ms: 1,
  retryAfterMs,
});

function retried(answers: Parameters<typeof scriptedModel>[0], attempts?: number) {
  const model = scriptedModel(answers);
  const waits: number[] = [];
  let now = 0;
  const options = {
    clock: { now: () => now },
    random: () => 0.5,
    wait: async (ms: number) => {
      waits.push(ms);
      now += ms;
    },
    ...(attempts === undefined ? {} : { attempts }),
  };
  return { model, waits, asked: withRetries(model, options) };
}

describe("a model that is asked again", () => {
  it("waits as long as it was told, then longer each time by a part left to chance", async () => {
    const { asked, waits } = retried([limited(700), limited(0), answer({})]);
    expect(await asked.ask(REQUEST)).toMatchObject({ kind: "answer", ms: 1075 });
    expect(waits).toEqual([700, 375]);
  });

  it("gives up after three requests", async () => {
    const { asked, model } = retried([limited(0)]);
    expect(await asked.ask(REQUEST)).toMatchObject({ kind: "rate-limited" });
    expect(model.requests).toHaveLength(3);
  });

  it("does not wait past the time it has, and gives each request what is left of it", async () => {
    const late = retried([limited(6000), answer({})]);
    expect(await late.asked.ask(REQUEST)).toMatchObject({ kind: "rate-limited" });
    expect(late.waits).toEqual([]);
    const { asked, model } = retried([limited(700), answer({})]);
    await asked.ask(REQUEST);
    expect(model.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([5000, 4300]);
  });

  it.each(["refused", "timeout", "unauthorised", "invalid-answer", "over-budget", "cancelled"] as const)(
    "does not repeat what was %s",
    async (kind) => {
      const { asked, model } = retried([{ kind, reason: "no", ms: 1 }]);
      await asked.ask(REQUEST);
      expect(model.requests).toHaveLength(1);
    },
  );

  it("stops waiting when it is cancelled", async () => {
    const controller = new AbortController();
    const model = scriptedModel([limited(10), answer({})]);
    const asked = withRetries(model, {
      clock: { now: () => 0 },
      random: () => 0,
      wait: async () => controller.abort(),
    });
    expect(await asked.ask({ ...REQUEST, signal: controller.signal })).toMatchObject({ kind: "cancelled" });
    expect(model.requests).toHaveLength(1);
  });
});
