import { shellWord } from "../../core/shared/shell-word.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import { claudeCodeSaid } from "../../adapters/agents/session-files.ts";
import { codexLines } from "../../adapters/agents/codex-transcript.ts";
import { geminiLines } from "../../adapters/agents/gemini-transcript.ts";
import { opencodeLines } from "../../adapters/agents/opencode-transcript.ts";
import { matchingLines } from "../../adapters/files/transcript-lines.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openOpenCode } from "../../adapters/sqlite/opencode-database.ts";
import {
  dropPastIndex,
  type IndexUpdate,
  openPastIndex,
  type Span,
  type TranscriptFile,
} from "../../adapters/sqlite/past-index.ts";
import { type ListedNote, listNotes } from "../notes/list.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { parseNote, shownNote } from "../../core/notes/parse-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { maskLines } from "../../core/shared/sanitize.ts";
import { type PastSession, type SearchTerm, searchTerm } from "../../core/transcripts/past.ts";
import { type SaidInLine, searchableText, type Speaker } from "../../core/transcripts/said.ts";
import { pause } from "../workspace/pause.ts";
import type { Locations } from "../workspace/locations.ts";
import { listPastSessions, type SessionFilter, runningSession } from "./past-sessions.ts";
import { parseLine } from "../../core/transcripts/turn.ts";

/** A message that contains the term. */
export interface FoundInLine {
  /** The index of this part in its message. */
  readonly part: number;
  /** The message's id, if any: a later line with the same id replaces this one. */
  readonly id: string | undefined;
  readonly speaker: Speaker;
  /** ISO time. */
  readonly time: string | undefined;
  /** The whole text, and the first position of the term in it. */
  readonly text: string;
  readonly at: number;
}

/** Searches for the term in what one line of a transcript says; other fields are not searched. */
export function findInLine(line: string, said: SaidInLine, term: SearchTerm): readonly FoundInLine[] {
  const parsed = parseLine(line);
  if (!parsed.ok) return [];
  return said(parsed.record).flatMap((message) =>
    message.said.flatMap((one, part) => {
      const text = searchableText(one);
      const at = term.find(text, 0);
      return at < 0 ? [] : [{ part, id: message.id, speaker: one.speaker, time: message.time, text, at }];
    }),
  );
}

/** The line of a text at a position, with its neighbours, and how many later lines contain the term. */
export function linesAround(
  text: string,
  at: number,
  term: SearchTerm,
): { readonly line: string; readonly before: string; readonly after: string; readonly more: number } {
  const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const end = endOf(text, at);
  const beforeStart = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  const before = start === 0 ? "" : text.slice(beforeStart, start - 1);
  const after = end >= text.length ? "" : text.slice(end + 1, endOf(text, end + 1));
  return { line: text.slice(start, end), before, after, more: linesBehind(text, end, term) };
}

function linesBehind(text: string, end: number, term: SearchTerm): number {
  const next = end >= text.length ? -1 : term.find(text, end + 1);
  let lines = 0;
  for (let at = next; at >= 0;) {
    lines++;
    const lineEnd = endOf(text, at);
    at = lineEnd >= text.length ? -1 : term.find(text, lineEnd + 1);
  }
  return lines;
}

