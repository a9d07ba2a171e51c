import type { Transcript } from "./turn.ts";

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

/** One line of JSON. Bytes that are no text are passed over where the rest can still be read. */
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
