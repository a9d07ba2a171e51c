import type { ModelRequest, ModelResult, TokenUsage } from "../../core/models/model.ts";
import { count, member } from "./http.ts";
import { structuredAnswer } from "./structured-answer.ts";

/** What OpenAI and the servers that speak like it have in common in a request. */
export function chatBody(
  model: string,
  { system, messages, schema, schemaName }: ModelRequest,
): Readonly<Record<string, unknown>> {
  return {
    model,
    messages: [{ role: "system", content: system }, ...messages.map(({ role, text }) => ({ role, content: text }))],
    response_format: { type: "json_schema", json_schema: { name: schemaName, strict: true, schema } },
  };
}

export function readChat(json: unknown, ms: number): ModelResult {
  const usage = usageOf(member(json, "usage"));
  const choice = member(json, "choices", 0);
  const refusal = member(choice, "message", "refusal");
  const finish = member(choice, "finish_reason");
  if ((typeof refusal === "string" && refusal !== "") || finish === "content_filter")
    return { kind: "refused", reason: "the model declined to answer", ms, usage };
  if (finish === "length")
    return { kind: "invalid-answer", reason: "the answer was cut off at its limit of tokens", ms, usage };
  if (finish === "tool_calls")
    return { kind: "invalid-answer", reason: "the model called a tool instead of answering", ms, usage };
  const content = member(choice, "message", "content");
  return structuredAnswer(typeof content === "string" ? content : "", usage, ms);
}

function usageOf(usage: unknown): TokenUsage {
  return {
    inputTokens: count(member(usage, "prompt_tokens")),
    outputTokens: count(member(usage, "completion_tokens")),
    cachedTokens: count(member(usage, "prompt_tokens_details", "cached_tokens")),
  };
}