function endOf(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

export interface SearchOptions extends SessionFilter {
  readonly regex?: boolean;
  readonly ignoreCase?: boolean;
  /** At most this many messages, the newest. Default 20. */
  readonly limit?: number;
  /** `scan` reads the transcripts. Default: the index, if there is one. */
  readonly way?: "scan";
}

/** A message that contains the term. Its text is the original: mask secrets before showing it. */
export interface PastMessage extends Omit<FoundInLine, "time" | "part"> {
  readonly session: PastSession;
  readonly timeMs: number;
}

export interface SearchResult {
  /** Newest first. */
  readonly messages: readonly PastMessage[];
  readonly term: SearchTerm;
  readonly sessions: number;
  /** Whether older sessions were skipped because newer ones filled the limit. */
  readonly stopped: boolean;
  readonly way: "scan" | "index";
  /** Transcripts that could not be read, and why. */
  readonly problems: readonly string[];
}

const USUAL_LIMIT = 20;

export const SAID: Readonly<Record<string, SaidInLine>> = {
  "claude-code": claudeCodeSaid,
  codex: codexLines.said,
  gemini: geminiLines.said,
  opencode: opencodeLines.said,
};

/**
 * Searches for a term in what was said in past sessions, including by tools.
 * @throws MemoryError `invalid-input` for an empty term or a bad pattern.
 */
export async function searchPast(
  locations: Locations,
  wanted: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const term = searchTerm(wanted, { regex: options.regex === true, ignoreCase: options.ignoreCase === true });
  const limit = options.limit ?? USUAL_LIMIT;
  const running = runningSession(locations.environment);
  const sessions = listPastSessions(locations, options).filter(({ session }) => session !== running);
  const problems: string[] = [];
  const texts = options.way === "scan" || term.needle === undefined ? [] : [term.needle];
  const {
    spansOf: [spansOf],
    close,
  } = openSpans(locations, texts, problems);
  const lines = linesReader(sessions, term, spansOf);
  let messages: readonly PastMessage[] = [];
  let stopped = false;
  try {
    for (const session of sessions) {
      // A session has no message newer than its last change, so older sessions cannot add a newer one.
      stopped = messages.length >= limit && (messages.at(-1)?.timeMs ?? 0) >= session.timeMs;
      if (stopped) break;
      const found = foundIn(session, lines, term, problems).filter(({ timeMs }) => timeMs >= (options.sinceMs ?? 0));
      if (found.length > 0) messages = [...messages, ...found].toSorted((a, b) => b.timeMs - a.timeMs).slice(0, limit);
      await pause();
    }
  } finally {
    close();
  }
  return {
    messages,
    term,
    sessions: sessions.length,
    stopped,
    way: spansOf === undefined ? "scan" : "index",
    problems,
  };
}

export interface FoundNote extends ListedNote {
  /** Body, name and description, and the first position of the term in them. */
  readonly text: string;
  readonly at: number;
}

/** Notes that contain the term in their text, name or description, ignoring case. Newest first. */
export function searchNotes(
  workspace: Workspace,
  wanted: string,
  { regex = false, sinceMs = 0 }: Pick<SearchOptions, "regex" | "sinceMs"> = {},
): readonly FoundNote[] {
  const term = searchTerm(wanted, { regex, ignoreCase: true });
  return listNotes(workspace)
    .filter(({ entry }) => entry.time >= sinceMs)
    .flatMap((note) => {
      const { file, name, description } = note.entry;
      const bytes = note.scoped.store.read(file);
      const body = bytes === undefined ? "" : shownNote(parseNote(file, bytes, workspace.codec)).body.trim();
      const text = `${body}\n${name}\n${description}`;
      const at = term.find(text, 0);
      return at < 0 ? [] : [{ ...note, text, at }];
    })
    .toSorted((a, b) => b.entry.time - a.entry.time);
}

/** Creates the index, or adds what was said since. */
export function indexPast(locations: Locations, filter: SessionFilter = {}): IndexUpdate {
  nodeFiles.makeDirectory(locations.memdirHome);
  const index = openPastIndex(indexFile(locations));
  try {
    return index.update(
      listPastSessions(locations, filter)
        .filter(({ bytes }) => bytes > 0)
        .map(asFile),
    );
  } finally {
    index.close();
  }
}

/** Deletes the index. Returns whether there was one. */
export function dropIndex(locations: Locations): boolean {
  const file = indexFile(locations);
  const was = existsSync(file);
  dropPastIndex(file);
  return was;
}

function indexFile({ memdirHome }: Locations): string {
  return path.join(memdirHome, "past.db");
}

type SpansOf = ((file: TranscriptFile) => readonly Span[]) | undefined;

interface Spans {
  /** One per text; `undefined` if the transcripts themselves must be read. */
  readonly spansOf: readonly SpansOf[];
  readonly close: () => void;
}

const NO_INDEX: Spans = { spansOf: [], close: () => undefined };

/** Without a working index, the transcripts are read. */
export function openSpans(locations: Locations, texts: readonly string[], problems: string[]): Spans {
  const file = indexFile(locations);
  if (texts.length === 0 || !existsSync(file)) return NO_INDEX;
  try {
    const index = openPastIndex(file);
    return { spansOf: texts.map((text) => index.spans(text)), close: index.close };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    problems.push(`${error.message}; the transcripts themselves were read`);
    return NO_INDEX;
  }
}

type Lines = (session: PastSession) => readonly string[];

/** Reads the lines of each session that can match. */
export function linesReader(
  sessions: readonly PastSession[],
  { needle, ignoreCase }: Pick<SearchTerm, "needle" | "ignoreCase">,
  spansOf: SpansOf,
): Lines {
  const wanted = needle === undefined ? undefined : { text: needle, ignoreCase };
  let parts: ReadonlyMap<string, readonly string[]> | undefined;
  return (session) => {
    if (session.agent === "opencode")
      return (parts ??= openCodeParts(sessions, needle, ignoreCase)).get(session.session) ?? [];
    if (spansOf === undefined) return matchingLines(session.path, wanted);
    return spansOf(asFile(session)).flatMap((span) => matchingLines(session.path, wanted, span));
  };
}

/** One query for all sessions: the database has to read every part anyway. */
function openCodeParts(
  sessions: readonly PastSession[],
  needle: string | undefined,
  ignoreCase: boolean,
): ReadonlyMap<string, readonly string[]> {
  const own = sessions.filter(({ agent }) => agent === "opencode");
  const parts = new Map<string, string[]>();
  for (const { session, line } of openOpenCode(own[0]?.path ?? "")?.linesWith(
    own.map((one) => one.session),
    needle,
    ignoreCase,
  ) ?? []) {
    const known = parts.get(session);
    if (known === undefined) parts.set(session, [line]);
    else known.push(line);
  }
  return parts;
}

function foundIn(session: PastSession, lines: Lines, term: SearchTerm, problems: string[]): readonly PastMessage[] {
  const said = SAID[session.agent];
  if (said === undefined) return [];
  try {
    // A message that is written again, longer, counts as one. OpenCode's parts come one by one, each once.
    const found = new Map<string, PastMessage>();
    for (const [n, line] of lines(session).entries()) {
      for (const { part, time, ...one } of findInLine(line, said, term)) {
        found.set(one.id === undefined || session.agent === "opencode" ? `line ${n} ${part}` : `${one.id} ${part}`, {
          ...one,
          session,
          timeMs: timeOf(time, session),
        });
      }
    }
    return [...found.values()];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    problems.push(`${session.path}: ${error.message}`); // deleted since it was listed, or not readable
    return [];
  }
}

export function timeOf(time: string | undefined, session: PastSession): number {
  const ms = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isFinite(ms) ? ms : session.timeMs;
}

function asFile({ path: file, bytes, timeMs }: PastSession): TranscriptFile {
  return { path: file, bytes, timeMs };
}

/** A secret may be longer than the lines shown; this much around them is searched for it (characters). */
const SECRET_REACH = 4_000;

/** The text of a message with secrets near the match redacted; lines and positions stay the same. */
export function maskedText({ text, at }: Pick<PastMessage, "text" | "at">): string {
  const from = Math.max(0, at - SECRET_REACH);
  const window = text.slice(from, at + SECRET_REACH);
  return text.slice(0, from) + maskLines(window) + text.slice(at + SECRET_REACH);
}

/** The command that reopens a session in its client. */
export function openCommand({ agent, session, cwd, path: file }: PastSession): string {
  const there = cwd === undefined ? "" : `cd ${shellWord(cwd)} && `;
  switch (agent) {
    case "claude-code":
      return `${there}claude --resume ${session}`;
    case "codex":
      return `${there}codex resume ${session}`;
    case "opencode":
      return `${there}opencode --session ${session}`;
    // Gemini CLI resumes by a number in its own list, which memdir does not know.
    default:
      return `${there}gemini --resume   (${shellWord(file)})`;
  }
}
