import type { JsonObject } from "../../core/transcripts/format.ts";
import { stripInjected } from "../../core/transcripts/injected.ts";
import { asTypedInOpenCode } from "../../core/shared/opencode-words.ts";
import { isObject, objectOf, objectsOf, stringOf } from "../../core/transcripts/record.ts";
import { formatOf, type Header, type LineFormat, type Said, type SaidLine } from "../../core/transcripts/said.ts";

/**
 * OpenCode's sessions (observed in 1.18.33) as lines: `{"session": {id, directory, parent_id}}` first, then one
 * `{"info", "parts"}` a message, as its export has them. They live in a database; whoever opens it makes the lines.
 */
export const opencodeLines: LineFormat = {
  agent: "opencode",
  recognises: (lines) =>
    lines.some((line) => (isObject(line["info"]) && Array.isArray(line["parts"])) || isObject(line["session"])),
  said,
  header,
};

export const opencodeTranscripts = formatOf(opencodeLines);

function header({ session }: JsonObject): Header {
  if (!isObject(session)) return {};
  return {
    session: stringOf(session["id"]),
    cwd: stringOf(session["directory"]),
    isSubagent: stringOf(session["parent_id"]) !== undefined,
  };
}

function said({ info, parts }: JsonObject): readonly SaidLine[] {
  if (!isObject(info) || info["summary"] === true || info["mode"] === "compaction") return [];
  const created = objectOf(info["time"])["created"];
  const pieces = objectsOf(parts).flatMap((part) =>
    info["role"] === "user" ? saidByPerson(part) : info["role"] === "assistant" ? saidByAgent(part) : [],
  );
  return pieces.length === 0 ? [] : [{ id: stringOf(info["id"]), time: timeOf(created), said: pieces }];
}

/** `synthetic` parts are what plugins and the client add; `ignored` ones are shown and never sent. */
function saidByPerson(part: JsonObject): readonly Said[] {
  if (part["type"] !== "text" || part["synthetic"] === true || part["ignored"] === true) return [];
  const text = stripInjected(asTypedInOpenCode(stringOf(part["text"]) ?? ""));
  return text === "" ? [] : [{ speaker: "you", text }];
}

function saidByAgent(part: JsonObject): readonly Said[] {
  const text = stringOf(part["text"]);
  if (part["type"] === "text" && part["synthetic"] !== true && text !== undefined) return [{ speaker: "agent", text }];
  if (part["type"] !== "tool") return [];
  const state = objectOf(part["state"]);
  const made: Said = {
    speaker: "agent",
    text: "",
    call: { id: stringOf(part["callID"]) ?? "", name: stringOf(part["tool"]) ?? "", input: state["input"] },
  };
  const result = stringOf(state["output"]) ?? stringOf(state["error"]);
  return result === undefined ? [made] : [made, { speaker: "tool", text: result }];
}

function timeOf(created: unknown): string | undefined {
  return typeof created === "number" && Math.abs(created) < 8e15 ? new Date(created).toISOString() : undefined;
}
