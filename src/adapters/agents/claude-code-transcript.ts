import type { Drained, JsonObject, TranscriptFormat, Answer, ToolCall, Turn } from "../../core/transcripts/turn.ts";
import { stripInjected } from "../../core/transcripts/said.ts";
import { type CallStatus, resultOf } from "../../core/transcripts/result.ts";
import { createToolTexts, type ToolTexts } from "../../core/transcripts/tool-texts.ts";

/**
 * Claude Code's sessions (JSONL, one line per block). Only what the person typed and the model answered becomes turns.
 * Text that the client, its hooks, tools or memory wrote into the transcript is left out.
 */
export const claudeCodeTranscripts: TranscriptFormat = {
  agent: "claude-code",
  recognises: (lines) =>
    lines.some((line) => typeof line["type"] === "string" && typeof line["sessionId"] === "string"),
  open() {
    const state: ReaderState = {
      session: undefined,
      cwd: undefined,
      turns: [],
      starts: [],
      toolTexts: createToolTexts(),
      failedCalls: [],
      problems: [],
      assistants: new Map(),
      calls: new Map(),
      boundary: undefined,
    };
    return {
      read: (line, number) => readLine(state, line, number),
      transcript: () => ({
        agent: "claude-code",
        session: state.session ?? "unknown",
        cwd: state.cwd,
        turns: state.turns,
        toolTexts: state.toolTexts.recent(),
        failedCalls: state.failedCalls,
        problems: state.problems,
      }),
      drain: (all) => drain(state, all),
    };
  },
};

interface ReaderState {
  session: string | undefined;
  cwd: string | undefined;
  readonly turns: Turn[];
  /** The line on which each turn began. */
  readonly starts: number[];
  readonly toolTexts: ToolTexts;
  readonly failedCalls: string[];
  readonly problems: { readonly line: number; readonly reason: string }[];
  /** Position in `turns` of each model message. One message is written as several lines, one per block. */
  readonly assistants: Map<string, number>;
  /** Position in `turns` of the message that made each call that has no answer yet. */
  readonly calls: Map<string, number>;
  /** The last compaction, until the summary that follows it is read or the person speaks. */
  boundary: Boundary | undefined;
}

/**
 * Observed in Claude Code 2.1.330: the `compact_boundary` line has no `parentUuid`. Its
 * `compactMetadata.preservedSegment.anchorUuid` names the parent of the kept messages, which is the summary. That
 * recording did not show the summary itself marked (`isCompactSummary`, `isVisibleInTranscriptOnly`) or opening with
 * "This session is being continued …". An unmarked summary is therefore recognised by its position: it is the anchor or
 * the child of the boundary, and has none of the marks of a typed prompt.
 */
interface Boundary {
  readonly uuid: string | undefined;
  readonly anchor: string | undefined;
}

/** Blocks of one message may be interleaved with those of the following messages, so the last 8 messages stay open. */
const GROWING = 8;

