import { type JsonObject, objectOf, objectsOf, stringOf, textsIn } from "../../core/transcripts/turn.ts";
import { stripInjected, formatOf, type Said, type SaidLine } from "../../core/transcripts/said.ts";

/**
 * Qwen Code's chats (JSONL; observed in 0.24.4): Claude Code's envelope around Gemini's messages. If hooks added to a
 * user line, `systemPayload.displayText` keeps what was typed. `provenance` says whether a person typed it.
 */
export const qwenTranscripts = formatOf({
  agent: "qwen",
  recognises: (lines) => lines.some(isMessage),
  said,
  header: (record) => ({ session: stringOf(record["sessionId"]), cwd: stringOf(record["cwd"]) }),
});

function isMessage(line: JsonObject): boolean {
  return stringOf(line["uuid"]) !== undefined && Array.isArray(objectOf(line["message"])["parts"]);
}

function said(record: JsonObject): readonly SaidLine[] {
  const pieces = piecesOf(record);
  return pieces.length === 0
    ? []
    : [{ id: stringOf(record["uuid"]), time: stringOf(record["timestamp"]), said: pieces }];
}

function piecesOf(record: JsonObject): readonly Said[] {
  const parts = objectsOf(objectOf(record["message"])["parts"]);
  const results = parts
    .flatMap((part) => textsIn(objectOf(part["functionResponse"])["response"]))
    .map((text): Said => ({ speaker: "tool", text }));
  if (record["type"] === "user") return [...typedIn(record, parts), ...results];
  if (record["type"] !== "assistant") return results;
  return parts.flatMap((part): readonly Said[] => {
    const call = objectOf(part["functionCall"]);
    const name = stringOf(call["name"]);
    if (name !== undefined)
      return [{ speaker: "agent", text: "", call: { id: stringOf(call["id"]) ?? "", name, input: call["args"] } }];
    const text = part["thought"] === true ? undefined : stringOf(part["text"]);
    return text === undefined ? [] : [{ speaker: "agent", text }];
  });
}

function typedIn(record: JsonObject, parts: readonly JsonObject[]): readonly Said[] {
  if (![undefined, "real_user"].includes(stringOf(record["provenance"]))) return [];
  const shown = stringOf(objectOf(record["systemPayload"])["displayText"]);
  const text = stripInjected(shown ?? parts.flatMap((part) => stringOf(part["text"]) ?? []).join("\n\n"));
  return text === "" ? [] : [{ speaker: "you", text }];
}
