import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { openDreamLock } from "../../adapters/files/dream-lock.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import {
  DREAM_GATES,
  type DreamDue,
  isDreamDue,
  type DreamEdit,
  type DreamOperation,
} from "../../core/dream/operation.ts";
import { loggedRecalls } from "../recall/log-recall.ts";
import { modeIn } from "../workspace/modes.ts";
import type { ScopedStore, Workspace } from "../workspace/workspace.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { isAlive } from "../workspace/alive.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import type { LogNews } from "./distil-log.ts";
import type { Model } from "../../core/models/model.ts";
import type { LogEntry } from "../../core/notes/daily-log.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { instructionText, openExtractor } from "../capture/extractor.ts";
import { replaceBody, splitFrontmatter, setFields } from "../../core/notes/frontmatter.ts";

/** New contents of files, each with the content it was made from. */
export type DreamTexts = ReadonlyMap<string, { readonly base: Uint8Array; readonly content: string }>;

/** The texts that result from applying the operations in order. Files that no longer exist are skipped. */
export function dreamTexts(
  workspace: Workspace,
  scoped: ScopedStore,
  operations: readonly DreamOperation[],
  now: string,
): DreamTexts {
  const texts = new Map<string, { readonly base: Uint8Array; readonly content: string }>();
  for (const edit of operations.flatMap(({ edits }) => edits)) {
    if (edit.kind === "create") {
      texts.set(edit.file, { base: new Uint8Array(), content: edit.content });
      continue;
    }
    const base = texts.get(edit.file)?.base ?? scoped.store.read(edit.file);
    if (base === undefined) continue;
    const before = texts.get(edit.file)?.content ?? decode(base);
    texts.set(edit.file, { base, content: edited(workspace, before, edit, now) });
  }
  return texts;
}

function edited(workspace: Workspace, text: string, edit: Exclude<DreamEdit, { kind: "create" }>, now: string): string {
  switch (edit.kind) {
    case "retire":
      return setFields(
        text,
        [
          [["metadata", "supersededBy"], edit.by],
          [["metadata", "validTo"], now],
        ],
        workspace.codec,
      );
    case "append":
      return replaceBody(touched(workspace, text, now), `${bodyOf(text)}\n\n${edit.text}`);
    case "body":
      return replaceBody(touched(workspace, text, now), edit.text);
    case "replace":
      return replaced(workspace, text, edit, now);
  }
}

function touched(workspace: Workspace, text: string, now: string): string {
  return setFields(text, [[["metadata", "modified"], now]], workspace.codec);
}

/** A new name in an old sentence does not make the sentence newer: the note keeps its time. */
function replaced(
  workspace: Workspace,
  before: string,
  { file, from, to }: Extract<DreamEdit, { kind: "replace" }>,
  now: string,
): string {
  const note = parseNote(file, new TextEncoder().encode(before), workspace.codec);
  const text = note.modified === undefined ? touched(workspace, before, now) : before;
  const description = replaceWhole(note.description, from, to);
  const { data } = workspace.codec.read(splitFrontmatter(text).block);
  const described =
    description === note.description || typeof data["description"] !== "string"
      ? text
      : setFields(text, [[["description"], description]], workspace.codec);
  const parts = splitFrontmatter(described);
  return described.slice(0, described.length - parts.body.length) + replaceWhole(parts.body, from, to);
}

