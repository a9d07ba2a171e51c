import { isConflictCopy, withoutEnding } from "../notes/names.ts";
import { SCOPES } from "../notes/note.ts";
import { parseJson } from "../shared/json.ts";
import { redactTokens } from "../shared/sanitize.ts";
import { finite, firstOf, flag, listOf, objectOf, oneOf, or, type Read, type Reader, text } from "../shared/shape.ts";
import { OUTCOMES } from "./outcome.ts";
import { KEPT_CHARACTERS, promptText } from "./prompt.ts";

/**
 * The local log of recalls, one line each. Writing must never fail, slow or block a recall: problems are recorded for
 * `KeptRecallLog.health`.
 */
export interface RecallLog {
  /** The project of the recalls: its root, or the notes directory. */
  readonly project: string;
  /** What is kept of a prompt: its text, or only a hash; with `nothing` no recall is logged. */
  readonly keeps: "text" | "hash" | "nothing";
  /** Appends a line without line breaks. Never throws. */
  append(line: string): void;
  /** The newest lines, oldest first, at most `bytes`, however large the log is. Empty when nothing can be read. */
  tail(bytes?: number): readonly string[];
}

/** The log with operations for maintenance. */
export interface KeptRecallLog extends RecallLog {
  /** Drops matching lines; `everywhere`: also from other projects' logs. @throws MemoryError when that fails. */
  drop(isAbout: (line: string) => boolean, everywhere: boolean): void;
  health(): RecallLogHealth;
}

export interface RecallLogHealth {
  readonly path: string;
  /** Bytes on disk, including rotated older lines. */
  readonly bytes: number;
  /** Why the last recall could not be logged, and since when (ISO time). */
  readonly problem: { readonly time: string; readonly message: string } | undefined;
}

const NOTE_PLACE = { scope: oneOf(...SCOPES), file: text };

const NUMBER = or(finite, 0);

const LOGGED_NOTE = objectOf({
  ...NOTE_PLACE,
  /** SHA-256 of the file at that time. */
  hash: text,
  /** Estimated probability that it helps, 0 to 1. */
  score: NUMBER,
});

/** A note as the log names it, without its text. */
export type LoggedNote = Read<typeof LOGGED_NOTE>;

const RECALL = objectOf(
  {
    /** ISO time. */
    time: (value) => (Number.isFinite(Date.parse(text(value) ?? "")) ? text(value) : undefined),
    project: or(text, ""),
    ms: NUMBER,
    /** Notes shown whole, best first. */
    selected: listOf(LOGGED_NOTE),
    /** Notes shown in one line. */
    pointed: listOf(LOGGED_NOTE),
    /** The ten best. */
    candidates: listOf(objectOf({ ...NOTE_PLACE, score: NUMBER, fate: oneOf(...OUTCOMES) })),
    /** Likelihood that was needed to be shown whole, and to be shown as a pointer; 0 to 1. */
    floors: or(objectOf({ whole: NUMBER, pointer: NUMBER }), { whole: 0, pointer: 0 }),
    /** Characters cut from shown notes. */
    cut: listOf(objectOf({ ...NOTE_PLACE, characters: NUMBER })),
    /** Length of the text that the agent received. */
    characters: NUMBER,
    /** What made the selection. */
    by: or(oneOf("model"), "rules" as const),
  },
  {
    session: text,
    /** The prompt, with tokens redacted and the middle of a long one left out; absent when only its hash is kept. */
    prompt: text,
    promptHash: text,
    /** The session's budget was used up, and the agent was told. */
    spent: oneOf(true),
    /** Number of live notes searched, by scope. */
    notes: objectOf({}, Object.fromEntries(SCOPES.map((scope) => [scope, finite]))),
  },
);

/** One recall, with what is needed to explain it, replay it and not repeat it. */
export type LoggedRecall = Read<typeof RECALL>;

/** Room for a token that begins before the cut, so that no part of it is kept. */
const MARGIN = 600;

