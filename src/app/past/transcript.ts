import path from "node:path";
import { claudeCodeTranscripts } from "../../adapters/agents/claude-code-transcript.ts";
import { codexTranscripts } from "../../adapters/agents/codex-transcript.ts";
import { geminiTranscripts } from "../../adapters/agents/gemini-transcript.ts";
import { opencodeTranscripts } from "../../adapters/agents/opencode-transcript.ts";
import { qwenTranscripts } from "../../adapters/agents/qwen-transcript.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { fingerprint, transcriptLines } from "../../adapters/files/transcript-lines.ts";
import { openOpenCode } from "../../adapters/sqlite/opencode-database.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { parseRecord } from "../../core/transcripts/capture-job.ts";
import {
  type JsonObject,
  readTranscript,
  type TranscriptFormat,
  type TranscriptReader,
  type Transcript,
} from "../../core/transcripts/turn.ts";
import { handedOverTranscripts } from "../../core/transcripts/said.ts";
import { BEGINNING, type SessionPlace, type TranscriptLine } from "../../core/transcripts/windows.ts";

/** The formats of all clients whose sessions can be read; the first that recognises a file reads it. */
const FORMATS: readonly TranscriptFormat[] = [
  qwenTranscripts,
  claudeCodeTranscripts,
  codexTranscripts,
  geminiTranscripts,
  opencodeTranscripts,
  handedOverTranscripts,
];

/** Lines of a file that are read to recognise its format. */
const FIRST_LINES = 20;

/** The format of a transcript. An unknown file goes to the first reader, whose problems say what is wrong with it. */
export function formatOf(file: string): TranscriptFormat {
  return knownFormat(file) ?? claudeCodeTranscripts;
}

/** The same; `undefined` for an unknown file. */
function knownFormat(file: string): TranscriptFormat | undefined {
  const lines: JsonObject[] = [];
  for (const { text, number } of transcriptLines(file, BEGINNING)) {
    const object = parseRecord(text ?? "");
    if (object !== undefined) lines.push(object);
    if (number >= FIRST_LINES) break;
  }
  return FORMATS.find((format) => format.recognises(lines));
}

/** The format of a client by its name. */
export function formatNamed(agent: string): TranscriptFormat {
  return FORMATS.find((format) => format.agent === agent) ?? claudeCodeTranscripts;
}

/** `opencode.db` or `opencode.db#SESSION`: sessions in a database, not in lines. */
export function isDatabase(file: string): boolean {
  return DATABASE.test(file);
}

/** The parts of `opencode.db#SESSION`; `undefined` if it is not a database. */
function databaseOf(file: string): { readonly database: string; readonly session: string | undefined } | undefined {
  const [, database, session] = DATABASE.exec(file) ?? [];
  return database === undefined ? undefined : { database, session };
}

const DATABASE = /^(.*\.db)(?:#(.+))?$/su;

/**
 * Reads all turns of a session's transcript; from OpenCode's database (`opencode.db`) the session named after `#`, else
 * the last.
 * @throws MemoryError `not-found`, or `invalid-input` when no line of it is a message.
 */
export function readTranscriptFile(file: string): Transcript {
  const found = databaseOf(file);
  if (found !== undefined) return readOpenCodeSession(found.database, found.session);
  const reader = formatOf(file).open();
  for (const { text, number } of transcriptLines(file, BEGINNING))
    if (text !== undefined && text.trim() !== "") reader.read(text, number);
  const transcript = reader.transcript();
  if (transcript.turns.length === 0 && (transcript.problems.length > 0 || isUnknown(file)))
    throw notATranscript(file, transcript.problems);
  return { ...transcript, cwd: transcript.cwd ?? projectBeside(file, transcript.agent) };
}

/** Whether a file is not empty and has an unknown format. */
export function isUnknown(file: string): boolean {
  return !isDatabase(file) && (nodeFiles.stat(file)?.size ?? 0) > 0 && knownFormat(file) === undefined;
}

/** Gemini CLI stores the project's directory next to the chats, not in them. */
export function projectBeside(file: string, agent: string): string | undefined {
  if (agent !== "gemini") return undefined;
  const bytes = nodeFiles.read(path.join(path.dirname(file), "..", ".project_root"));
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes).trim() || undefined;
}

function readOpenCodeSession(file: string, wanted: string | undefined): Transcript {
  const database = openOpenCode(file);
  if (database === undefined)
    throw new MemoryError(
      "not-found",
      `there is no database ${file}; OpenCode keeps its own in ~/.local/share/opencode/opencode.db`,
    );
  const own = database
    .sessions()
    .filter(({ parent }) => parent === undefined)
    .toSorted((a, b) => b.updatedMs - a.updatedMs);
  const session = wanted ?? own[0]?.id;
  const lines = session === undefined ? [] : database.lines(session);
  if (lines.length === 0)
    throw new MemoryError(
      "not-found",
      `${file} has no session ${wanted ?? ""}; the last ones are ${
        own
          .slice(0, 3)
          .map(({ id }) => id)
          .join(", ") || "none"
      }`,
    );
  return readTranscript(lines.join("\n"), opencodeTranscripts);
}

