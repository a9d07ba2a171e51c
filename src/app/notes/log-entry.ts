import {
  dayOfId,
  entryCalled,
  entryId,
  entryLabel,
  entryText,
  indexedEntry,
  isEntryId,
  type LogEntry,
  offsetIn,
} from "../../core/notes/daily-log.ts";
import { splitScope } from "../../core/notes/note.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { dayIn } from "../../core/shared/clock.ts";
import { stripTyped } from "../../core/shared/hidden.ts";
import { shownName } from "../../core/shared/sanitize.ts";
import { counted } from "../../core/shared/text.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { refuseText, type RefusedText } from "./gate.ts";
import type { NoteRef, Workspace, WorkspaceLogs } from "../workspace/workspace.ts";

export interface LogInput {
  /** Markdown. */
  readonly text: string;
  /** When it was said (ms); default now. Determines the day, in the clock's time zone. */
  readonly time?: number;
  /** `none`: about no particular project, so it is recalled in all of them. Default: the current project. */
  readonly project?: "here" | "none";
  readonly session?: string;
  readonly message?: string;
}

export type LogResult =
  /** `file` is absolute. */
  { readonly outcome: "added"; readonly entry: LogEntry; readonly file: string } | RefusedText;

/** A longer text is a document, not an entry (characters). */
const MOST_ENTRY_CHARACTERS = 20_000;

/**
 * Adds an entry to the log of its day. It is on disk when this returns.
 * @throws MemoryError `invalid-input` for an empty or huge text or without a user scope, `refused` by the mode.
 */
export async function addToLog(
  workspace: Workspace,
  { text, time = workspace.clock.now(), project = "here", session, message }: LogInput,
): Promise<LogResult> {
  const said = entryText(stripTyped(text));
  if (said === "")
    throw new MemoryError(
      "invalid-input",
      "there is nothing to log: give the text as an argument, or `-` for standard input",
    );
  if (said.length > MOST_ENTRY_CHARACTERS)
    throw new MemoryError(
      "invalid-input",
      `the entry has ${said.length} characters; at most ${MOST_ENTRY_CHARACTERS} are kept in one, log what matters of it and where the rest is`,
    );
  const logs = openLogs(workspace);
  const refusal = await refuseText(workspace, said, session, message);
  if (refusal !== undefined) return refusal;
  const whole = Math.floor(time / 1000) * 1000;
  const [entry] = logs.store.append([
    {
      time: whole,
      offset: offsetIn(workspace.clock.timeZone, whole),
      project: project === "here" ? logs.project : undefined,
      session,
      message: session === undefined ? undefined : message,
      text: said,
    },
  ]);
  if (entry === undefined)
    throw new MemoryError("io", "the entry was written and cannot be read back; look at the day's file");
  return { outcome: "added", entry, file: fileOf(logs, entry.day) };
}

/** The logs to add to. @throws MemoryError as `Workspace.openLogs`. */
export function openLogs({ openLogs: open }: Workspace): WorkspaceLogs {
  if (open === undefined) throw new MemoryError("invalid-input", "there is no daily log here");
  return open();
}

export interface LoggedDay {
  readonly day: string;
  /** The absolute path of the day's file, which may not exist. */
  readonly file: string;
  readonly entries: readonly LogEntry[];
}

/**
 * The logs of `days` days up to `day` (default today), oldest first, of all projects; without empty days.
 * @throws MemoryError `invalid-input` if `day` is not a day, or `days` not a whole number from 1.
 */
export function readLog(
  { logs, clock }: Workspace,
  { day, days = 1 }: { readonly day?: string; readonly days?: number } = {},
): readonly LoggedDay[] {
  if (logs === undefined) return [];
  const last = day ?? today({ clock });
  const end = Date.parse(`${last}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(last) || !Number.isFinite(end))
    throw new MemoryError("invalid-input", `day is "${shownName(last)}"; write it as 2026-03-01`);
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw new MemoryError("invalid-input", `days is ${days}; give a whole number from 1 to ${MOST_DAYS}`);
  const first = new Date(end - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const wanted = days === 1 ? [last] : logs.store.days().filter((one) => one >= first && one <= last);
  return wanted
    .map((one): LoggedDay => ({ day: one, file: fileOf(logs, one), entries: logs.store.day(one) }))
    .filter(({ entries }) => entries.length > 0);
}

/** As many as the command takes. */
const MOST_DAYS = 99_999;

export function today({ clock }: Pick<Workspace, "clock">): string {
  return dayIn(clock.timeZone, clock.now());
}

function fileOf({ store }: WorkspaceLogs, day: string): string {
  return `${store.directory}/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.md`;
}

export type FoundEntry =
  /** The reference has another form; it may name a note. */
  | { readonly kind: "no-entry" }
  | { readonly kind: "found"; readonly entry: LogEntry; readonly file: string }
  | { readonly kind: "absent"; readonly message: string };

/**
 * The entry named by a reference such as `user:2026/11/2026-11-22.md#093939-1f2e3d4c`, with or without its scope.
 * `time` is when it was said (ms), if known.
 */
export function findEntry({ logs }: Pick<Workspace, "logs">, reference: string, time?: number): FoundEntry {
  const { scope, rest } = splitScope(reference);
  const id = rest.replace(/^\.\//u, "");
  const day = scope === undefined || scope === "user" ? dayOfId(id) : undefined;
  if (day === undefined) return { kind: "no-entry" };
  const entries = logs?.store.day(day) ?? [];
  const entry = entryCalled(id, entries, time);
  if (logs !== undefined && entry !== undefined) return { kind: "found", entry, file: fileOf(logs, day) };
  return {
    kind: "absent",
    message: `the log of ${day} has ${entries.length === 0 ? "no entries" : `${counted(entries.length, "entry", "entries")}, none of them called that`}; \`memdir log --date ${day}\` shows it`,
  };
}

/** The reference that opens an entry. */
export function entryRef(entry: LogEntry): string {
  return `user:${entryId(entry)}`;
}

/** The time of day, `HH:MM`. */
export function entryTime(entry: LogEntry): string {
  return entryLabel(entry).slice(-5);
}

/** An entry in the form of a note. */
export function entryNote(entry: LogEntry): ReturnType<typeof indexedEntry>["note"] {
  return indexedEntry(entry).note;
}

/** Whether a reference names a log entry, with or without its scope. */
export function namesEntry(reference: string): boolean {
  return isEntryId(splitScope(reference).rest);
}

/** The error when a caller tries to change an entry. */
export function entryStays(reference: string): MemoryError {
  return new MemoryError(
    "invalid-input",
    `${reference} is an entry of a daily log, which is only ever added to: \`memdir show\` reads it, and what must go is taken out of the file by hand (\`memdir log --json\` names it)`,
  );
}

/**
 * What to tell the user when a forgotten note was made from a log entry: logs are the user's own files, and forgetting
 * does not change them. Call it before forgetting.
 */
export function wordsStay(workspace: Workspace, { scoped: { store }, file }: NoteRef): string | undefined {
  const bytes = store.read(file);
  const note = bytes === undefined ? undefined : parseNote(file, bytes, workspace.codec);
  const message = note?.evidence?.message;
  const said = Date.parse(note?.modified ?? "");
  const found =
    message === undefined ? undefined : findEntry(workspace, message, Number.isNaN(said) ? undefined : said);
  if (found?.kind !== "found") return undefined;
  return `The log entry user:${entryId(found.entry)} still has the words that it was made from; take them out of ${found.file} by hand.`;
}
