import { type JsonObject, isObject, objectOf, objectsOf, stringOf, textsIn } from "../../core/transcripts/turn.ts";
import {
  stripInjected,
  formatOf,
  type Header,
  type LineFormat,
  type Said,
  type SaidLine,
} from "../../core/transcripts/said.ts";
import { type CallStatus, resultOf } from "../../core/transcripts/result.ts";

/**
 * Gemini CLI's chats (JSONL; observed in 0.61.0). A message that grows is written again under its id, and `$set`
 * patches the whole chat. The last version counts.
 */
export const geminiLines: LineFormat = { agent: "gemini", recognises: (lines) => lines.some(isChat), said, header };

export const geminiTranscripts = formatOf(geminiLines);

function isChat(line: JsonObject): boolean {
  return (typeof line["sessionId"] === "string" && typeof line["projectHash"] === "string") || isObject(line["$set"]);
}

function header(record: JsonObject): Header {
  const kind = stringOf(record["kind"]);
  return { session: stringOf(record["sessionId"]), isSubagent: kind !== undefined && kind !== "main" };
}

function said(record: JsonObject): readonly SaidLine[] {
  const patch = record["$set"];
  const messages = isObject(patch) ? objectsOf(patch["messages"]) : [record];
  return messages.flatMap((message) => {
    const pieces = saidInMessage(message);
    return pieces.length === 0
      ? []
      : [{ id: stringOf(message["id"]), time: stringOf(message["timestamp"]), said: pieces }];
  });
}

function saidInMessage(message: JsonObject): readonly Said[] {
  const text = textOf(message["content"]);
  if (message["type"] === "user") {
    const typed = stripInjected(text);
    return typed === "" ? [] : [{ speaker: "you", text: typed }];
  }
  if (message["type"] === "info" && CANCELLED.test(text)) return [{ speaker: "agent", text: "", interrupts: true }];
  if (message["type"] !== "gemini") return [];
  return [
    ...(text === "" ? [] : [{ speaker: "agent", text } as const]),
    ...objectsOf(message["toolCalls"]).flatMap(saidInCall),
  ];
}

/** The results also appear in the following user message; here they are next to their call. */
function saidInCall(call: JsonObject): readonly Said[] {
  const text = objectsOf(call["result"])
    .flatMap((part) => textsIn(objectOf(part["functionResponse"])["response"]))
    .join("\n");
  const status = stringOf(call["status"]);
  const isKnown = text !== "" || status !== undefined;
  const made: Said = {
    speaker: "agent",
    text: "",
    call: {
      id: stringOf(call["id"]) ?? "",
      name: stringOf(call["name"]) ?? "",
      input: call["args"],
      ...(isKnown && { result: resultOf(text, STATUS[status ?? ""] ?? "unknown") }),
    },
  };
  return text === "" ? [made] : [made, { speaker: "tool", text }];
}

const STATUS: Readonly<Record<string, CallStatus>> = { success: "ok", error: "failed", cancelled: "rejected" };
const CANCELLED = /^Request cancelled\b/iu;

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsOf(content)
    .flatMap((part) => stringOf(part["text"]) ?? [])
    .join("\n\n");
}