export function notATranscript(file: string, problems: Transcript["problems"]): MemoryError {
  const [first] = problems;
  const why = first === undefined ? "" : ` (line ${first.line}: ${first.reason})`;
  return new MemoryError(
    "invalid-input",
    `${file} is not a transcript of Claude Code, Codex, Gemini CLI, OpenCode or Qwen Code: no line of it is a message that memdir can read${why}`,
  );
}

/** The part of a session that was not read before, starting at a task. */
export interface Stretch {
  readonly transcript: Transcript;
  /** It reaches the end; if not, the rest is read another time. */
  readonly isWhole: boolean;
  /** Where the task with this id begins, for the next stretch to start; without an id, where this stretch ends. */
  placeOf(id: string | undefined): SessionPlace;
  /** The same if the task does not fit: a task that begins with the stretch is skipped. */
  placeBehind(id: string | undefined): SessionPlace;
}

/** The most read of a session at a time (bytes). */
const MOST_BYTES = 8 << 20;
/** The first lines tell whose session it is, and where it ran. */
const HEAD_LINES = 20;
const HEAD_BYTES = 1 << 18;

/**
 * Reads a session from a place on. The session's identity comes from its first lines, tool output also from shortly
 * before the place. A file that was rewritten is read from its beginning.
 * @throws MemoryError `not-found`
 */
export function readOn(file: string, from: SessionPlace | undefined, most = MOST_BYTES): Stretch {
  const found = databaseOf(file);
  if (found !== undefined) return readDatabase(file, found, from);
  const start = from !== undefined && fingerprint(file, from.offset) === from.fingerprint ? from : BEGINNING;
  const format = formatOf(file);
  const [reader, earlier] = [format.open(), format.open()];
  const known = start.offset === 0 ? new Set<string>() : headRead(reader, file, start.line);
  const lines: TranscriptLine[] = [];
  let end: { readonly offset: number; readonly line: number } = start;
  let isWhole = true;
  for (const line of transcriptLines(file, start)) {
    const { text, number } = line;
    if (line.start < start.offset) {
      if (text !== undefined && text.trim() !== "") earlier.read(text, number);
      continue;
    }
    if (line.torn) break;
    if (line.end - start.offset > most && lines.length > 0) {
      isWhole = false;
      break;
    }
    end = { offset: line.end, line: number };
    if (text === undefined || text.trim() === "") continue;
    reader.read(text, number);
    lines.push(line);
  }
  const read = reader.transcript();
  const toolTexts = [...earlier.transcript().toolTexts, ...read.toolTexts];
  const place = ({ offset, line }: { readonly offset: number; readonly line: number }): SessionPlace => ({
    offset,
    line,
    fingerprint: fingerprint(file, offset) ?? "",
  });
  const placeOf = (id: string | undefined, least = 0): SessionPlace => {
    const first = id === undefined ? undefined : lines.find((line) => says(format, line, id));
    return place(first === undefined || first.start < least ? end : { offset: first.start, line: first.number - 1 });
  };
  return {
    transcript: {
      ...read,
      cwd: read.cwd ?? projectBeside(file, read.agent),
      turns: read.turns.filter(({ id }) => !known.has(id)),
      toolTexts,
    },
    isWhole,
    placeOf,
    placeBehind: (id) => placeOf(id, start.offset + 1),
  };
}

/** Ids of the messages in the first lines, which the reader then also knows. */
function headRead(reader: TranscriptReader, file: string, most: number): ReadonlySet<string> {
  for (const { text, number, end } of transcriptLines(file, BEGINNING)) {
    if (number > Math.min(HEAD_LINES, most) || end > HEAD_BYTES) break;
    if (text !== undefined && text.trim() !== "") reader.read(text, number);
  }
  return new Set(reader.transcript().turns.map(({ id }) => id));
}

function says(format: TranscriptFormat, { text, number }: TranscriptLine, id: string): boolean {
  if (text === undefined || (!text.includes(id) && id !== `line-${number}`)) return false;
  const reader = format.open();
  reader.read(text, number);
  return reader.transcript().turns.some((turn) => turn.role === "user" && turn.id === id);
}

function readDatabase(
  file: string,
  { database, session }: { readonly database: string; readonly session: string | undefined },
  from: SessionPlace | undefined,
): Stretch {
  const placeOf = (id: string | undefined): SessionPlace => ({ ...NOWHERE, after: id ?? from?.after });
  const after = from?.after;
  const lines =
    session === undefined || after === undefined ? [] : (openOpenCode(database)?.lines(session, after) ?? []);
  // The first line describes the session itself.
  const isKnown = lines.length > 1;
  const transcript = isKnown ? readTranscript(lines.join("\n"), opencodeTranscripts) : readTranscriptFile(file);
  return { transcript, isWhole: true, placeOf, placeBehind: placeOf };
}

const NOWHERE = { offset: 0, line: 0, fingerprint: "" };
