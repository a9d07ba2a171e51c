import type { Model, ModelFailure, ModelRequest } from "../../core/models/model.ts";
import { chatBody, readChat } from "./chat-completions.ts";
import { continuedChat } from "./continued.ts";
import { post } from "./http.ts";

export interface OpenAiCompatibleOptions {
  /** The name in `provider/model`: `ollama`, `lmstudio`, `vllm`, `compatible`. */
  readonly provider: string;
  readonly model: string;
  /** Most such servers need none. */
  readonly key: string | undefined;
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
}

/** A server that speaks like OpenAI's chat completions: Ollama, LM Studio, vLLM, llama.cpp and many gateways. */
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

/** Only what stands for this machine by name counts: a name may be anybody's. */
export function isThisMachine(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(new URL(baseUrl).hostname);
}
