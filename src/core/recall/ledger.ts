import { safeId } from "../shared/sanitize.ts";
import { type PinnedNote, readLogLine, readSessionMark, type SessionMark, type RecallLog } from "./log-line.ts";
import { noteKey } from "../notes/names.ts";

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

/** What a session has received so far. */
export interface SessionLedger {
  /** Hash of each note that was shown whole, by `scope:file`: a note that changed since may be shown again. */
  readonly surfaced: ReadonlyMap<string, string>;
  /** The same of notes that were shown in one line. */
  readonly pointedAt: ReadonlyMap<string, string>;
  /** The same of pinned notes that it was given at its start; `undefined` when no start is in front of its model. */
  readonly started: ReadonlyMap<string, string> | undefined;
  /** Notes that have a line in the index it was given at its start, by `scope:file`. */
  readonly listed: ReadonlySet<string>;
  /** Notes of which a tool call brought up a line, by `scope:file`. */
  readonly triggered: ReadonlySet<string>;
  /** Characters of recalled text in all. */
  readonly characters: number;
  /** Its agent was told that these are as many as a session is given. */
  readonly toldSpent: boolean;
}

interface Ledger extends SessionLedger {
  surfaced: Map<string, string>;
  pointedAt: Map<string, string>;
  started: ReadonlyMap<string, string> | undefined;
  /** Those of `started` that were shown to their end. */
  startedWhole: ReadonlyMap<string, string>;
  listed: ReadonlySet<string>;
  triggered: ReadonlySet<string>;
  characters: number;
  toldSpent: boolean;
}

/** A session that was given nothing but its start. */
function ledgerAfter(start?: Pick<Ledger, "started" | "startedWhole" | "listed">): Ledger {
  const { started, startedWhole = new Map<string, string>(), listed = new Set<string>() } = start ?? {};
  return {
    surfaced: new Map(startedWhole),
    pointedAt: new Map(),
    started,
    startedWhole,
    listed,
    triggered: new Set(),
    characters: 0,
    toldSpent: false,
  };
}

/** Some hundred recalls of this project, all sessions together: what was given before those may be given again. */
const SESSION_BYTES = 400_000;

/**
 * Reads a session's ledger from the log. Lines of other sessions are passed over without being parsed, but for those
 * of the session that it was forked from. What came before a compaction is no longer in front of the model, so it does
 * not count; what the session started with was said again then, or is there still.
 */
export function surfacedIn(log: Pick<RecallLog, "tail"> | undefined, session: string): SessionLedger {
  return readLedger(log?.tail(SESSION_BYTES) ?? [], safeId(session));
}

function readLedger(lines: readonly string[], session: string): Ledger {
  const mark = `"session":${JSON.stringify(session)}`;
  let ledger = ledgerAfter();
  let isNew = true;
  for (const [at, line] of lines.entries()) {
    if (!line.includes(mark)) continue;
    const happened = readSessionMark(line, session);
    // A client may call a fork one at each resume: what its origin was given meanwhile, it does not have.
    if (happened?.kind === "forked") ledger = isNew ? readLedger(lines.slice(0, at), happened.from) : ledger;
    else if (happened?.kind === "compacted") ledger = ledgerAfter(happened.anew ? undefined : ledger);
    else if (happened?.kind === "started") addStart(ledger, happened);
    else if (happened?.kind === "triggered") ledger.triggered = new Set([...ledger.triggered, ...happened.notes]);
    else addRecall(ledger, line, session);
    isNew = false;
  }
  return ledger;
}

function addStart(ledger: Ledger, { pinned, listed }: Extract<SessionMark, { kind: "started" }>): void {
  const hashes = (notes: readonly PinnedNote[]) => notes.map((note) => [noteKey(note), note.hash] as const);
  ledger.started = new Map([...(ledger.started ?? []), ...hashes(pinned)]);
  ledger.startedWhole = new Map([...ledger.startedWhole, ...hashes(pinned.filter(({ isCut }) => !isCut))]);
  if (listed.length > 0) ledger.listed = new Set([...ledger.listed, ...listed]);
  for (const [key, hash] of ledger.startedWhole) ledger.surfaced.set(key, hash);
}

function addRecall(ledger: Ledger, line: string, session: string): void {
  const recall = readLogLine(line);
  // Whether a model's late choice was delivered is not known: better shown twice than never.
  if (recall?.session !== session || recall.by === "model") return;
  for (const note of recall.selected) ledger.surfaced.set(noteKey(note), note.hash);
  for (const note of recall.pointed) ledger.pointedAt.set(noteKey(note), note.hash);
  ledger.characters += recall.characters;
  ledger.toldSpent ||= recall.spent === true;
}
