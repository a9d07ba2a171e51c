import type { JsonSchema, Model, ModelRequest, ModelResult, TokenUsage } from "../../core/models/model.ts";
import { count, member, post, type Reply, structuredAnswer, turnsOf } from "./http.ts";

export interface GoogleOptions {
  readonly model: string;
  readonly key: string;
  /** `https://generativelanguage.googleapis.com` or a gateway. */
  readonly baseUrl: string;
}

/** Gemini through Google's Generative Language API, which caches the beginning of a prompt automatically. */
export function createGoogleModel({ model, key, baseUrl }: GoogleOptions): Model {
  const url = `${baseUrl}/v1beta/models/${encodeURIComponent(model)}:generateContent`;
  const send = (request: ModelRequest, schema: JsonSchema): Promise<Reply> =>
    post({ url, headers: { "x-goog-api-key": key }, key, body: bodyOf(model, request, schema), request });
  return {
    id: `google/${model}`,
    place: "network",
    async ask(request) {
      const reply = await send(request, request.schema);
      // Gemini rejects a schema with many names ("too many states for serving"); the caller checks them anyway.
      const second =
        reply.kind === "unavailable" && /HTTP 400/u.test(reply.reason)
          ? await send({ ...request, timeoutMs: request.timeoutMs - reply.ms }, withoutEnums(request.schema))
          : reply;
      return second.kind === "reply" ? read(second.json, second.ms) : second;
    },
  };
}

function bodyOf(model: string, { system, messages, maxOutputTokens }: ModelRequest, schema: JsonSchema): unknown {
  return {
    systemInstruction: { parts: [{ text: system }] },
    contents: turnsOf(messages).map(({ role, texts }) => ({
      role: role === "assistant" ? "model" : "user",
      parts: texts.map((text) => ({ text })),
    })),
    generationConfig: {
      maxOutputTokens,
      responseMimeType: "application/json",
      responseSchema: toGoogle(schema),
      ...thinkingOf(model),
    },
  };
}

/** Thinking counts as output and would use up the budget for the answer. */
function thinkingOf(model: string): object {
  if (model.startsWith("gemini-2.5-flash")) return { thinkingConfig: { thinkingBudget: 0 } };
  return /^gemini-(?:[3-9]|\d\d)/u.test(model) ? { thinkingConfig: { thinkingLevel: "low" } } : {};
}

/** Google's subset of OpenAPI does not support `additionalProperties`. */
function toGoogle(schema: JsonSchema): unknown {
  if (schema.type === "object")
    return { type: "object", properties: mapProperties(schema, toGoogle), required: schema.required };
  if (schema.type === "array") return { ...schema, items: toGoogle(schema.items) };
  return schema;
}

function withoutEnums(schema: JsonSchema): JsonSchema {
  if (schema.type === "object") return { ...schema, properties: mapProperties(schema, withoutEnums) };
  if (schema.type === "array") return { type: "array", items: withoutEnums(schema.items) };
  return { type: schema.type };
}

function mapProperties<T>(
  schema: JsonSchema & { readonly type: "object" },
  change: (property: JsonSchema) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, change(property)]));
}

const REFUSALS = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"]);

function read(json: unknown, ms: number): ModelResult {
  const usage = usageOf(member(json, "usageMetadata"));
  const blocked = member(json, "promptFeedback", "blockReason");
  const finish = member(json, "candidates", 0, "finishReason");
  if (typeof blocked === "string" || (typeof finish === "string" && REFUSALS.has(finish)))
    return { kind: "refused", reason: `the provider's filter stopped it (${String(blocked ?? finish)})`, ms, usage };
  if (finish === "MAX_TOKENS")
    return { kind: "invalid-answer", reason: "the answer was cut off at its limit of tokens", ms, usage };
  const parts = member(json, "candidates", 0, "content", "parts");
  const texts = Array.isArray(parts)
    ? parts
        .filter((part) => member(part, "thought") !== true)
        .map((part) => member(part, "text"))
        .filter((text) => typeof text === "string")
    : [];
  return structuredAnswer(texts.join(""), usage, ms);
}

function usageOf(usage: unknown): TokenUsage {
  return {
    inputTokens: count(member(usage, "promptTokenCount")),
    outputTokens: count(member(usage, "candidatesTokenCount")) + count(member(usage, "thoughtsTokenCount")),
    cachedTokens: count(member(usage, "cachedContentTokenCount")),
  };
}
