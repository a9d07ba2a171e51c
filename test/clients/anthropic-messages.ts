import { randomUUID } from "node:crypto";
import { type Protocol, sendEvents, sendJson, type ToolCall } from "./fake-model.ts";
import { field, list, text } from "./json.ts";

const USAGE = { output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

function blocksOf(body: unknown): readonly unknown[] {
  return list(field(body, "messages")).flatMap((message) => {
    const content = field(message, "content");
    return typeof content === "string" ? [{ type: "text", text: content }] : list(content);
  });
}

function contentOf(call: ToolCall | undefined): {
  readonly empty: object;
  readonly delta: object;
  readonly whole: object;
} {
  if (call === undefined) {
    const block = { type: "text", text: "OK" };
    return { empty: { type: "text", text: "" }, delta: { type: "text_delta", text: block.text }, whole: block };
  }
  const head = { type: "tool_use", id: `toolu_${randomUUID()}`, name: call.tool };
  return {
    empty: { ...head, input: {} },
    delta: { type: "input_json_delta", partial_json: JSON.stringify(call.input) },
    whole: { ...head, input: call.input },
  };
}

/** Anthropic's messages endpoint, streaming or not. */
export const anthropicMessages: Protocol = {
  matches: (method, path) => method === "POST" && path.endsWith("/messages"),
  turnsTaken: (body) => blocksOf(body).filter((block) => field(block, "type") === "tool_result").length,
  answer: (body, scripted, response, { tokens }) => {
    const call = list(field(body, "tools")).length === 0 ? undefined : scripted;
    const message = {
      id: `msg_${randomUUID()}`,
      type: "message",
      role: "assistant",
      model: text(field(body, "model")),
      stop_sequence: null,
      usage: { ...USAGE, input_tokens: tokens },
    };
    const stopReason = call === undefined ? "end_turn" : "tool_use";
    const { empty, delta, whole } = contentOf(call);
    if (field(body, "stream") !== true) {
      sendJson(response, { ...message, content: [whole], stop_reason: stopReason });
      return;
    }
    sendEvents(response, [
      ["message_start", { type: "message_start", message: { ...message, content: [], stop_reason: null } }],
      ["content_block_start", { type: "content_block_start", index: 0, content_block: empty }],
      ["content_block_delta", { type: "content_block_delta", index: 0, delta }],
      ["content_block_stop", { type: "content_block_stop", index: 0 }],
      [
        "message_delta",
        { type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 5 } },
      ],
      ["message_stop", { type: "message_stop" }],
    ]);
  },
};

/** All text of a request's messages, block by block, in order; the text of tool results included. */
export function messageTexts(body: unknown): readonly string[] {
  return blocksOf(body).flatMap((block) => {
    if (field(block, "type") === "text") return [text(field(block, "text"))];
    if (field(block, "type") !== "tool_result") return [];
    const content = field(block, "content");
    return typeof content === "string" ? [content] : list(content).map((part) => text(field(part, "text")));
  });
}
