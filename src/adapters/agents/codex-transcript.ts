import { type JsonObject, isObject, objectOf, objectsOf, stringOf, textsIn } from "../../core/transcripts/turn.ts";
import {
  stripInjected,
  formatOf,
  type Header,
  type LineFormat,
  type Said,
  type SaidLine,
} from "../../core/transcripts/said.ts";
import { resultOf } from "../../core/transcripts/result.ts";

/**
 * Codex's rollouts (JSONL, one response item per line; observed in 0.169.0). Everything is written twice, as an item
 * and as an event; only items are read. `compacted` repeats what came before it and is skipped.
 */
export const codexLines: LineFormat = { agent: "codex", recognises: (lines) => lines.some(isRollout), said, header };

export const codexTranscripts = formatOf(codexLines);

function isRollout(line: JsonObject): boolean {
  return (
    isObject(line["payload"]) &&
    (line["type"] === "session_meta" || line["type"] === "response_item" || line["type"] === "event_msg")
  );
}

function header({ type, payload }: JsonObject): Header {
  if (type !== "session_meta" || !isObject(payload)) return {};
  const source = payload["thread_source"];
  const isSubagent = isObject(payload["source"]) || (typeof source === "string" && source !== "user");
  return {
    session: stringOf(payload["id"]) ?? stringOf(payload["session_id"]),
    cwd: stringOf(payload["cwd"]),
    isSubagent,
  };
}

function said({ type, payload, timestamp }: JsonObject): readonly SaidLine[] {
  if (type !== "response_item" || !isObject(payload)) return [];
  const pieces = saidInItem(payload);
  return pieces.length === 0 ? [] : [{ id: stringOf(payload["id"]), time: stringOf(timestamp), said: pieces }];
}

function saidInItem(item: JsonObject): readonly Said[] {
  switch (item["type"]) {
    case "message":
      return saidInMessage(item);
    case "function_call":
      return [called(item, parsedArguments(item["arguments"]))];
    case "custom_tool_call":
      return [called(item, item["input"])];
    case "local_shell_call":
      return [called({ ...item, name: "local_shell" }, item["action"])];
    case "function_call_output":
    case "custom_tool_call_output":
      return toolSaid(stringOf(item["call_id"]), item["output"]);
    default:
      return [];
  }
}

/** The developer's messages hold instructions, permissions, skills and text added by hooks. */
function saidInMessage(item: JsonObject): readonly Said[] {
  const texts = objectsOf(item["content"]).map((part) => stringOf(part["text"]) ?? "");
  if (item["role"] === "assistant")
    return texts.filter((text) => text !== "").map((text) => ({ speaker: "agent", text }));
  if (item["role"] !== "user") return [];
  const kinds = objectOf(item["internal_chat_message_metadata_passthrough"])["content_item_kinds"];
  const kindOf = (at: number): unknown => (Array.isArray(kinds) ? kinds[at] : undefined);
  return texts.flatMap((text, at): readonly Said[] => {
    if (ABORTED.test(text)) return [{ speaker: "agent", text: "", interrupts: true }];
    const kind = kindOf(at);
    // Newer versions state the origin of each part; in older ones it is recognised by its text.
    if ((typeof kind === "string" && !/^(?:user\.|unknown$)/u.test(kind)) || CLIENTS_OWN.test(text)) return [];
    const typed = stripInjected(text);
    return typed === "" ? [] : [{ speaker: "you", text: typed }];
  });
}

const ABORTED = /^\s*<turn_aborted\b/u;
const CLIENTS_OWN =
  /^\s*(?:# AGENTS\.md instructions|<(?:user_instructions|environment_context|INSTRUCTIONS|turn_aborted|subagent_notification|user_shell_command|skill)\b)/u;

function called(item: JsonObject, input: unknown): Said {
  // A tool of an MCP server is listed under the server's name: `read` of `mcp__memdir`.
  const [server, tool = ""] = [stringOf(item["namespace"]), stringOf(item["name"])];
  const name = server === undefined ? tool : `${server}__${tool}`;
  return {
    speaker: "agent",
    text: "",
    call: { id: stringOf(item["call_id"]) ?? stringOf(item["id"]) ?? "", name, input },
  };
}

function parsedArguments(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // a model may write arguments that are not JSON; they are kept as written
  }
}

function toolSaid(call: string | undefined, output: unknown): readonly Said[] {
  const text = textsIn(output).join("\n");
  // Older versions write the output as a JSON string that also holds the exit status.
  const wrapped = objectOf(typeof output === "string" ? parsedArguments(output) : output);
  const code = objectOf(wrapped["metadata"])["exit_code"];
  const plain = stringOf(wrapped["output"]) ?? text;
  const status = REJECTED.test(plain.slice(0, 300))
    ? "rejected"
    : typeof code === "number"
      ? code === 0
        ? "ok"
        : "failed"
      : wrapped["success"] === false
        ? "failed"
        : "unknown";
  const answers = call === undefined ? {} : { answers: { call, result: resultOf(plain, status) } };
  return text === "" && call === undefined ? [] : [{ speaker: "tool", text, ...answers }];
}

const REJECTED = /\b(?:rejected by (?:the )?user|user (?:rejected|denied|aborted))\b/iu;
