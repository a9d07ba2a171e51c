import { numberOf, parseRecord } from "./capture-job.ts";
import type { Position } from "./windows.ts";

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
