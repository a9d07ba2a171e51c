import type {
  Model,
  ModelFailure,
  ModelRequest,
  ModelResult,
  ParentRequest,
  TokenUsage,
} from "../../core/models/model.ts";
import { count, member, post, structuredAnswer } from "./http.ts";

/** An object without some of its members, with the others in their original order. */
export function without(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * A chat completion that continues another: its messages and tools unchanged, followed by our messages. The tools stay
 * listed because they are part of the cached prefix, but may not be called. A schema would come before the system text.
 */
function continuedChat({ messages }: ModelRequest, { request }: ParentRequest): Readonly<Record<string, unknown>> {
  const kept = without(request, [
    "stream",
    "stream_options",
    "response_format",
    "n",
    "stop",
    "max_tokens",
    "max_completion_tokens",
  ]);
  const tools = listOf(request["tools"]).length > 0 ? { tool_choice: "none" } : {};
  return {
    ...kept,
    ...tools,
    messages: [...listOf(request["messages"]), ...messages.map(({ role, text }) => ({ role, content: text }))],
  };
}

/** The part of a request that OpenAI and compatible servers share. */
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

export interface OpenAiCompatibleOptions {
  /** The name in `provider/model`: `ollama`, `lmstudio`, `vllm`, `compatible`. */
  readonly provider: string;
  readonly model: string;
  /** Most of these servers need none. */
  readonly key: string | undefined;
  /** Up to and including `/v1`. */
  readonly baseUrl: string;
}

/** A server with an API like OpenAI's chat completions: Ollama, LM Studio, vLLM, llama.cpp and many gateways. */
export function createOpenAiCompatibleModel({ provider, model, key, baseUrl }: OpenAiCompatibleOptions): Model {
  const headers: Readonly<Record<string, string>> =
    key === undefined || key === "" ? {} : { authorization: `Bearer ${key}` };
  return {
    id: `${provider}/${model}`,
    place: isThisMachine(baseUrl) ? "machine" : "network",
    continues: "openai",
    async ask(request) {
      const missing = missingModel(provider, model);
      if (missing !== undefined) return missing;
      const reply = await post({
        url: `${baseUrl}/chat/completions`,
        headers,
        key,
        body: bodyOf(model, request),
        request,
      });
      return reply.kind === "reply" ? readChat(reply.json, reply.ms) : explained(reply, provider, baseUrl);
    },
  };
}

function bodyOf(model: string, request: ModelRequest): unknown {
  const { parent } = request;
  if (parent !== undefined)
    return { ...continuedChat(request, parent), max_tokens: request.maxOutputTokens, stream: false };
  return { ...chatBody(model, request), max_tokens: request.maxOutputTokens, temperature: 0, stream: false };
}

function missingModel(provider: string, model: string): ModelFailure | undefined {
  return model === ""
    ? {
        kind: "unavailable",
        reason: `${provider} needs the name of a model: \`memdir models --use ${provider}/MODEL\``,
        ms: 0,
      }
    : undefined;
}

function explained(failure: ModelFailure, provider: string, baseUrl: string): ModelFailure {
  return failure.kind === "unavailable" && failure.reason.includes("ECONNREFUSED")
    ? { ...failure, reason: `${failure.reason}; is ${provider} running at ${baseUrl}?` }
    : failure;
}

/** Only fixed names and addresses of this machine count: any other name may belong to anyone. */
export function isThisMachine(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(new URL(baseUrl).hostname);
}

export interface OpenAiOptions {
  readonly model: string;
  readonly key: string;
  /** `https://api.openai.com/v1` or a gateway. */
  readonly baseUrl: string;
}

/** OpenAI's own models. OpenAI caches the beginning of a prompt automatically. */
export function createOpenAiModel({ model, key, baseUrl }: OpenAiOptions): Model {
  const effort = leastEffort(model);
  return {
    id: `openai/${model}`,
    place: "network",
    continues: "openai",
    async ask(request) {
      const { parent, maxOutputTokens } = request;
      // The parent's reasoning effort is left unchanged.
      const body =
        parent === undefined
          ? {
              ...chatBody(model, request),
              max_completion_tokens: maxOutputTokens,
              store: false,
              ...(effort !== undefined && { reasoning_effort: effort }),
            }
          : { ...continuedChat(request, parent), max_completion_tokens: maxOutputTokens, store: false };
      const reply = await post({
        url: `${baseUrl}/chat/completions`,
        headers: { authorization: `Bearer ${key}` },
        key,
        body,
        request,
      });
      return reply.kind === "reply" ? readChat(reply.json, reply.ms) : reply;
    },
  };
}

/** The lowest reasoning effort that a model accepts: reasoning counts as output, and choosing names needs little. */
function leastEffort(model: string): string | undefined {
  const [, major, minor = "0", rest = ""] = /^gpt-(\d+)(?:\.(\d+))?(.*)$/u.exec(model) ?? [];
  if (major === undefined) return /^o\d/u.test(model) ? "low" : undefined;
  if (Number(major) < 5 || rest.startsWith("-chat")) return undefined;
  if (major === "5") return minor === "0" ? "minimal" : "none";
  return "low";
}
