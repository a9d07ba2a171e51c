/** A tool call of an assistant message. Inputs are kept as the agent wrote them. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Its result, if the client recorded one. */
  readonly result?: ToolResult;
}

/** The result of one call, its output bounded. */
export interface ToolResult {
  /** `rejected`: the user or a guard did not allow it. `unknown`: there is output, but no status. */
  readonly status: "ok" | "failed" | "rejected" | "unknown";
  /** The first 500 characters, and the last 1,500 of the rest. */
  readonly head: string;
  readonly tail: string;
}

/**
 * One message that the user typed or the model answered. Text from tools, hooks, attachments, recalled memory and the
 * client itself is excluded, since neither of them said it.
 */
export interface Turn {
  readonly role: "user" | "assistant";
  /** The message's own id in the transcript, used by evidence. */
  readonly id: string;
  readonly text: string;
  /** ISO time, if the transcript has one. */
  readonly time: string | undefined;
  readonly toolCalls: readonly ToolCall[];
  /** The user's choices when a tool of the client asked; `text` is then empty, since the words are the agent's. */
  readonly answers?: readonly Answer[];
  /** The user interrupted the agent. */
  readonly interrupted?: true;
}

/** When a turn was said (ms); `undefined` when the transcript has no readable time. */
export function timeOf({ time }: Pick<Turn, "time">): number | undefined {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

export interface Answer {
  readonly question: string;
  /** The chosen option, or what the user typed instead. */
  readonly answer: string;
  readonly options: readonly string[];
}

/** One session of any agent, in order. */
export interface Transcript {
  readonly agent: string;
  readonly session: string;
  readonly cwd: string | undefined;
  readonly turns: readonly Turn[];
  /** Text that tools returned, for the gate that decides whose words a sentence was. */
  readonly toolTexts: readonly string[];
  /** Ids of failed tool calls, if the client records them; calls that the user refused do not count. */
  readonly failedCalls?: readonly string[];
  /** Unreadable lines: 1-based numbers and reasons. Never fatal. */
  readonly problems: readonly { readonly line: number; readonly reason: string }[];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

type ParsedLine =
  | { readonly ok: true; readonly record: JsonObject; readonly problem: string | undefined }
  | { readonly ok: false; readonly problem: string };

/** Parses one line of JSON. Invalid bytes are skipped if the rest is readable. */
export function parseLine(line: string): ParsedLine {
  const odd = line.includes("\0")
    ? "NUL bytes; they were left out"
    : line.includes("\uFFFD")
      ? "invalid UTF-8; the unreadable bytes were replaced"
      : undefined;
  try {
    const value: unknown = JSON.parse(line.replaceAll("\0", ""));
    return isObject(value) ? { ok: true, record: value, problem: odd } : { ok: false, problem: "not a JSON object" };
  } catch (error) {
    return { ok: false, problem: odd ?? `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Every text in a value, depth first, for tool inputs and results of any type. */
export function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (depth > 12 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
}

export type JsonObject = { readonly [key: string]: unknown };

/** One client's transcript format. */
export interface TranscriptFormat {
  /** The client, as `memdir install` names it. */
  readonly agent: string;
  /** Whether a file that begins with these objects is one of this client's. */
  recognises(lines: readonly JsonObject[]): boolean;
  open(): TranscriptReader;
}

/** Reads the lines of one session in order; never throws: an unreadable line is recorded as a problem. */
export interface TranscriptReader {
  /** `number` is 1-based, for problems and for ids of messages that have none. */
  read(line: string, number: number): void;
  /** What was read so far. */
  transcript(): Transcript;
  /**
   * For sessions larger than memory: hands over the turns that later lines should not change (with `all`, the others
   * too), and drops them and the problems. Session, working directory and recent tool texts are kept. A session of a
   * reader without it is held in memory as a whole and read again each time.
   */
  drain?(all: boolean): Drained;
}

export interface Drained {
  /** Only what is handed over. */
  readonly transcript: Transcript;
  /** The first line of the first turn that was not handed over; `undefined` if none remains. */
  readonly resumeLine: number | undefined;
}

/** Reads a whole session from memory. */
export function readTranscript(text: string, format: TranscriptFormat): Transcript {
  const reader = format.open();
  const lines = text.replace(/^\uFEFF/u, "").split(/\r\n|\n|\r/u);
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== "") reader.read(line, index + 1);
  }
  return reader.transcript();
}
