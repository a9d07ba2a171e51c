import type { JsonObject } from "../../core/transcripts/format.ts";
import { stripInjected } from "../../core/transcripts/injected.ts";
import { isObject, objectsOf, stringOf, textsIn } from "../../core/transcripts/record.ts";
import type { Said, SaidInLine } from "../../core/transcripts/said.ts";

/** What a line of Claude Code's says, alone: for search. Whole sessions are read by `claudeCodeTranscripts`. */
export const claudeCodeSaid: SaidInLine = (record) => {
  const { type, message } = record;
  if (
    (type !== "user" && type !== "assistant") ||
    !isObject(message) ||
    record["isMeta"] === true ||
    record["isSidechain"] === true
  )
    return [];
  const isSummary = record["isCompactSummary"] === true || record["isVisibleInTranscriptOnly"] === true;
  const said = isSummary ? [] : partsOf(message["content"]).flatMap((part) => saidInPart(type, part));
  return said.length === 0 ? [] : [{ id: stringOf(record["uuid"]), time: stringOf(record["timestamp"]), said }];
};

function partsOf(content: unknown): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

function saidInPart(type: "user" | "assistant", part: JsonObject): readonly Said[] {
  if (part["type"] === "text") {
    const text = stringOf(part["text"]) ?? "";
    if (type === "assistant") return text === "" ? [] : [{ speaker: "agent", text }];
    const typed = CLIENT_LINE.test(text) ? "" : stripInjected(text);
    return typed === "" ? [] : [{ speaker: "you", text: typed }];
  }
  if (part["type"] === "tool_use")
    return [
      {
        speaker: "agent",
        text: "",
        call: { id: stringOf(part["id"]) ?? "", name: stringOf(part["name"]) ?? "", input: part["input"] },
      },
    ];
  if (part["type"] !== "tool_result") return [];
  const content = part["content"];
  const text =
    typeof content === "string"
      ? content
      : objectsOf(content)
          .flatMap((one) => textsIn(one["text"]))
          .join("\n");
  return text === "" ? [] : [{ speaker: "tool", text }];
}

/** Lines that the client wrote in the person's place; the reader of whole sessions knows a few more by their neighbours. */
const CLIENT_LINE =
  /^\s*(?:<(?:local-command-|command-(?:name|message|args)\b|bash-(?:input|stdout|stderr)\b|task-notification\b)|Caveat: The messages below were generated|This session is being continued from a previous conversation|Stop hook feedback:)/u;
