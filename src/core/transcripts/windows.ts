import type { Drained, TranscriptFormat, TranscriptReader, Transcript, Turn } from "./turn.ts";
import { withoutBulk } from "./tool-calls.ts";

/** One line of a transcript's file. */
export interface TranscriptLine {
  /** `undefined`: longer than is ever read. */
  readonly text: string | undefined;
  /** 1-based. */
  readonly number: number;
  /** Bytes from the start of the file to its first byte, and to that after its end. */
  readonly start: number;
  readonly end: number;
  /** The file ends in the middle of it: someone is still writing. */
  readonly torn: boolean;
}

/** How far a session was read: from `offset` on, which `line` lines precede, what follows the turn `after` is new. */
export interface Position {
  readonly offset: number;
  readonly line: number;
  readonly after: string | undefined;
}

export const BEGINNING: Position = { offset: 0, line: 0, after: undefined };

/** How far a session was read; where it is a file, with what tells that it is still the same one. */
export interface SessionPlace {
  readonly offset: number;
  readonly line: number;
  readonly fingerprint: string;
  /** In a database: the message to begin with. */
  readonly after?: string | undefined;
}

/** A stretch of a session that is judged in one piece. */
export interface TranscriptWindow {
  /** Its turns, and before them what the agent had said last where a person's turn is the first. */
  readonly transcript: Transcript;
  /** How many of the turns are new. */
  readonly turns: number;
  /** Where to go on once it was dealt with. */
  readonly next: Position;
}

export interface WindowOptions {
  readonly format: TranscriptFormat;
  readonly from: Position;
  /** What a turn takes of a window's room. */
  readonly weigh: (turn: Turn) => number;
  readonly room: number;
}

/** Read between two looks at what is finished (bytes). */
const BATCH_BYTES = 1 << 18;
/** A message that is still growing after that much more was written has ended without saying so (bytes). */
const GROWING_BYTES = 8 << 20;
/** Of a file that is not a transcript; the first ones tell. */
const MOST_PROBLEMS = 50;

/**
 * A session of any size, window by window, in bounded memory where the client's reader can hand over what is
 * finished. `lines` may begin before the position: what they say there is context. Returns whether the turn to go
 * on after was found; where it was not, nothing was yielded and the session must be read from its beginning.
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
    // What could not be read of the context was told when it was new.
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
    // Without new turns too: what was read need not be read again.
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

/** As many turns as there is room for; a person's words and what the agent did upon them stay together where that is possible. */
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
  /** Where each line begins that may still be part of a turn. */
  const starts = new Map<number | undefined, Place>();
  const tooLong: { line: number; reason: string }[] = [];
  let [start, end, isContext]: [Place, Place, boolean] = [from, from, canDrain];
  let bytes = 0;
  const batch = (all: boolean, isLast: boolean): Batch => {
    const { transcript, resumeLine } = take(reader, all);
    const resume = starts.get(resumeLine) ?? end;
    const problems = [...tooLong.splice(0), ...transcript.problems].slice(0, MOST_PROBLEMS);
    const turn = transcript.turns.at(-1);
    // A reader that hands nothing over begins at the beginning again.
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
