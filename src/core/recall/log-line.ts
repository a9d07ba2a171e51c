import { isConflictCopy, type NotePlace, withoutEnding } from "../notes/names.ts";
import { SCOPES, type Scope } from "../notes/note.ts";
import { redactTokens } from "../shared/sanitize.ts";
import { type NoteOutcome, OUTCOMES } from "./explanation.ts";
import { KEPT_CHARACTERS, promptText } from "./prompt.ts";
import { isRecord, parseJson, record } from "../shared/json.ts";

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

/** A note as the log names it, without its text. */
export interface LoggedNote extends NotePlace {
  /** SHA-256 of the file at that time. */
  readonly hash: string;
  /** Estimated probability that it helps, 0 to 1. */
  readonly score: number;
}

export interface LoggedCandidate extends NotePlace {
  readonly score: number;
  readonly fate: NoteOutcome;
}

/** One recall, with what is needed to explain it, replay it and not repeat it. */
export interface LoggedRecall {
  /** ISO time. */
  readonly time: string;
  readonly session?: string;
  readonly project: string;
  /** The prompt, with tokens redacted and the middle of a long one left out; absent when only its hash is kept. */
  readonly prompt?: string;
  readonly promptHash?: string;
  readonly ms: number;
  /** Notes shown whole, best first. */
  readonly selected: readonly LoggedNote[];
  /** Notes shown in one line. */
  readonly pointed: readonly LoggedNote[];
  /** The ten best. */
  readonly candidates: readonly LoggedCandidate[];
  /** Likelihood that was needed to be shown whole, and to be shown as a pointer; 0 to 1. */
  readonly floors: { readonly whole: number; readonly pointer: number };
  /** Characters cut from shown notes. */
  readonly cut: readonly (NotePlace & { readonly characters: number })[];
  /** Length of the text that the agent received. */
  readonly characters: number;
  /** What made the selection. */
  readonly by: "rules" | "model";
  /** The session's budget was used up, and the agent was told. */
  readonly spent?: true;
  /** Number of live notes searched, by scope. */
  readonly notes: Readonly<Partial<Record<Scope, number>>>;
}

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

/** Events of a session in addition to its recalls. */
export type SessionMark =
  /** The session was compacted: earlier recalls are gone, and with `anew` its start too. */
  | { readonly kind: "compacted"; readonly anew: boolean }
  /** The session's start was given, with these pinned notes and a line for each of `listed` (`scope:file`). */
  | { readonly kind: "started"; readonly pinned: readonly PinnedNote[]; readonly listed: readonly string[] }
  /** The session continues a copy of another one, with all that was given to that one until then. */
  | { readonly kind: "forked"; readonly from: string }
  /** A tool call triggered a line for each of these notes (`scope:file`). */
  | { readonly kind: "triggered"; readonly notes: readonly string[]; readonly texts: readonly TriggeredText[] };

/** What a session was shown of a note that a tool call triggered. */
export interface TriggeredText {
  /** `scope:file` */
  readonly note: string;
  readonly hash: string;
  /** The line says all that the note says. */
  readonly whole: boolean;
}

