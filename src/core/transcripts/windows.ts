import type { Drained, TranscriptFormat, TranscriptReader, Transcript, Turn } from "./turn.ts";
import { withoutBulk } from "./tool-calls.ts";

/** One line of a transcript's file. */
export interface TranscriptLine {
  /** `undefined` if it is too long to be read. */
  readonly text: string | undefined;
  /** 1-based. */
  readonly number: number;
  /** Byte offsets in the file: of its first byte, and after its end. */
  readonly start: number;
  readonly end: number;
  /** The file ends in the middle of it: it is still being written. */
  readonly torn: boolean;
}

/** How far a session was read: reading resumes at `offset`, after `line` lines; turns after `after` are new. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly after: string | undefined;
}

export const BEGINNING: Position = { offset: 0, line: 0, after: undefined };

/** How far a session was read; for a file, with a fingerprint that tells whether it is still the same. */
export interface SessionPlace {
  readonly offset: number;
  readonly line: number;
  readonly fingerprint: string;
  /** In a database: the message to start from. */
  readonly after?: string | undefined;
}

/** A part of a session that is judged as a unit. */
export interface TranscriptWindow {
  /** Its turns; if the first is the user's, preceded by the agent's last words before it. */
  readonly transcript: Transcript;
  /** How many of the turns are new. */
  readonly turns: number;
  /** Where to resume after it was processed. */
  readonly next: Position;
}

export interface WindowOptions {
  readonly format: TranscriptFormat;
  readonly from: Position;
  /** How much of a window's room a turn takes. */
  readonly weigh: (turn: Turn) => number;
  readonly room: number;
}

/** Bytes read between two checks for finished turns. */
const BATCH_BYTES = 1 << 18;
/** A message that is still open after this many more bytes has ended without saying so. */
const GROWING_BYTES = 8 << 20;
/** The limit for a file that is not a transcript; the first problems are enough. */
const MOST_PROBLEMS = 50;

/**
 * Reads a session of any size, window by window, in bounded memory if the client's reader can drain. `lines` may begin
 * before the position: earlier lines are context. Returns whether the turn to resume after was found; if not, nothing
 * was yielded and the session must be read from its beginning.
 */
export function* readWindows(
  lines: Iterable<TranscriptLine>,
  options: WindowOptions,
): Generator<TranscriptWindow, boolean> {
  const { from, weigh, room } = options;
  let skipping = from.after !== undefined;
  let context: Turn | undefined;
  let held: Held[] = [];
  let weight = 0;
  let problems: Transcript["problems"] = [];
  for (const batch of batchesOf(lines, options)) {
    // Unreadable lines of the context were reported when they were new.
    if (!batch.isContext) problems = [...problems, ...batch.transcript.problems].slice(0, MOST_PROBLEMS);
    for (const turn of batch.transcript.turns) {
      if (batch.isContext || skipping) {
        if (isReply(turn)) context = turn;
        if (turn.id === from.after) skipping = false;
        continue;
      }
      held.push({ turn: withoutBulk(turn), start: batch.start });
      weight += weigh(turn);
      while (weight > room && held.length > 1) {
        const [now, later] = split(held, weigh, room);
        yield windowOf(now, { ...batch.transcript, problems }, context, afterTurn(now));
        problems = [];
        context = now.findLast(({ turn: said }) => isReply(said))?.turn ?? context;
        held = later;
        weight = later.reduce((sum, { turn: said }) => sum + weigh(said), 0);
      }
    }
    if (!batch.isLast || skipping) continue;
    // Even without new turns: what was read need not be read again.
    yield windowOf(held, { ...batch.transcript, problems }, context, batch.next);
  }
  return !skipping;
}

interface Held {
  readonly turn: Turn;
  readonly start: Place;
}

type Place = Pick<Position, "offset" | "line">;

function isReply({ role, text }: Turn): boolean {
  return role === "assistant" && text !== "";
}

function afterTurn(turns: readonly Held[]): Position {
  const last = turns.at(-1);
  return last === undefined ? BEGINNING : { ...last.start, after: last.turn.id };
}

function windowOf(
  held: readonly Held[],
  transcript: Transcript,
  context: Turn | undefined,
  next: Position,
): TranscriptWindow {
  const before = context !== undefined && held[0]?.turn.role === "user" ? [context] : [];
  return {
    transcript: { ...transcript, turns: [...before, ...held.map(({ turn }) => turn)] },
    turns: held.length,
    next,
  };
}

/** As many turns as fit; the user's words and the agent's response stay together if possible. */
function split(held: readonly Held[], weigh: WindowOptions["weigh"], room: number): readonly [Held[], Held[]] {
  let weight = 0;
  let most = 0;
  let between = 0;
  for (const [index, { turn }] of held.entries()) {
    if (turn.role === "user" && weight >= room / 2) between = index;
    weight += weigh(turn);
    if (weight > room) break;
    most = index + 1;
  }
  const at = between > 0 ? between : Math.max(1, most);
  return [held.slice(0, at), held.slice(at)];
}

interface Batch {
  readonly transcript: Transcript;
  readonly start: Place;
  readonly next: Position;
  readonly isContext: boolean;
  readonly isLast: boolean;
}

function* batchesOf(lines: Iterable<TranscriptLine>, { format, from }: WindowOptions): Generator<Batch> {
  const reader = format.open();
  const canDrain = reader.drain !== undefined;
  /** The start of each line that may still be part of a turn. */
  const starts = new Map<number | undefined, Place>();
  const tooLong: { line: number; reason: string }[] = [];
  let [start, end, isContext]: [Place, Place, boolean] = [from, from, canDrain];
  let bytes = 0;
  const batch = (all: boolean, isLast: boolean): Batch => {
    const { transcript, resumeLine } = take(reader, all);
    const resume = starts.get(resumeLine) ?? end;
    const problems = [...tooLong.splice(0), ...transcript.problems].slice(0, MOST_PROBLEMS);
    const turn = transcript.turns.at(-1);
    // A reader that cannot drain starts from the beginning again.
    const next = canDrain ? { ...resume, after: undefined } : { ...start, after: turn?.id };
    return { transcript: { ...transcript, problems }, start, next, isContext, isLast };
  };
  for (const line of lines) {
    if (isContext && line.start >= from.offset) {
      yield batch(true, false);
      isContext = false;
    }
    if (line.text === undefined) tooLong.push({ line: line.number, reason: "too long to be read; it was left out" });
    else if (line.text.trim() !== "") reader.read(line.text, line.number);
    if (isContext || line.torn) continue;
    starts.set(line.number, { offset: line.start, line: line.number - 1 });
    end = { offset: line.end, line: line.number };
    bytes += line.end - line.start;
    if (bytes < BATCH_BYTES || !canDrain) continue;
    const ready = batch(end.offset - start.offset > GROWING_BYTES, false);
    yield ready;
    start = ready.next;
    bytes = 0;
    for (const [number, { line: before }] of starts) if (before < start.line) starts.delete(number);
  }
  if (isContext) yield batch(true, false);
  isContext = false;
  yield batch(true, true);
}

function take(reader: TranscriptReader, all: boolean): Drained {
  return reader.drain?.(all) ?? { transcript: reader.transcript(), resumeLine: undefined };
}
