import { safeId } from "../shared/sanitize.ts";
import { type LoggedRecall, type PinnedNote, readLine, type RecallLog, type SessionMark } from "./log-line.ts";
import { noteKey } from "../notes/names.ts";

/** A side query's result that came after the prompt was answered, kept for a later point in the same turn. */
export interface LateRecall {
  /** The client's id of its turn; it is useless in another turn. */
  readonly turn?: string | undefined;
  /** Text for the agent. */
  readonly text: string;
  readonly files: readonly string[];
  /** When it was found (ms). */
  readonly time: number;
  /** It asks the agent to save something; not for a session whose memory is read-only. */
  readonly asksToSave?: boolean;
}

/** How long a late result stays usable. */
export const LATE_RECALL_MS = 10 * 60_000;

/** Longest text that is kept (characters); no client would pass on more. */
export const LATE_RECALL_CHARACTERS = 20_000;

/** One late result per session; a newer one replaces it. */
export interface LateRecalls {
  /** Does nothing on a write failure: it is only a second chance. */
  keep(session: string, late: LateRecall): void;
  /** Returns it to one caller only and removes it. */
  take(session: string): LateRecall | undefined;
}

/** The late result of a session, if it belongs to this turn and is not too old. */
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

/** Keeps a result if it is worth delivering. */
export function keepLate(recalls: LateRecalls, session: string, late: LateRecall): void {
  if (late.text !== "" && late.text.length <= LATE_RECALL_CHARACTERS) recalls.keep(session, late);
}

/** Hash of each note as it was given, by `scope:file`. */
type Hashes = ReadonlyMap<string, string>;

/** What a session has been given so far. */
export interface SessionLedger {
  /** Notes shown whole; one that changed since may be shown again. */
  readonly surfaced: Hashes;
  /** Likewise shown in one line. */
  readonly pointedAt: Hashes;
  /** Pinned notes given at the start; `undefined` when the model's context has no start. */
  readonly started: Hashes | undefined;
  /** Notes with a line in the index given at the start, by `scope:file`. */
  readonly listed: ReadonlySet<string>;
  /** Notes shown in one line because of a tool call, by `scope:file`. */
  readonly triggered: ReadonlySet<string>;
  /** Total characters of recalled text. */
  readonly characters: number;
  /** The agent was told that the session's limit is reached. */
  readonly toldSpent: boolean;
}

/** A session that was given only its start, with these pinned notes, of which `whole` were not cut. */
function ledgerAfter(started?: Hashes, whole: Hashes = new Map(), listed: ReadonlySet<string> = new Set()) {
  return {
    surfaced: new Map(whole),
    pointedAt: new Map<string, string>(),
    started,
    startedWhole: whole,
    listed,
    triggered: new Set<string>(),
    characters: 0,
    toldSpent: false,
  };
}

type Ledger = ReturnType<typeof ledgerAfter>;

/** Enough for several hundred recalls of the project; notes given before that may be given again. */
const SESSION_BYTES = 400_000;

/**
 * Reads a session's ledger from the log. Lines of other sessions are skipped unparsed, except those of the session it
 * was forked from. A compaction removes earlier recalls from the model's context, so they do not count; the session's
 * start was given again or is still there.
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
    const read = readLine(line);
    if (read?.session !== session) continue;
    // A client may report a fork at each resume; recalls that its origin got since then do not count.
    if ("forkedFrom" in read) ledger = isNew ? readLedger(lines.slice(0, at), read.forkedFrom) : ledger;
    else if ("compacted" in read && read.anew) ledger = ledgerAfter();
    else if ("compacted" in read) ledger = ledgerAfter(ledger.started, ledger.startedWhole, ledger.listed);
    else if ("started" in read) addStart(ledger, read);
    else if ("triggered" in read) addTriggered(ledger, read);
    else addRecall(ledger, read);
    isNew = false;
  }
  return ledger;
}

function addTriggered(ledger: Ledger, mark: Extract<SessionMark, { triggered: unknown }>): void {
  for (const note of mark.triggered) ledger.triggered.add(note);
  for (const { note, hash, whole } of mark.texts) (whole ? ledger.surfaced : ledger.pointedAt).set(note, hash);
}

function addStart(ledger: Ledger, { started, listed }: Extract<SessionMark, { started: unknown }>): void {
  const hashes = (notes: readonly PinnedNote[]) => notes.map((note) => [noteKey(note), note.hash] as const);
  ledger.started = new Map([...(ledger.started ?? []), ...hashes(started)]);
  const whole = hashes(started.filter(({ isCut }) => !isCut));
  ledger.startedWhole = new Map([...ledger.startedWhole, ...whole]);
  ledger.listed = new Set([...ledger.listed, ...listed]);
  for (const [key, hash] of whole) ledger.surfaced.set(key, hash);
}

function addRecall(ledger: Ledger, recall: LoggedRecall): void {
  // It is unknown whether a model's late choice was delivered; showing it twice is better than never.
  if (recall.by === "model") return;
  for (const note of recall.selected) ledger.surfaced.set(noteKey(note), note.hash);
  for (const note of recall.pointed) ledger.pointedAt.set(noteKey(note), note.hash);
  ledger.characters += recall.characters;
  ledger.toldSpent ||= recall.spent === true;
}
