import type { Position } from "./windows.ts";

/**
 * A record left by the end of a turn for capture: ids and locations, no conversation text. A session has at most one
 * waiting record: a later turn's replaces an earlier one's, whose range it covers. Conversations handed over by a
 * program each wait in a file of their own.
 */
export interface CaptureJob {
  /** The client, as transcripts name it: `claude-code`. */
  readonly agent: string;
  readonly session: string;
  /** Absolute path of the session's transcript. */
  readonly transcript: string;
  /** The transcript was made only for this record, from turns that a program handed over; deleted after capture. */
  readonly handedOver: boolean;
  /** The turn that ended, if the client names turns. */
  readonly turn: string | undefined;
  /** Whether ended turns are to be captured. */
  readonly capture: boolean;
  /** A checkpoint of the session is to be saved, for this reason. */
  readonly checkpoint: "before-compaction" | "session-end" | undefined;
  /** The session's working directory, which determines the project's memory. */
  readonly cwd: string;
  /** Variables that moved memory elsewhere when the turn ended; only names from `PLACE_VARIABLES`. */
  readonly place: Readonly<Record<string, string>>;
  /** When the turn ended (ms). */
  readonly time: number;
  /** How often a worker started it without finishing. */
  readonly attempts: number;
}

/** Merges a record with the waiting one of its session that it replaces: work still to be done stays. */
export function withWaiting(job: CaptureJob, waiting: CaptureJob | undefined): CaptureJob {
  return waiting === undefined
    ? job
    : {
        ...job,
        turn: job.turn ?? waiting.turn,
        capture: job.capture || waiting.capture,
        checkpoint: job.checkpoint ?? waiting.checkpoint,
      };
}

/** Variables that say where memory is and whether it is on; none holds a secret. */
const PLACE_VARIABLES = [
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_REMOTE_MEMORY_DIR",
  "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
  "MEMDIR_DIR",
  "MEMDIR_MODE",
] as const;

/** `undefined` for text that is not a record: cut off by a power loss, or written by another program. */
export function parseCaptureJob(text: string): CaptureJob | undefined {
  const value = parseRecord(text);
  if (value === undefined) return undefined;
  const { agent, session, transcript, turn, cwd, place, time, attempts, capture, checkpoint, handedOver } = value;
  if (
    typeof agent !== "string" ||
    typeof session !== "string" ||
    typeof transcript !== "string" ||
    typeof cwd !== "string"
  )
    return undefined;
  return {
    agent,
    session,
    transcript,
    handedOver: handedOver === true,
    cwd,
    turn: typeof turn === "string" ? turn : undefined,
    capture: capture !== false,
    checkpoint: checkpoint === "before-compaction" || checkpoint === "session-end" ? checkpoint : undefined,
    place: placeOf(typeof place === "object" && place !== null ? place : {}),
    time: numberOf(time),
    attempts: numberOf(attempts),
  };
}

/** The variables of an environment that decide where memory is. */
export function placeOf(environment: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PLACE_VARIABLES.flatMap((name): [string, string][] => {
      const value: unknown = Reflect.get(environment, name);
      return typeof value === "string" && value !== "" ? [[name, value]] : [];
    }),
  );
}

/** The environment with its place variables replaced by `place`. */
export function environmentAt(
  place: CaptureJob["place"],
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const moved: ReadonlySet<string> = new Set(PLACE_VARIABLES);
  return { ...Object.fromEntries(Object.entries(environment).filter(([name]) => !moved.has(name))), ...place };
}

export function parseRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // cut off: the turn is captured when the next one ends
    throw error;
  }
}

export function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : 0;
}

/** How far one session has been captured into one store. */
export interface Cursor extends Position {
  /** Of the file up to the position: a rewritten file is read again from the start. */
  readonly fingerprint: string;
  /** The last captured turn, as the client or the transcript names it. */
  readonly turn: string | undefined;
  /** When it was written (ms). */
  readonly time: number;
}

/** What a cursor belongs to. */
export interface CursorKey {
  readonly agent: string;
  readonly session: string;
  /** The directory of notes: the same session may be captured into several. */
  readonly store: string;
}

export interface Cursors {
  read(key: CursorKey): Cursor | undefined;
  /** On disk when it returns. @throws MemoryError when it cannot be written. */
  write(key: CursorKey, cursor: Cursor): void;
  /** Drops the oldest cursors beyond the limit. */
  prune(): void;
}

export function parseCursor(text: string): Cursor | undefined {
  const value = parseRecord(text);
  if (value === undefined || typeof value["fingerprint"] !== "string") return undefined;
  const { after, turn } = value;
  return {
    offset: numberOf(value["offset"]),
    line: numberOf(value["line"]),
    time: numberOf(value["time"]),
    fingerprint: value["fingerprint"],
    after: typeof after === "string" ? after : undefined,
    turn: typeof turn === "string" ? turn : undefined,
  };
}