/** A prompt as the log keeps it; recall reads the same from it as from the whole. */
export function loggedPrompt(prompt: string): string {
  if (prompt.length <= 2 * (KEPT_CHARACTERS + MARGIN)) return promptText(redactTokens(prompt));
  const head = redactTokens(prompt.slice(0, KEPT_CHARACTERS + MARGIN)).slice(0, KEPT_CHARACTERS);
  const tail = redactTokens(prompt.slice(-KEPT_CHARACTERS - MARGIN)).slice(-KEPT_CHARACTERS);
  return `${head}\n${tail}`;
}

export function writeLogLine(recall: LoggedRecall): string {
  return JSON.stringify(recall, (_, value: unknown) =>
    typeof value === "number" ? Math.round(value * 10_000) / 10_000 : value,
  );
}

const PINNED_NOTE = objectOf({ ...NOTE_PLACE, hash: text, /** Its end was cut. */ isCut: flag });

/** A pinned note as given to a session. */
export type PinnedNote = Read<typeof PINNED_NOTE>;

/** The session was compacted: earlier recalls are gone, and with `anew` its start too. */
const COMPACTED = objectOf({ compacted: oneOf(true), anew: flag });

/** The session's start was given, with these pinned notes and a line for each of `listed` (`scope:file`). */
const STARTED = objectOf({ started: present(listOf(PINNED_NOTE)), listed: listOf(text) });

/** The session continues a copy of another one, with all that was given to that one until then. */
const FORKED = objectOf({ forkedFrom: text });

/** A tool call triggered a line for each of these notes (`scope:file`); `whole`: it says all that the note says. */
const TRIGGERED = objectOf({
  triggered: present(listOf(text)),
  texts: listOf(objectOf({ note: text, hash: text, whole: flag })),
});

function present<T>(read: Reader<T>): Reader<T> {
  return (value) => (value === undefined ? undefined : read(value));
}

/** Something that happened to a session in addition to its recalls. */
export type SessionMark = Read<typeof COMPACTED> | Read<typeof STARTED> | Read<typeof FORKED> | Read<typeof TRIGGERED>;

const MARK = firstOf<SessionMark>(COMPACTED, STARTED, FORKED, TRIGGERED);

const EVENT = objectOf({ time: text, session: text });

export function writeSessionMark(session: string, time: string, mark: SessionMark): string {
  return JSON.stringify({ time, session, ...mark });
}

/** A recall or a mark; `undefined` when the line is torn, by a kill or a full disk, or damaged. */
export function readLine(line: string): LoggedRecall | (SessionMark & Read<typeof EVENT>) | undefined {
  const value = line.endsWith("}") ? parseJson(line) : undefined;
  const [event, mark] = [EVENT(value), MARK(value)];
  return event === undefined || mark === undefined ? RECALL(value) : { ...event, ...mark };
}

/** `undefined` when the line is not a recall. */
export function readLogLine(line: string): LoggedRecall | undefined {
  const read = readLine(line);
  return read !== undefined && "selected" in read ? read : undefined;
}

/** Shorter names are words that may occur in any prompt. */
const TELLING_CHARACTERS = 8;

/** Whether a line names a note or one of its conflict copies anywhere, the prompt included. */
export function mentions(line: string, file: string): boolean {
  const read = readLine(line);
  if (read === undefined) return true; // an unreadable line cannot be cleared
  const name = withoutEnding(file.slice(file.lastIndexOf("/") + 1));
  return (
    filesOf(read).some((one) => one === file || isConflictCopy(one, file)) ||
    ("selected" in read && read.prompt?.includes(name.length < TELLING_CHARACTERS ? file : name) === true)
  );
}

function filesOf(line: LoggedRecall | SessionMark): readonly string[] {
  const fileOf = (key: string): string => key.slice(key.indexOf(":") + 1);
  if ("selected" in line) return [...line.selected, ...line.pointed, ...line.candidates].map(({ file }) => file);
  if ("started" in line) return [...line.started.map(({ file }) => file), ...line.listed.map(fileOf)];
  return "triggered" in line ? line.triggered.map(fileOf) : [];
}
