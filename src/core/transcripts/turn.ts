/** A tool call that an assistant message made. Inputs are kept as the agent wrote them. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** What came of it, where the client recorded that. */
  readonly result?: ToolResult;
}

/** The result of one call, its output bounded. */
export interface ToolResult {
  /** `rejected`: a person or a guard did not allow it. `unknown`: there is output, but nothing says how it ended. */
  readonly status: "ok" | "failed" | "rejected" | "unknown";
  /** The first 500 characters, and of what follows them the last 1,500. */
  readonly head: string;
  readonly tail: string;
}

/**
 * One message that a person typed or a model answered. Text from tools, hooks, attachments, recalled
 * memory and the client itself is not here: it was never said by either of them.
 */
export interface Turn {
  readonly role: "user" | "assistant";
  /** The message's own id in the transcript: what evidence points at. */
  readonly id: string;
  readonly text: string;
  /** ISO time, where the transcript has one. */
  readonly time: string | undefined;
  readonly toolCalls: readonly ToolCall[];
  /** What the person chose where a tool of the client's asked; `text` is empty then: the words are the agent's. */
  readonly answers?: readonly Answer[];
  /** The person broke in while the agent was at it. */
  readonly interrupted?: true;
}

export interface Answer {
  readonly question: string;
  /** The chosen option, or what the person typed in place of one. */
  readonly answer: string;
  readonly options: readonly string[];
}

/** One session of any agent, in the order it was said. */
export interface Transcript {
  readonly agent: string;
  readonly session: string;
  readonly cwd: string | undefined;
  readonly turns: readonly Turn[];
  /** Text that tools returned, for the gate that tells whose words a sentence was. */
  readonly toolTexts: readonly string[];
  /** Ids of tool calls that failed, where the client says so; a call that the person would not allow is none. */
  readonly failedCalls?: readonly string[];
  /** Lines that could not be read: 1-based numbers and why. Never fatal. */
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

/** One line of JSON. Bytes that are not a text are passed over where the rest can still be read. */
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

/** Every text in a value, depth first, for tool inputs and results of any shape. */
export function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (depth > 12 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
}

export type JsonObject = { readonly [key: string]: unknown };

/** How one client writes its sessions down, line by line. */
export interface TranscriptFormat {
  /** The client, as `memdir install` names it. */
  readonly agent: string;
  /** Whether a file that begins with these objects is one of this client's. */
  recognises(lines: readonly JsonObject[]): boolean;
  open(): TranscriptReader;
}

/** Takes the lines of one session in order; never throws: a line that cannot be read is a problem of the transcript. */
export interface TranscriptReader {
  /** `number` is 1-based, for problems and for ids of messages that have none. */
  read(line: string, number: number): void;
  /** What was read so far. */
  transcript(): Transcript;
  /**
   * For sessions larger than memory: hands over the turns that no later line should change, with `all` the others
   * too, and forgets them and the problems. Session, working directory and recent tool texts stay known. A reader
   * without it is held in memory whole, and read anew each time.
   */
  drain?(all: boolean): Drained;
}

export interface Drained {
  /** Only what is handed over. */
  readonly transcript: Transcript;
  /** The line with which the first turn begins that was not; `undefined` when nothing stays. */
  readonly resumeLine: number | undefined;
}

/** Reads a whole session that is in memory. */
export function readTranscript(text: string, format: TranscriptFormat): Transcript {
  const reader = format.open();
  const lines = text.replace(/^\uFEFF/u, "").split(/\r\n|\n|\r/u);
  for (const [index, line] of lines.entries()) {
    if (line.trim() !== "") reader.read(line, index + 1);
  }
  return reader.transcript();
}
