import { noteKey } from "../../core/recall/ledger.ts";
import { type LoggedNote, type LoggedRecall, readLogLine, readSessionMark } from "../../core/recall/log-line.ts";
import { safeId } from "../../core/shared/redact.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { liveEntries } from "../workspace/workspace.ts";
import type { GivenNote, SessionEvent, SessionItem, SessionsView, SessionView } from "./activity-shapes.ts";
import { idOf, type Reading, refOf } from "./reading.ts";

/** What a text of so many characters costs, about. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / 4);
}

/** Something of the log, with its session and time: a recall, or a mark. */
export interface LoggedEvent {
  readonly session: string;
  readonly time: string;
  readonly event: SessionEvent;
}

/** The log as events of sessions, oldest first; recalls without a session are left out. */
export function sessionEvents(workspace: OpenWorkspace): readonly LoggedEvent[] {
  return workspace.recallLog.tail().flatMap((line): LoggedEvent[] => {
    const mark = markEvent(line);
    if (mark !== undefined) return [mark];
    const recall = readLogLine(line);
    if (recall?.session === undefined) return [];
    return [{ session: recall.session, time: recall.time, event: promptEvent(workspace, recall) }];
  });
}

function markEvent(line: string): LoggedEvent | undefined {
  const mark = readSessionMark(line);
  const value = mark === undefined ? undefined : parseJson(line);
  if (mark === undefined || !isRecord(value)) return undefined;
  const { session, time } = value;
  if (typeof session !== "string" || typeof time !== "string") return undefined;
  if (mark.kind === "forked") return { session, time, event: { kind: "forked", time, from: mark.from } };
  if (mark.kind === "compacted") return { session, time, event: { kind: "compacted", time } };
  if (mark.kind === "triggered") return { session, time, event: { kind: "trigger", time, pointed: mark.notes } };
  const pinned = mark.pinned.map((note): GivenNote => ({ id: noteKey(note), ...(note.isCut && { cut: true }) }));
  return { session, time, event: { kind: "start", time, pinned, listed: mark.listed } };
}

function promptEvent(workspace: OpenWorkspace, recall: LoggedRecall): SessionEvent {
  const { time, prompt, selected, pointed, characters, by, spent, cut } = recall;
  const cutNotes = new Set(cut.map(noteKey));
  const given = (note: LoggedNote): GivenNote => ({
    id: noteKey(note),
    score: note.score,
    ...(cutNotes.has(noteKey(note)) && { cut: true }),
    ...since(workspace, note),
  });
  return {
    kind: "prompt",
    time,
    ...(prompt !== undefined && { prompt }),
    shown: selected.map(given),
    pointed: pointed.map(given),
    tokens: tokensOf(characters),
    by,
    ...(spent === true && { spent }),
  };
}

function since(workspace: OpenWorkspace, note: LoggedNote): Pick<GivenNote, "since"> {
  const entry = refOf(workspace, noteKey(note))?.entry;
  if (entry === undefined) return { since: "gone" };
  return note.hash !== "" && entry.hash !== note.hash ? { since: "changed" } : {};
}

export function sessionsView({ workspace }: Reading): SessionsView {
  return { sessions: [...itemsOf(sessionEvents(workspace)).values()].toSorted((a, b) => (a.last < b.last ? 1 : -1)) };
}

function itemsOf(events: readonly LoggedEvent[]): ReadonlyMap<string, SessionItem> {
  const items = new Map<string, SessionItem>();
  for (const { session, time, event } of events) {
    const before = items.get(session) ?? { id: session, first: time, last: time, recalls: 0, tokens: 0 };
    const isPrompt = event.kind === "prompt";
    items.set(session, {
      ...before,
      last: time > before.last ? time : before.last,
      recalls: before.recalls + (isPrompt ? 1 : 0),
      tokens: before.tokens + (isPrompt ? event.tokens : 0),
    });
  }
  return items;
}

/** What a session was given and what was captured from it; `undefined` for one that neither log nor notes know. */
export function sessionView({ workspace }: Reading, asked: string): SessionView | undefined {
  const id = safeId(asked);
  const events = sessionEvents(workspace).filter(({ session }) => session === id);
  const captured = liveEntries(workspace).flatMap(({ scoped, entry }) => {
    const bytes = scoped.store.read(entry.file);
    const session = bytes === undefined ? undefined : parseNote(entry.file, bytes, workspace.codec).evidence?.session;
    const { name, description } = entry;
    return session === id ? [{ id: idOf(scoped, entry.file), name, description }] : [];
  });
  const waiting = workspace.review.entries().flatMap((one) => (one.evidence.session === id ? [one.id] : []));
  const item = itemsOf(events).get(id);
  if (item === undefined && captured.length === 0 && waiting.length === 0) return undefined;
  return {
    ...(item ?? { id, first: "", last: "", recalls: 0, tokens: 0 }),
    events: events.map(({ event }) => event),
    captured,
    waiting,
  };
}
