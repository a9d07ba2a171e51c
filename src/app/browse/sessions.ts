import { INDEX_FILE, noteKey } from "../../core/notes/names.ts";
import { type LoggedNote, type LoggedRecall, readLine, type SessionMark } from "../../core/recall/log-line.ts";
import { safeId } from "../../core/shared/sanitize.ts";
import { parseNote, shownText } from "../../core/notes/parse-note.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { liveEntries, type Workspace } from "../workspace/workspace.ts";
import type {
  AskView,
  CostView,
  GivenNote,
  SessionEvent,
  SessionItem,
  SessionsView,
  SessionView,
  WhyNot,
} from "./activity-shapes.ts";
import { idOf, type Reading, refOf } from "./note-list.ts";
import { loadIndex } from "../../core/notes/index-file.ts";
import { sumSpend } from "../../core/models/spend.ts";
import { dayIn } from "../../core/shared/clock.ts";
import { estimateTokens } from "../../core/shared/text.ts";
import { modelSpending } from "../models/open-model.ts";
import { absenceSentence, explainAbsence, placeSentences, remedySentence } from "../recall/explain-absence.ts";
import { explainProbe, outcomeWords, probeRecall, verdictSentence } from "../recall/explain-recall.ts";
import type { NoteId } from "./shapes.ts";

/** Clients that are given the text of `memdir recall` unchanged. */
const CLIENTS = ["claude-code", "codex", "gemini", "opencode", "mcp"];

/** What a prompt would be given and why. Not counted or logged. */
export function askView(
  { workspace }: Reading,
  { prompt, session, note }: { readonly prompt: string; readonly session?: string; readonly note?: NoteId },
): AskView {
  for (const { store } of workspace.stores) store.reconcile("full");
  const probe = probeRecall(workspace, prompt, session);
  const explanation = explainProbe(workspace, probe);
  const { text } = probe.rendered;
  const ref = note === undefined ? undefined : refOf(workspace, note);
  return {
    prompt,
    verdict: explanation.verdict,
    says: verdictSentence(explanation),
    floors: explanation.floors,
    words: explanation.words.map(({ word, notes, former, terms }) => ({
      word,
      notes: Math.max(notes, former),
      telling: terms.length > 0,
    })),
    candidates: explanation.candidates.map((candidate) => {
      const { scope, file, score, fate, has, succeeds, relates, lacks } = candidate;
      const entry = workspace.stores.find((one) => one.scope === scope)?.store.index.entry(file);
      return {
        id: idOf({ scope }, file),
        file,
        scope,
        name: entry?.name ?? file,
        description: entry?.description ?? "",
        score,
        fate,
        says: outcomeWords(candidate, explanation),
        has,
        relates: [...succeeds, ...relates],
        lacks,
      };
    }),
    more: explanation.more,
    given: [{ clients: CLIENTS, text, tokens: estimateTokens(text) }],
    ...(explanation.ms !== undefined && { ms: explanation.ms }),
    remarks: explanation.remarks,
    ...(ref !== undefined && { whyNot: whyNot(workspace, ref, prompt, session) }),
  };
}

function whyNot(
  workspace: Workspace,
  ref: Parameters<typeof explainAbsence>[1],
  prompt: string,
  session: string | undefined,
): WhyNot {
  const absence = explainAbsence(workspace, ref, prompt, session);
  const remedy = remedySentence(absence);
  return {
    id: idOf(ref.scoped, ref.file),
    reason: absence.reason,
    says: absenceSentence(absence),
    score: absence.score,
    ...(absence.rank !== undefined && { rank: absence.rank }),
    places: placeSentences(absence),
    ...(remedy !== undefined && { remedy }),
  };
}

/** The estimated token cost of a text with this many characters. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / 4);
}

/** A log entry (a recall or a mark) with its session and time. */
export interface LoggedEvent {
  readonly session: string;
  readonly time: string;
  readonly event: SessionEvent;
}

