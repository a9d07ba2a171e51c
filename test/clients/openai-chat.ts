import { randomUUID } from "node:crypto";
import { type Protocol, sendEvents, type ToolCall } from "./fake-model.ts";
import { field, list, text } from "./json.ts";

function deltaOf(call: ToolCall | undefined): object {
  if (call === undefined) return { role: "assistant", content: "OK" };
  const made = {
    index: 0,
    id: `call_${randomUUID()}`,
    type: "function",
    function: { name: call.tool, arguments: JSON.stringify(call.input) },
  };
  return { role: "assistant", tool_calls: [made] };
}

/** OpenAI's chat completions endpoint, streaming. */
export const openAiChat: Protocol = {
  matches: (method, path) => method === "POST" && path.endsWith("/chat/completions"),
  turnsTaken: (body) => list(field(body, "messages")).filter((message) => field(message, "role") === "tool").length,
  answer: (body, scripted, response, { tokens }) => {
    const call = list(field(body, "tools")).length === 0 ? undefined : scripted;
    const head = {
      id: `chatcmpl-${randomUUID()}`,
      object: "chat.completion.chunk",
      created: 0,
      model: text(field(body, "model")),
    };
    sendEvents(response, [
      [undefined, { ...head, choices: [{ index: 0, delta: deltaOf(call), finish_reason: null }] }],
      [
        undefined,
        {
          ...head,
          choices: [{ index: 0, delta: {}, finish_reason: call === undefined ? "stop" : "tool_calls" }],
          usage: { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 },
        },
      ],
      [undefined, "[DONE]"],
    ]);
  },
};

/** The texts of the messages of one role, in order. */
export function chatTexts(body: unknown, role: "system" | "tool"): readonly string[] {
  const messages = list(field(body, "messages")).filter((message) => field(message, "role") === role);
  return messages.map((message) => {
    const content = field(message, "content");
    return typeof content === "string"
      ? content
      : list(content)
          .map((part) => text(field(part, "text")))
          .join("");
  });
}
