/** What a side query found after the prompt had been answered without it, kept for the next opportunity of the same turn. */
export interface LateRecall {
  /** The turn it belongs to, as the client names it; another turn has no use for it. */
  readonly turn: string | undefined;
  /** What to give the agent. */
  readonly text: string;
  readonly files: readonly string[];
  /** When it was found (ms). */
  readonly time: number;
  /** It asks the agent to save something: nothing for a session whose memory may not be written. */
  readonly asksToSave?: boolean;
}

/** How long a turn can still use it. */
export const LATE_RECALL_MS = 10 * 60_000;

/** Longer texts are not kept: no client would pass them on (characters). */
export const LATE_RECALL_CHARACTERS = 20_000;

/** One late answer a session; a newer one takes the place of an older. */
export interface LateRecalls {
  /** Nothing happens where it cannot be written: it is only a second chance. */
  keep(session: string, late: LateRecall): void;
  /** Gives it to one taker only, and forgets it. */
  take(session: string): LateRecall | undefined;
}

/** The late answer of a session, if it still belongs to this turn and is not too old. */
export function takeLate(
  recalls: LateRecalls,
  session: string,
  turn: string | undefined,
  now: number,
): LateRecall | undefined {
  const late = recalls.take(session);
  if (late === undefined || now - late.time > LATE_RECALL_MS) return undefined;
  return turn !== undefined && late.turn !== undefined && turn !== late.turn ? undefined : late;
}

/** Keeps an answer that is worth delivering. */
export function keepLate(recalls: LateRecalls, session: string, late: LateRecall): void {
  if (late.text !== "" && late.text.length <= LATE_RECALL_CHARACTERS) recalls.keep(session, late);
}