/** Not inside a longer name, and not where the new name already is. */
function replaceWhole(text: string, from: string, to: string): string {
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_/.-])${from.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)}(?![\\p{L}\\p{N}_/-]|\\.\\p{L})`,
    "gu",
  );
  return text.replace(pattern, (found: string, at: number) =>
    to.startsWith(from) && text.startsWith(to, at) ? found : to,
  );
}

function bodyOf(text: string): string {
  return splitFrontmatter(text).body.replace(/\r\n?/gu, "\n").trim();
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Entries read by one dream; the rest wait for the next. */
const MOST_ENTRIES = 500;

/** What was read of each day: the file's size (bytes), the number of its entries and the latest entry (ms). */
type Cursor = Readonly<Record<string, readonly [size: number, entries: number, latest: number]>>;

export interface FoundNews extends LogNews {
  /** Called when these entries need not be read again. */
  readonly done: () => void;
}

/** Entries that no dream of this store has read yet, oldest first; `undefined` for scopes without logs. */
export function logNews(workspace: OpenWorkspace, scoped: ScopedStore): FoundNews | undefined {
  const { logs } = workspace;
  if (logs === undefined || (scoped.scope !== "project" && scoped.scope !== "user")) return undefined;
  const cursor = readCursor(scoped);
  const next: Record<string, Cursor[string]> = { ...cursor };
  const entries: LogEntry[] = [];
  for (const [day, size] of logs.store.sizes()) {
    const [seen, count, latest] = cursor[day] ?? [0, 0, 0];
    if (seen === size) continue;
    if (entries.length >= MOST_ENTRIES) break;
    const all = logs.store.day(day);
    // If the user removed entries, later additions are at positions that were already read.
    const unseen = all.filter(({ time }, at) => at >= count || time > latest);
    entries.push(
      ...unseen.filter(
        ({ text, project }) =>
          text !== "" && (scoped.scope === "user" || (project !== undefined && project === logs.project)),
      ),
    );
    next[day] = [size, all.length, Math.max(latest, ...all.map(({ time }) => time))];
  }
  return { entries, instructions: () => instructionText(workspace), done: () => writeCursor(scoped, next) };
}

/** Sessions with log entries after a time (ms), as far as a dream of this store reads them. */
function loggedSessions({ logs }: OpenWorkspace, { scope }: ScopedStore, ms: number): readonly string[] {
  if (logs === undefined || (scope !== "project" && scope !== "user")) return [];
  const first = new Date(ms - DAY_MS).toISOString().slice(0, 10);
  const entries = logs.store
    .days()
    .filter((day) => day >= first)
    .slice(-MOST_DAYS)
    .flatMap((day) => logs.store.day(day));
  return entries.flatMap(({ time, session, project }) =>
    time > ms && session !== undefined && (scope === "user" || project === logs.project) ? [session] : [],
  );
}

const DAY_MS = 86_400_000;

/** Days read to count sessions; five sessions are enough. */
const MOST_DAYS = 30;

/** Adds the model that the dream may ask. */
export async function withExtractor(
  workspace: OpenWorkspace,
  news: FoundNews,
  model: Model | undefined,
): Promise<FoundNews> {
  return model === undefined || news.entries.length === 0
    ? news
    : { ...news, extractor: await openExtractor(workspace, { model }) };
}

/** A project known only from the log has no store yet: opens one, so that a dream can fill it. */
export function openForLog({ logs, scopes, modes, open }: OpenWorkspace): void {
  if (logs?.project === undefined || !scopes.includes("project") || modeIn(modes, "project").mode === "off") return;
  logs.store.reconcile("quick");
  if (logs.store.index.count() > 0) open("project");
}

function cursorFile({ store }: ScopedStore): string {
  return path.join(store.state, "dream-log.json");
}

/** An unreadable cursor is ignored: distilling an entry twice adds nothing. */
function readCursor(scoped: ScopedStore): Cursor {
  const bytes = nodeFiles.read(cursorFile(scoped));
  const value = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([day, seen]) =>
      Array.isArray(seen)
        ? [[day, [Number(seen[0]), Number(seen[1]), Number(seen[2] ?? Number.POSITIVE_INFINITY)] as const]]
        : [],
    ),
  );
}

function writeCursor(scoped: ScopedStore, cursor: Cursor): void {
  putFile(cursorFile(scoped), JSON.stringify(cursor));
}

/** Freeing less than this is not worth the pause (bytes). */
const WORTH_BYTES = 32 * 1024 * 1024;

let collect: (() => void) | undefined;

/** The smallest heap since the last collection; initially, roughly the heap of an idle process (bytes). */
let settledBytes = 32 * 1024 * 1024;

/**
 * Frees what a finished phase left behind. Otherwise the engine lets the heap grow to several times what is in use when
 * a process works through a large store; a collection between two phases costs about 100 ms. Only growth counts:
 * collecting would only walk the objects of the host program again.
 */
export function releaseMemory(): void {
  if (heapBytes() >= settledBytes + WORTH_BYTES) {
    collect ??= exposedCollector();
    collect();
    settledBytes = heapBytes();
  } else settledBytes = Math.min(settledBytes, heapBytes());
}

function heapBytes(): number {
  return v8.getHeapStatistics().total_heap_size;
}

function exposedCollector(): () => void {
  v8.setFlagsFromString("--expose-gc");
  const gc: unknown = vm.runInNewContext("gc");
  return typeof gc === "function" ? () => void Reflect.apply(gc, undefined, []) : () => undefined;
}

/** The longest time a dream may take (ms). */
export const LONGEST_MS = 600_000;

/** Whether a dream is due automatically: a day since the last one, and five sessions with recalls or captures since. */
export function dreamDue(workspace: OpenWorkspace, scoped: ScopedStore): DreamDue {
  return isDreamDue(lockOf(workspace, scoped).last(), workspace.clock.now(), (ms) =>
    sessionsSince(workspace, scoped, ms),
  );
}

/** Only the newest notes are read for the sessions in their evidence. */
const MOST_EVIDENCE = 100;

/** Counts sessions that recalled something here, are in a log, or are the source of a note written here since. */
function sessionsSince(workspace: OpenWorkspace, scoped: ScopedStore, ms: number): number {
  const { recallLog, codec } = workspace;
  const { store } = scoped;
  const sessions = new Set(
    loggedRecalls(recallLog)
      .filter(({ time }) => Date.parse(time) > ms)
      .flatMap(({ session }) => (session === undefined ? [] : [session])),
  );
  for (const session of loggedSessions(workspace, scoped, ms)) sessions.add(session);
  if (sessions.size >= DREAM_GATES.sessions) return sessions.size;
  store.reconcile("quick");
  const written = store.index
    .entries()
    .filter(({ time }) => time > ms)
    .toSorted((a, b) => b.time - a.time)
    .slice(0, MOST_EVIDENCE);
  for (const { file } of written) {
    const bytes = store.read(file);
    const session = bytes === undefined ? undefined : parseNote(file, bytes, codec).evidence?.session;
    if (session !== undefined && session !== "") sessions.add(session);
  }
  return sessions.size;
}

/** For `memdir status`: when the project's last dream was and when the next will be. */
export function dreamStatus(
  workspace: OpenWorkspace,
): { readonly last: string | undefined; readonly next: string; readonly line: string } | undefined {
  const scoped = workspace.stores.find(({ scope }) => scope === "project");
  if (scoped === undefined) return undefined;
  const lock = lockOf(workspace, scoped);
  const ms = lock.last();
  const last = ms === undefined ? undefined : new Date(ms).toISOString();
  const before = last === undefined ? "none yet" : `last ${last.slice(0, 16).replace("T", " ")} UTC`;
  const next = lock.holder() === undefined ? nextDream(workspace, scoped) : "one is running";
  return { last, next, line: `${before}; ${next}` };
}

function nextDream(workspace: OpenWorkspace, scoped: ScopedStore): string {
  const { mode } = modeIn(workspace.modes, scoped.scope);
  if (mode !== "auto" && mode !== "confirm") return `not automatic in mode ${mode}`;
  const due = dreamDue(workspace, scoped);
  return due.due ? "the next is due, after the next captured turn" : due.message;
}

export function lockOf({ clock }: OpenWorkspace, { store }: ScopedStore): ReturnType<typeof openDreamLock> {
  return openDreamLock({
    directory: store.directory,
    guard: createSqliteLock(path.join(store.state, "dream.db")),
    now: () => clock.now(),
    isAlive,
    longestMs: LONGEST_MS,
  });
}