function drain(state: ReaderState, all: boolean): Drained {
  const count = all ? state.turns.length : Math.max(0, state.turns.length - GROWING);
  const turns = state.turns.splice(0, count);
  state.starts.splice(0, count);
  for (const positions of [state.assistants, state.calls])
    for (const [key, position] of positions) {
      if (position < count) positions.delete(key);
      else positions.set(key, position - count);
    }
  const problems = state.problems.splice(0);
  const failedCalls = state.failedCalls.splice(0);
  return {
    transcript: {
      agent: "claude-code",
      session: state.session ?? "unknown",
      cwd: state.cwd,
      turns,
      toolTexts: state.toolTexts.recent(),
      failedCalls,
      problems,
    },
    resumeLine: state.starts[0],
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readLine(state: ReaderState, line: string, number: number): void {
  const record = parseRecord(state, line, number);
  if (record === undefined) return;
  if (record["type"] === "system" && record["subtype"] === "compact_boundary") state.boundary = boundaryOf(record);
  if (record["type"] !== "user" && record["type"] !== "assistant") return;
  if (record["isSidechain"] === true) return;
  const message = record["message"];
  if (!isObject(message)) {
    state.problems.push({ line: number, reason: `a ${record["type"]} line without a message` });
    return;
  }
  if (typeof message["content"] !== "string" && !Array.isArray(message["content"])) {
    // Other clients write Claude Code's lines with their own form of message.
    state.problems.push({ line: number, reason: `a ${record["type"]} line whose message has no content` });
    return;
  }
  state.session ??= stringOf(record["sessionId"]);
  state.cwd ??= stringOf(record["cwd"]);
  const id = stringOf(record["uuid"]) ?? `line-${number}`;
  const time = stringOf(record["timestamp"]);
  if (record["type"] === "assistant")
    addAssistant(state, message, { id, number, time, meta: record["isMeta"] === true });
  else
    addUser(state, message, {
      id,
      number,
      time,
      meta: record["isMeta"] === true,
      summary: isSummary(record, state.boundary),
      answers: answersOf(record["toolUseResult"]),
    });
}

function boundaryOf(record: JsonObject): Boundary {
  const metadata = record["compactMetadata"];
  const segment = isObject(metadata) ? metadata["preservedSegment"] : undefined;
  return { uuid: stringOf(record["uuid"]), anchor: isObject(segment) ? stringOf(segment["anchorUuid"]) : undefined };
}

function isSummary(record: JsonObject, boundary: Boundary | undefined): boolean {
  if (record["isCompactSummary"] === true || record["isVisibleInTranscriptOnly"] === true) return true;
  if (boundary === undefined || TYPED_MARKS.some((mark) => record[mark] !== undefined)) return false;
  const parent = stringOf(record["parentUuid"]) ?? stringOf(record["logicalParentUuid"]);
  const uuid = stringOf(record["uuid"]);
  return (uuid !== undefined && uuid === boundary.anchor) || (parent !== undefined && parent === boundary.uuid);
}

/** Fields that a typed prompt has and a message from the client lacks. */
const TYPED_MARKS: readonly string[] = ["promptSource", "permissionMode"];

function parseRecord(state: ReaderState, line: string, number: number): JsonObject | undefined {
  if (line.includes("\uFFFD"))
    state.problems.push({ line: number, reason: "invalid UTF-8; the unreadable bytes were replaced" });
  let source = line;
  if (line.includes("\0")) {
    state.problems.push({ line: number, reason: "NUL bytes; they were left out" });
    source = line.replaceAll("\0", "");
    if (source.trim() === "") return undefined;
  }
  try {
    const value: unknown = JSON.parse(source);
    if (isObject(value)) return value;
    state.problems.push({ line: number, reason: "not a JSON object" });
  } catch (error) {
    state.problems.push({
      line: number,
      reason: `not JSON: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
  return undefined;
}

function addAssistant(
  state: ReaderState,
  message: JsonObject,
  { id, number, time, meta }: Omit<UserLine, "summary" | "answers">,
): void {
  if (meta) return;
  const text = textOf(message["content"]);
  const toolCalls = toolCallsOf(message["content"]);
  const key = stringOf(message["id"]);
  const position = key === undefined ? undefined : state.assistants.get(key);
  const earlier = position === undefined ? undefined : state.turns[position];
  for (const { id: call } of toolCalls) state.calls.set(call, position ?? state.turns.length);
  if (position !== undefined && earlier !== undefined) {
    state.turns[position] = {
      ...earlier,
      text: [earlier.text, text].filter((part) => part !== "").join("\n\n"),
      toolCalls: [...earlier.toolCalls, ...toolCalls],
    };
    return;
  }
  if (text === "" && toolCalls.length === 0) return;
  if (key !== undefined) state.assistants.set(key, state.turns.length);
  state.turns.push({ role: "assistant", id, text, time, toolCalls });
  state.starts.push(number);
}

interface UserLine {
  readonly id: string;
  readonly number: number;
  readonly time: string | undefined;
  readonly meta: boolean;
  readonly summary: boolean;
  readonly answers: readonly Answer[];
}

function addUser(state: ReaderState, message: JsonObject, line: UserLine): void {
  state.toolTexts.add(toolResultsOf(message["content"]));
  addResults(state, message["content"]);
  state.failedCalls.push(...failedCallsOf(message["content"]));
  if (line.answers.length > 0) {
    state.turns.push({ role: "user", id: line.id, text: "", time: line.time, toolCalls: [], answers: line.answers });
    state.starts.push(line.number);
  }
  const raw = textOf(message["content"]);
  if (raw === "" || line.meta) return;
  if (INTERRUPTION.test(raw)) interruptLast(state);
  // The echo of /compact may come between the boundary and the summary.
  if (CLIENT_LINE.test(raw)) return;
  state.boundary = undefined;
  if (line.summary) return;
  const text = stripInjected(raw);
  if (text === "") return;
  state.turns.push({ role: "user", id: line.id, text, time: line.time, toolCalls: [] });
  state.starts.push(line.number);
}

/** Attaches each result to the call that it answers. */
function addResults(state: ReaderState, content: unknown): void {
  for (const block of blocksOf(content)) {
    const id = block["type"] === "tool_result" ? stringOf(block["tool_use_id"]) : undefined;
    const position = id === undefined ? undefined : state.calls.get(id);
    const turn = position === undefined ? undefined : state.turns[position];
    if (id === undefined || position === undefined || turn === undefined) continue;
    const text = textOf(block["content"]);
    const status: CallStatus = REJECTED.test(text) ? "rejected" : block["is_error"] === true ? "failed" : "ok";
    const result = resultOf(text, status);
    state.turns[position] = {
      ...turn,
      toolCalls: turn.toolCalls.map((call) => (call.id === id ? { ...call, result } : call)),
    };
    state.calls.delete(id);
  }
}

const REJECTED =
  /^(?:The user doesn['’]t want to (?:proceed|take this action)|\[Request interrupted by user|Permission to use |.{0,80}\bdenied by (?:a )?(?:hook|guard))/u;
const INTERRUPTION = /^\s*\[Request interrupted by user[^\]\n]*\]/mu;

function interruptLast(state: ReaderState): void {
  const position = state.turns.findLastIndex(({ role }) => role === "assistant");
  const turn = state.turns[position];
  if (turn !== undefined) state.turns[position] = { ...turn, interrupted: true };
}

/** AskUserQuestion's answers: `{ questions: [{ question, options: [{ label }] }], answers: { QUESTION: CHOICE } }`. */
function answersOf(result: unknown): readonly Answer[] {
  if (!isObject(result) || !Array.isArray(result["questions"]) || !isObject(result["answers"])) return [];
  const answers = result["answers"];
  return result["questions"].filter(isObject).flatMap((asked): Answer[] => {
    const question = stringOf(asked["question"]);
    const answer = question === undefined ? undefined : stringOf(answers[question]);
    if (question === undefined || answer === undefined) return [];
    const options = Array.isArray(asked["options"]) ? asked["options"].filter(isObject) : [];
    return [{ question, answer, options: options.flatMap((option) => stringOf(option["label"]) ?? []) }];
  });
}

/** User lines written by the client: command echoes, their output, the continuation summary, hook feedback. */
const CLIENT_LINE =
  /^\s*(?:<(?:local-command-|command-(?:name|message|args)\b|bash-(?:input|stdout|stderr)\b|task-notification\b)|Caveat: The messages below were generated|Base directory for this skill:|This session is being continued from a previous conversation|Stop hook feedback:)/u;

function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .filter((block) => block["type"] === "text")
    .map((block) => stringOf(block["text"]) ?? "")
    .filter((part) => part !== "")
    .join("\n\n");
}

function toolCallsOf(content: unknown): readonly ToolCall[] {
  return blocksOf(content)
    .filter((block) => block["type"] === "tool_use")
    .map((block) => ({ id: stringOf(block["id"]) ?? "", name: stringOf(block["name"]) ?? "", input: block["input"] }));
}

function toolResultsOf(content: unknown): readonly string[] {
  return blocksOf(content)
    .filter((block) => block["type"] === "tool_result")
    .map((block) => textOf(block["content"]))
    .filter((part) => part !== "");
}

function failedCallsOf(content: unknown): readonly string[] {
  return blocksOf(content)
    .filter(
      (block) =>
        block["type"] === "tool_result" && block["is_error"] === true && !NOT_ALLOWED.test(textOf(block["content"])),
    )
    .flatMap((block) => stringOf(block["tool_use_id"]) ?? []);
}

const NOT_ALLOWED = /^The user doesn['’]t want to (?:proceed|take this action)/u;

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
