/** A loopback stand-in for the Anthropic messages endpoint: streams scripted answers to a real client. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

/**
 * One thing the model does: say something, or say something and use a tool.
 * @typedef {{ say?: string, tool?: string, input?: Record<string, unknown> }} Step
 * @typedef {{ prompt: string, steps: readonly Step[] }} Exchange
 */

const IDLE = { say: "Nothing to do." };

function blocksOf(message) {
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

/**
 * The next step follows from the conversation itself: the last scripted prompt in it, and the number of tool results
 * after it. Nothing is stored between requests, so a retried request gets the same answer.
 */
function nextStep(exchanges, request) {
  let current;
  let toolResults = 0;
  for (const message of request.messages ?? []) {
    for (const block of blocksOf(message)) {
      if (block.type === "tool_result") toolResults += 1;
      if (block.type !== "text" || message.role !== "user") continue;
      const started = exchanges.find((exchange) => exchange.prompt === block.text.trim());
      if (started !== undefined) {
        current = started;
        toolResults = 0;
      }
    }
  }
  const step = current?.steps[toolResults] ?? IDLE;
  return step.tool !== undefined && (request.tools ?? []).length === 0 ? IDLE : step;
}

function identifier(prefix) {
  return prefix + randomUUID().replaceAll("-", "").slice(0, 24);
}

function contentOf(step) {
  const blocks = step.say === undefined ? [] : [{ type: "text", text: step.say }];
  if (step.tool !== undefined) {
    blocks.push({ type: "tool_use", id: identifier("toolu_"), name: step.tool, input: step.input });
  }
  return blocks;
}

function usageOf(request, content) {
  const tokens = (value) => Math.ceil(JSON.stringify(value).length / 4);
  return {
    input_tokens: tokens(request.messages ?? []),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: tokens(content),
  };
}

function* pieces(text, length = 40) {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

function* blockEvents(block, index) {
  const empty = block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
  yield { type: "content_block_start", index, content_block: empty };
  const text = block.type === "text" ? block.text : JSON.stringify(block.input);
  for (const piece of pieces(text)) {
    const delta =
      block.type === "text" ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
    yield { type: "content_block_delta", index, delta };
  }
  yield { type: "content_block_stop", index };
}

/** The server-sent events of one answer, in the order required by the wire format. */
function* answerEvents(message) {
  const { content, stop_reason: stopReason, usage } = message;
  const opening = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  yield { type: "message_start", message: opening };
  for (const [index, block] of content.entries()) yield* blockEvents(block, index);
  const closing = { stop_reason: stopReason, stop_sequence: null };
  yield { type: "message_delta", delta: closing, usage: { output_tokens: usage.output_tokens } };
  yield { type: "message_stop" };
}

function answer(exchanges, request) {
  const step = nextStep(exchanges, request);
  const content = contentOf(step);
  return {
    id: identifier("msg_"),
    type: "message",
    role: "assistant",
    model: request.model,
    content,
    stop_reason: step.tool === undefined ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: usageOf(request, content),
  };
}

function sendJson(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function reply(exchanges, url, text, response) {
  if (url.pathname.endsWith("/messages/count_tokens")) return sendJson(response, 200, { input_tokens: 1000 });
  if (!url.pathname.endsWith("/messages")) return sendJson(response, 200, {});
  const request = JSON.parse(text);
  const message = answer(exchanges, request);
  if (request.stream !== true) return sendJson(response, 200, message);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of answerEvents(message)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  return response.end();
}

/**
 * Listens on a free port of 127.0.0.1.
 * @param {readonly Exchange[]} exchanges
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function startMessagesApi(exchanges) {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      try {
        reply(exchanges, url, Buffer.concat(chunks).toString("utf8"), response);
      } catch (error) {
        sendJson(response, 400, { type: "error", error: { type: "invalid_request_error", message: String(error) } });
      }
    });
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The loopback endpoint has no port.");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.closeAllConnections() ?? server.close() };
}
