import { fakeProvider, type FakeProvider } from "./fake-provider.ts";

/** A provider that counts cached tokens by the published rules; a token is four characters. */
export interface CachingProvider extends FakeProvider {
  /** Cached tokens of each request, in order. */
  readonly cached: readonly number[];
}

type Body = Readonly<Record<string, unknown>>;
type Rules = (body: Body) => {
  readonly parts: readonly string[];
  readonly stored: readonly number[];
  readonly exact: boolean;
};

const tokens = (text: string): number => Math.floor(text.length / 4);
const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/**
 * Tools, system text and messages, block by block; a prefix is cached at each `cache_control`. Thinking and the choice
 * of tools belong to the messages, a schema to everything.
 */
const anthropicRules: Rules = (body) => {
  const format = JSON.stringify(Object(body["output_config"]).format ?? null);
  const settings = JSON.stringify([body["thinking"] ?? null, body["tool_choice"] ?? null]);
  const blocks: unknown[] = [...list(body["tools"]), ...list(body["system"])];
  const own = list(body["messages"]).flatMap((message) => {
    const { role, content } = Object(message);
    return (typeof content === "string" ? [{ type: "text", text: content }] : list(content)).map((block, index) =>
      index === 0 ? { role, ...Object(block) } : block,
    );
  });
  const plain = (block: unknown): string => {
    return JSON.stringify(
      Object.fromEntries(Object.entries(Object(block)).filter(([name]) => name !== "cache_control")),
    );
  };
  const all = [...blocks, ...own];
  const parts = all.map(
    (block, index) => `${index === 0 ? format : ""}${index === blocks.length ? settings : ""}${plain(block)}`,
  );
  return {
    parts,
    stored: all.flatMap((block, index) => (Object(block).cache_control === undefined ? [] : [index])),
    exact: true,
  };
};

/** The longest common prefix of schema, tools and messages, from 1,024 tokens on and in steps of 128. */
const openAiRules: Rules = (body) => {
  const text =
    JSON.stringify([body["response_format"] ?? null, body["tools"] ?? null]) +
    list(body["messages"])
      .map((message) => JSON.stringify(message))
      .join("");
  return { parts: [text], stored: [0], exact: false };
};

export async function cachingProvider(
  kind: "anthropic" | "openai",
  texts: readonly string[],
): Promise<CachingProvider> {
  const kept: string[] = [];
  const cached: number[] = [];
  const rules = kind === "anthropic" ? anthropicRules : openAiRules;
  const provider = await fakeProvider((response, attempt) => {
    const body = Object(provider.requests[attempt - 1]?.body);
    const { parts, stored, exact } = rules(body);
    const whole = parts.join("");
    const hit = Math.max(
      0,
      ...kept.map((prefix) =>
        exact ? (whole.startsWith(prefix) ? tokens(prefix) : 0) : inSteps(tokens(commonBeginning(prefix, whole))),
      ),
    );
    cached.push(hit);
    for (const index of stored) kept.push(parts.slice(0, index + 1).join(""));
    const text = texts[Math.min(attempt, texts.length) - 1] ?? "";
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        kind === "anthropic"
          ? {
              content: [{ type: "text", text }],
              stop_reason: "end_turn",
              usage: {
                input_tokens: tokens(whole) - hit,
                cache_read_input_tokens: hit,
                cache_creation_input_tokens: 0,
                output_tokens: 9,
              },
            }
          : {
              choices: [{ message: { content: text }, finish_reason: "stop" }],
              usage: {
                prompt_tokens: tokens(whole),
                completion_tokens: 9,
                prompt_tokens_details: { cached_tokens: hit },
              },
            },
      ),
    );
  });
  return { url: provider.url, requests: provider.requests, cached };
}

function commonBeginning(a: string, b: string): string {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end++;
  return a.slice(0, end);
}

function inSteps(count: number): number {
  return count < 1024 ? 0 : count - (count % 128);
}
