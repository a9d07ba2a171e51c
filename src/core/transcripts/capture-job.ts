import type { Position } from "./windows.ts";

/**
 * What the end of a turn leaves behind for capture: ids, and where things are. Nothing that anybody said.
 * A session has one waiting record at most: a later turn takes the place of an earlier one, whose range it covers. What a
 * program hands over waits beside it, each time in a file of its own.
 */
export interface CaptureJob {
  /** The client, as transcripts name it: `claude-code`. */
  readonly agent: string;
  readonly session: string;
  /** Absolute path of the session's transcript. */
  readonly transcript: string;
  /** The transcript was made for this record alone, by a program that handed its turns over: it goes when it was captured. */
  readonly handedOver: boolean;
  /** The turn that ended, where the client names turns. */
  readonly turn: string | undefined;
  /** Whether turns ended that are to be captured. */
  readonly capture: boolean;
  /** A checkpoint of the session is to be saved, because of this. */
  readonly checkpoint: "before-compaction" | "session-end" | undefined;
  /** Where the session works: which project's memory it is. */
  readonly cwd: string;
  /** Variables that moved memory elsewhere when the turn ended; only the names in `PLACE_VARIABLES`. */
  readonly place: Readonly<Record<string, string>>;
  /** When the turn ended (ms). */
  readonly time: number;
  /** How often a worker began it and came to no end. */
  readonly attempts: number;
}

/** A record that takes the place of another of its session: what was still to be done stays to be done. */
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

/** They say where memory is and whether it is on; none of them holds a secret. */
const PLACE_VARIABLES = [
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_REMOTE_MEMORY_DIR",
  "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
  "MEMDIR_DIR",
  "MEMDIR_MODE",
] as const;

/** `undefined` for text that is not a record: torn by a power loss, or someone else's. */
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

/** Of an environment, what decides where memory is. */
export function placeOf(environment: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    PLACE_VARIABLES.flatMap((name): [string, string][] => {
      const value: unknown = Reflect.get(environment, name);
      return typeof value === "string" && value !== "" ? [[name, value]] : [];
    }),
  );
}

/** An environment in which memory is where `place` says, whatever that environment said. */
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
    if (error instanceof SyntaxError) return undefined; // torn: the turn is captured at the next one's end
    throw error;
  }
}

export function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : 0;
}

/** How far one session was captured into one store. */
export interface Cursor extends Position {
  /** Of the file up to the position: a file that was rewritten is read anew. */
  readonly fingerprint: string;
  /** The turn that was captured last, as the client or the transcript names it. */
  readonly turn: string | undefined;
  /** When it was written (ms). */
  readonly time: number;
}

/** Whose cursor it is. */
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
  /** Forgets the oldest beyond what is kept. */
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