/** A pinned note as given to a session. */
export interface PinnedNote extends NotePlace {
  readonly hash: string;
  /** Its end was cut. */
  readonly isCut: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Keys that identify the four kinds of marks. */
const [COMPACTED, STARTED, FORKED, TRIGGERED] = ["compacted", "started", "forkedFrom", "triggered"] as const;

export function writeSessionMark(session: string, time: string, mark: SessionMark): string {
  return JSON.stringify({ time, session, ...fieldsOf(mark) });
}

function fieldsOf(mark: SessionMark): Fields {
  switch (mark.kind) {
    case "compacted":
      return { [COMPACTED]: true, ...(mark.anew && { anew: true }) };
    case "started":
      return { [STARTED]: mark.pinned, ...(mark.listed.length > 0 && { listed: mark.listed }) };
    case "forked":
      return { [FORKED]: mark.from };
    case "triggered":
      return { [TRIGGERED]: mark.notes, texts: mark.texts };
  }
}

/** `undefined` when the line is not a mark, or is from another session than `session`. */
export function readSessionMark(line: string, session?: string): SessionMark | undefined {
  const isMark = [COMPACTED, STARTED, FORKED, TRIGGERED].some((name) => line.includes(`"${name}":`));
  const value = isMark ? parseJson(line) : undefined;
  return isRecord(value) && (session === undefined || value["session"] === session) ? markIn(value) : undefined;
}

function markIn(value: Fields): SessionMark | undefined {
  const { [FORKED]: from, [TRIGGERED]: notes, [STARTED]: pinned } = value;
  if (value[COMPACTED] === true) return { kind: "compacted", anew: value["anew"] === true };
  if (typeof from === "string") return { kind: "forked", from };
  if (Array.isArray(notes))
    return { kind: "triggered", notes: textsIn(notes), texts: listOf(value["texts"]).flatMap(readTriggered) };
  if (!Array.isArray(pinned)) return undefined;
  return { kind: "started", pinned: notesIn(pinned, readPinned), listed: textsIn(value["listed"]) };
}

/** The files of the notes in a mark. */
function filesOf(mark: SessionMark): readonly string[] {
  const fileOf = (key: string): string => key.slice(key.indexOf(":") + 1);
  if (mark.kind === "triggered") return mark.notes.map(fileOf);
  return mark.kind === "started" ? [...mark.pinned.map(({ file }) => file), ...mark.listed.map(fileOf)] : [];
}

/** `undefined` when the line is torn, damaged or not a recall. */
export function readLogLine(line: string): LoggedRecall | undefined {
  // A line torn by a kill or a full disk: only that recall is lost.
  const value = line.endsWith("}") ? parseJson(line) : undefined;
  if (!isRecord(value) || markIn(value) !== undefined) return undefined;
  const { time, session, project, prompt, promptHash, ms, characters, by, spent } = value;
  const floors = record(value["floors"]);
  if (typeof time !== "string" || !Number.isFinite(Date.parse(time))) return undefined;
  return {
    time,
    ...(typeof session === "string" && { session }),
    project: typeof project === "string" ? project : "",
    ...(typeof prompt === "string" && { prompt }),
    ...(typeof promptHash === "string" && { promptHash }),
    ms: numberOf(ms),
    selected: notesIn(value["selected"], readNote),
    pointed: notesIn(value["pointed"], readNote),
    candidates: notesIn(value["candidates"], readCandidate),
    floors: { whole: numberOf(floors["whole"]), pointer: numberOf(floors["pointer"]) },
    cut: notesIn(value["cut"], readCut),
    characters: numberOf(characters),
    by: by === "model" ? "model" : "rules",
    ...(spent === true && { spent }),
    notes: countsIn(value["notes"]),
  };
}

/** Shorter names are words that may occur in any prompt. */
const TELLING_CHARACTERS = 8;

/** Whether a line names a note or one of its conflict copies anywhere, the prompt included. */
export function mentions(line: string, file: string): boolean {
  const mark = readSessionMark(line);
  if (mark !== undefined) return filesOf(mark).some((one) => one === file || isConflictCopy(one, file));
  const recall = readLogLine(line);
  if (recall === undefined) return true; // an unreadable line cannot be cleared
  const name = withoutEnding(file.slice(file.lastIndexOf("/") + 1));
  const named = [...recall.selected, ...recall.pointed, ...recall.candidates].map((note) => note.file);
  return (
    named.some((one) => one === file || isConflictCopy(one, file)) ||
    recall.prompt?.includes(name.length < TELLING_CHARACTERS ? file : name) === true
  );
}

/** Reads each note that a list names; what does not name one is damaged and left out. */
function notesIn<T>(list: unknown, read: (place: NotePlace, fields: Fields) => readonly T[]): readonly T[] {
  return listOf(list).flatMap((value) => {
    if (!isRecord(value)) return [];
    const scope = SCOPES.find((one) => one === value["scope"]);
    const { file } = value;
    return scope === undefined || typeof file !== "string" ? [] : read({ scope, file }, value);
  });
}

function readNote({ scope, file }: NotePlace, { hash, score }: Fields): readonly LoggedNote[] {
  return typeof hash === "string" ? [{ scope, file, hash, score: numberOf(score) }] : [];
}

function readPinned({ scope, file }: NotePlace, { hash, isCut }: Fields): readonly PinnedNote[] {
  return typeof hash === "string" ? [{ scope, file, hash, isCut: isCut === true }] : [];
}

function readCandidate({ scope, file }: NotePlace, fields: Fields): readonly LoggedCandidate[] {
  const fate = OUTCOMES.find((one) => one === fields["fate"]);
  return fate === undefined ? [] : [{ scope, file, score: numberOf(fields["score"]), fate }];
}

function readCut({ scope, file }: NotePlace, { characters }: Fields): LoggedRecall["cut"] {
  return [{ scope, file, characters: numberOf(characters) }];
}

function readTriggered(value: unknown): readonly TriggeredText[] {
  const { note, hash, whole } = record(value);
  return typeof note === "string" && typeof hash === "string" ? [{ note, hash, whole: whole === true }] : [];
}

function countsIn(value: unknown): LoggedRecall["notes"] {
  const counts = record(value);
  return Object.fromEntries(
    SCOPES.flatMap((scope) => (typeof counts[scope] === "number" ? [[scope, counts[scope]]] : [])),
  );
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsIn(list: unknown): readonly string[] {
  return listOf(list).filter((one) => typeof one === "string");
}
