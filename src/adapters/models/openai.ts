import type { Model } from "../../core/models/model.ts";
import { chatBody, readChat } from "./chat-completions.ts";
import { continuedChat } from "./continued.ts";
import { post } from "./http.ts";

export interface OpenAiOptions {
  readonly model: string;
  readonly key: string;
  /** `https://api.openai.com/v1` or a gateway. */
  readonly baseUrl: string;
}

/** OpenAI's own models. The beginning of a prompt is cached there without being asked. */
export function createOpenAiModel({ model, key, baseUrl }: OpenAiOptions): Model {
  const effort = leastEffort(model);
  return {
    id: `openai/${model}`,
    place: "network",
    continues: "openai",
    async ask(request) {
      const { parent, maxOutputTokens } = request;
      // How hard the parent thinks is left as it was.
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

/** The least thinking a model can be told to do: it counts as output, and a choice of names needs little. */
function leastEffort(model: string): string | undefined {
  const [, major, minor = "0", rest = ""] = /^gpt-(\d+)(?:\.(\d+))?(.*)$/u.exec(model) ?? [];
  if (major === undefined) return /^o\d/u.test(model) ? "low" : undefined;
  if (Number(major) < 5 || rest.startsWith("-chat")) return undefined;
  if (major === "5") return minor === "0" ? "minimal" : "none";
  return "low";
}