/** The log as session events, oldest first. Recalls without a session are left out. */
export function sessionEvents(workspace: OpenWorkspace): readonly LoggedEvent[] {
  return workspace.recallLog.tail().flatMap((line): LoggedEvent[] => {
    const read = readLine(line);
    if (read?.session === undefined) return [];
    const event = "selected" in read ? promptEvent(workspace, read) : markEvent(read, read.time);
    return [{ session: read.session, time: read.time, event }];
  });
}

function markEvent(mark: SessionMark, time: string): SessionEvent {
  if ("forkedFrom" in mark) return { kind: "forked", time, from: mark.forkedFrom };
  if ("compacted" in mark) return { kind: "compacted", time };
  if ("triggered" in mark) return { kind: "trigger", time, pointed: mark.triggered };
  const pinned = mark.started.map((note): GivenNote => ({ id: noteKey(note), ...(note.isCut && { cut: true }) }));
  return { kind: "start", time, pinned, listed: mark.listed };
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
  const items = new Map(itemsOf(sessionEvents(workspace)));
  for (const { evidence, time } of workspace.review.entries()) {
    const { session } = evidence;
    const before = items.get(session) ?? newItem(session, time);
    items.set(session, { ...before, waiting: before.waiting + 1 });
  }
  return { sessions: [...items.values()].toSorted((a, b) => (a.last < b.last ? 1 : -1)) };
}

function newItem(id: string, time: string): SessionItem {
  return { id, first: time, last: time, recalls: 0, tokens: 0, waiting: 0 };
}

function itemsOf(events: readonly LoggedEvent[]): ReadonlyMap<string, SessionItem> {
  const items = new Map<string, SessionItem>();
  for (const { session, time, event } of events) {
    const before = items.get(session) ?? newItem(session, time);
    const isPrompt = event.kind === "prompt";
    const prompt = before.prompt ?? (isPrompt ? event.prompt : undefined);
    items.set(session, {
      ...before,
      ...(prompt !== undefined && { prompt }),
      last: time > before.last ? time : before.last,
      recalls: before.recalls + (isPrompt ? 1 : 0),
      tokens: before.tokens + (isPrompt ? event.tokens : 0),
    });
  }
  return items;
}

/** What a session was given and what was captured from it. `undefined` if neither the log nor a note knows it. */
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
    ...(item ?? newItem(id, "")),
    events: events.map(({ event }) => event),
    captured,
    waiting,
  };
}

const MOST_NOTES = 20;

/** What memory costs: text given to agents, text at session starts, and payments for models. */
export function costView({ workspace, kept }: Reading): CostView {
  const { clock } = workspace;
  const recalls = kept.recalls(workspace.recallLog);
  const byDay = grouped(recalls, ({ time }) => dayIn(clock.timeZone, Date.parse(time)));
  const times = new Map<string, number>();
  for (const { selected, pointed } of recalls)
    for (const note of [...selected, ...pointed]) times.set(noteKey(note), (times.get(noteKey(note)) ?? 0) + 1);
  const spending = grouped(modelSpending(workspace.locations), ({ time }) => dayIn(clock.timeZone, time));
  return {
    days: [...byDay].toSorted(byFirst).map(([day, some]) => ({
      day,
      recalls: some.length,
      tokens: some.reduce((sum, { characters }) => sum + tokensOf(characters), 0),
      sessions: new Set(some.flatMap(({ session }) => session ?? [])).size,
    })),
    notes: [...times]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, MOST_NOTES)
      .map(([id, count]) => ({ id, times: count })),
    start: workspace.stores.flatMap(({ scope, store }) => {
      const page = store.read(INDEX_FILE);
      const loaded = page === undefined ? undefined : loadIndex(shownText(page)).text;
      return loaded === undefined
        ? []
        : [{ scope, tokens: estimateTokens(loaded), lines: loaded === "" ? 0 : loaded.split("\n").length }];
    }),
    models: [...spending].toSorted(byFirst).map(([day, entries]) => {
      const { requests, tokens, dollars } = sumSpend(entries);
      return { day, requests, tokens, dollars };
    }),
  };
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
