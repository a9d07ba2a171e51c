import { randomUUID } from "node:crypto";
import { type Protocol, sendEvents, type ToolCall } from "./fake-model.ts";
import { field, list, text } from "./json.ts";

const USAGE = {
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
};

function itemOf(call: ToolCall | undefined): object {
  if (call === undefined) {
    const content = [{ type: "output_text", text: "OK", annotations: [] }];
    return { type: "message", id: `msg_${randomUUID()}`, role: "assistant", status: "completed", content };
  }
  const ids = { id: `fc_${randomUUID()}`, call_id: `call_${randomUUID()}` };
  return {
    type: "function_call",
    ...ids,
    name: call.tool,
    ...(call.namespace !== undefined && { namespace: call.namespace }),
    arguments: JSON.stringify(call.input),
    status: "completed",
  };
}

/** OpenAI's responses endpoint, streaming. */
export const openAiResponses: Protocol = {
  matches: (method, path) => method === "POST" && path.endsWith("/responses"),
  turnsTaken: (body) =>
    list(field(body, "input")).filter((item) => text(field(item, "type")).endsWith("_call_output")).length,
  answer: (body, scripted, response, { tokens }) => {
    const item = itemOf(list(field(body, "tools")).length === 0 ? undefined : scripted);
    const whole = {
      id: `resp_${randomUUID()}`,
      object: "response",
      model: text(field(body, "model")),
      usage: { ...USAGE, input_tokens: tokens, total_tokens: tokens + 5 },
      output: [item],
      status: "completed",
    };
    const events = [
      { type: "response.created", response: { ...whole, status: "in_progress", output: [], usage: null } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: whole },
    ];
    sendEvents(
      response,
      events.map((event, index) => [event.type, { ...event, sequence_number: index }]),
    );
  },
};

/** The texts that a request carries as the user's, part by part, in order. */
export function userTexts(body: unknown): readonly string[] {
  const messages = list(field(body, "input")).filter((item) => field(item, "role") === "user");
  return messages.flatMap((item) => list(field(item, "content")).map((part) => text(field(part, "text"))));
}
