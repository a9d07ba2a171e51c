import { type JsonObject, isObject, objectOf, objectsOf, stringOf } from "../../core/transcripts/turn.ts";
import {
  stripInjected,
  formatOf,
  type Header,
  type LineFormat,
  type Said,
  type SaidLine,
} from "../../core/transcripts/said.ts";
import { asTypedInOpenCode } from "../../core/shared/opencode-words.ts";
import { type CallStatus, resultOf } from "../../core/transcripts/result.ts";

/**
 * OpenCode's sessions (observed in 1.18.33) as lines: `{"session": {id, directory, parent_id}}` first, then one
 * `{"info", "parts"}` per message, as in its export. The caller reads them from OpenCode's database.
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
  const spoken = objectsOf(parts).flatMap((part) =>
    info["role"] === "user" ? saidByPerson(part) : info["role"] === "assistant" ? saidByAgent(part) : [],
  );
  const aborted = info["role"] === "assistant" && objectOf(info["error"])["name"] === "MessageAbortedError";
  const pieces: readonly Said[] = aborted ? [...spoken, { speaker: "agent", text: "", interrupts: true }] : spoken;
  return pieces.length === 0 ? [] : [{ id: stringOf(info["id"]), time: timeOf(created), said: pieces }];
}

/** Plugins and the client add `synthetic` parts; `ignored` parts are shown but never sent. */
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
  const result = stringOf(state["output"]) ?? stringOf(state["error"]);
  const isOver = state["status"] === "completed" || state["status"] === "error";
  const made: Said = {
    speaker: "agent",
    text: "",
    call: {
      id: stringOf(part["callID"]) ?? "",
      name: stringOf(part["tool"]) ?? "",
      input: state["input"],
      ...(isOver && { result: resultOf(result ?? "", statusOf(state)) }),
    },
  };
  return result === undefined ? [made] : [made, { speaker: "tool", text: result }];
}

/** A shell's exit status is next to its output. A call that the person rejected is recognised by its error text. */
function statusOf(state: JsonObject): CallStatus {
  if (state["status"] === "error") return NOT_ALLOWED.test(stringOf(state["error"]) ?? "") ? "rejected" : "failed";
  const exit = objectOf(state["metadata"])["exit"];
  return typeof exit === "number" && exit !== 0 ? "failed" : "ok";
}

const NOT_ALLOWED = /\brejected permission\b|\bTool execution aborted\b|\bdenied\b.{0,40}\bpermission\b/iu;

function timeOf(created: unknown): string | undefined {
  return typeof created === "number" && Math.abs(created) < 8e15 ? new Date(created).toISOString() : undefined;
}
