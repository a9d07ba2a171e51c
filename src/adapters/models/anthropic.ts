import type {
  JsonSchema,
  Model,
  ModelRequest,
  ModelResult,
  ParentRequest,
  TokenUsage,
} from "../../core/models/model.ts";
import { listOf, without } from "./openai-compatible.ts";
import { count, member, post, structuredAnswer, turnsOf } from "./http.ts";

export interface AnthropicOptions {
  readonly model: string;
  readonly key: string;
  /** `https://api.anthropic.com` or a gateway. */
  readonly baseUrl: string;
}

/** Claude through Anthropic's Messages API, with answers constrained by a schema (Claude 4.5 and later). */
export function createAnthropicModel({ model, key, baseUrl }: AnthropicOptions): Model {
  return {
    id: `anthropic/${model}`,
    place: "network",
    continues: "anthropic",
    async ask(request) {
      const headers = { "x-api-key": key, "anthropic-version": "2023-06-01" };
      const reply = await post({
        url: `${baseUrl}/v1/messages`,
        headers,
        key,
        body: request.parent === undefined ? bodyOf(model, request) : continued(request, request.parent),
        request,
      });
      return reply.kind === "reply" ? read(reply.json, reply.ms) : reply;
    },
  };
}

function bodyOf(model: string, request: ModelRequest): unknown {
  const { system, messages, cachePrefix, maxOutputTokens, schema } = request;
  const marked = { cache_control: { type: "ephemeral" } };
  let index = 0;
  const block = (text: string): unknown => ({ type: "text", text, ...(++index === cachePrefix && marked) });
  return {
    model,
    max_tokens: maxOutputTokens,
    system: [{ type: "text", text: system, ...(cachePrefix === 0 && marked) }],
    messages: turnsOf(messages).map(({ role, texts }) => ({ role, content: texts.map(block) })),
    output_config: { format: { type: "json_schema", schema: withoutLimits(schema) } },
  };
}

/**
 * The parent's request followed by our messages. Everything that its cached prefix depends on stays unchanged: tools,
 * system text, tool choice, thinking, and no schema.
 */
function continued({ messages, maxOutputTokens }: ModelRequest, { request }: ParentRequest): unknown {
  const thinking = count(member(request, "thinking", "budget_tokens"));
  const own = turnsOf(messages).map(({ role, texts }) => ({
    role,
    content: texts.map((text) => ({ type: "text", text })),
  }));
  const output = request["output_config"];
  const asked =
    typeof output === "object" && output !== null && "format" in output
      ? { output_config: without({ ...output }, ["format"]) }
      : {};
  return {
    ...without(request, ["stream", "stop_sequences", "output_format"]),
    ...asked,
    max_tokens: maxOutputTokens + thinking,
    messages: [...listOf(request["messages"]), ...own],
  };
}

/** Anthropic rejects schemas that limit the length of an array. */
function withoutLimits(schema: JsonSchema): JsonSchema {
  if (schema.type === "array") return { type: "array", items: withoutLimits(schema.items) };
  if (schema.type !== "object") return schema;
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, withoutLimits(property)]),
    ),
  };
}

function read(json: unknown, ms: number): ModelResult {
  const usage = usageOf(member(json, "usage"));
  const stop = member(json, "stop_reason");
  if (stop === "refusal") return { kind: "refused", reason: "the model declined to answer", ms, usage };
  if (stop === "tool_use")
    return { kind: "invalid-answer", reason: "the model called a tool instead of answering", ms, usage };
  if (stop === "max_tokens")
    return { kind: "invalid-answer", reason: "the answer was cut off at its limit of tokens", ms, usage };
  const content = member(json, "content");
  const texts = Array.isArray(content)
    ? content.filter((block) => member(block, "type") === "text").map((block) => String(member(block, "text")))
    : [];
  return structuredAnswer(texts.join(""), usage, ms);
}

/** Anthropic counts cache reads and cache writes separately from the rest of the input. */
function usageOf(usage: unknown): TokenUsage {
  const cachedTokens = count(member(usage, "cache_read_input_tokens"));
  const written = count(member(usage, "cache_creation_input_tokens"));
  return {
    inputTokens: count(member(usage, "input_tokens")) + written + cachedTokens,
    outputTokens: count(member(usage, "output_tokens")),
    cachedTokens,
  };
}
