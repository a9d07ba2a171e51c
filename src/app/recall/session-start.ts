import { noteKey, type SessionLedger, surfacedIn } from "../../core/recall/ledger.ts";
import { type SessionMark, writeSessionMark } from "../../core/recall/log-line.ts";
import { safeId } from "../../core/shared/redact.ts";
import { mayWrite } from "../workspace/modes.ts";
import type { RecallWorkspace } from "./recall-notes.ts";
import { startContext, type StartOptions } from "./start-context.ts";

/** What a session is given beside its prompts. */
export interface SessionStart {
  readonly text: string;
  /** Hash of each pinned note that stands whole in `text`, by `noteKey`. */
  readonly given: ReadonlyMap<string, string>;
  /** Notes that have a line in `text`, by `noteKey`. */
  readonly listed: ReadonlySet<string>;
  /** Remembers that the session has it; to be called once it was delivered. */
  readonly delivered: () => void;
}

export const NO_START: SessionStart = {
  text: "",
  given: new Map(),
  listed: new Set(),
  delivered: () => undefined,
};

export interface SessionStartOptions extends Omit<StartOptions, "source" | "known"> {
  readonly session: string;
  /** The conversation goes on from something: what that was given is in front of its model. */
  readonly goesOn: boolean;
  /** It was compacted a moment ago. */
  readonly isCompacted: boolean;
}

/**
 * What a session has to be given of its start: all of it the first time, and again once `forgetGiven` said that it is
 * gone; otherwise pinned notes that are new or have changed. Where nothing is logged it is not known what a session
 * has: then one that goes on is given nothing.
 */
export function startOfSession(workspace: RecallWorkspace, options: SessionStartOptions): SessionStart {
  const { session, goesOn, isCompacted, ...rest } = options;
  const isKept = keepsLedger(workspace, session);
  const { started } = isKept ? surfacedIn(workspace.recallLog, session) : { started: undefined };
  if (!isKept && goesOn) return NO_START;
  const source = started !== undefined ? "changed-pins" : isCompacted ? "after-compaction" : "session-start";
  const { text, pinned, listed } = startContext(workspace, { ...rest, source, known: started ?? new Map() });
  return {
    text,
    given: new Map(pinned.filter(({ isCut }) => !isCut).map((note) => [noteKey(note), note.hash])),
    listed: new Set(listed),
    delivered: () => {
      if (text !== "") mark(workspace, session, { kind: "started", pinned, listed });
    },
  };
}

/** Whether the session was given its start, as far as that is known. */
export function startIn(workspace: RecallWorkspace, session: string): SessionLedger["started"] {
  return keepsLedger(workspace, session) ? surfacedIn(workspace.recallLog, session).started : undefined;
}

/** The session's conversation was replaced by a summary: notes that were recalled before may be again. */
export function forgetSurfaced(workspace: LedgerKeeper, session: string): void {
  mark(workspace, session, { kind: "compacted", anew: false });
}

/** Nothing that the session was given is in front of its model any more, its start included. */
export function forgetGiven(workspace: LedgerKeeper, session: string): void {
  mark(workspace, session, { kind: "compacted", anew: true });
}

/** The session goes on from a copy of another: what that had been given, it has. */
export function inheritGiven(workspace: LedgerKeeper, session: string, from: string): void {
  if (from !== session) mark(workspace, session, { kind: "forked", from: safeId(from) });
}

type LedgerKeeper = Pick<RecallWorkspace, "recallLog" | "clock" | "mode" | "stores">;

function keepsLedger({ recallLog, mode, stores }: LedgerKeeper, session: string): boolean {
  return mayWrite(mode) && recallLog.keeps !== "nothing" && session !== "" && stores.length > 0;
}

function mark(workspace: LedgerKeeper, session: string, happened: SessionMark): void {
  const { recallLog, clock } = workspace;
  if (keepsLedger(workspace, session))
    recallLog.append(writeSessionMark(safeId(session), new Date(clock.now()).toISOString(), happened));
}
