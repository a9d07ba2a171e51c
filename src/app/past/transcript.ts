import path from "node:path";
import { claudeCodeTranscripts } from "../../adapters/agents/claude-code-transcript.ts";
import { codexTranscripts } from "../../adapters/agents/codex-transcript.ts";
import { geminiTranscripts } from "../../adapters/agents/gemini-transcript.ts";
import { opencodeTranscripts } from "../../adapters/agents/opencode-transcript.ts";
import { qwenTranscripts } from "../../adapters/agents/qwen-transcript.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { transcriptLines } from "../../adapters/files/transcript-lines.ts";
import { openOpenCode } from "../../adapters/sqlite/opencode-database.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { parseRecord } from "../../core/transcripts/capture-job.ts";
import { type JsonObject, readTranscript, type TranscriptFormat } from "../../core/transcripts/format.ts";
import { handedOverTranscripts } from "../../core/transcripts/handed-over.ts";
import type { Transcript } from "../../core/transcripts/turn.ts";
import { BEGINNING } from "../../core/transcripts/windows.ts";

/** Every client whose sessions can be read; the first that knows a file reads it. */
const FORMATS: readonly TranscriptFormat[] = [
  qwenTranscripts,
  claudeCodeTranscripts,
  codexTranscripts,
  geminiTranscripts,
  opencodeTranscripts,
  handedOverTranscripts,
];

/** Lines of a file that are looked at to tell whose it is. */
const FIRST_LINES = 20;

/** Whose transcript a file is. A file that nobody knows is given to the first reader, whose problems say what is wrong with it. */
export function formatOf(file: string): TranscriptFormat {
  return knownFormat(file) ?? claudeCodeTranscripts;
}

/** The same; `undefined` for a file that nobody knows. */
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

const DATABASE = /^(.*\.db)(?:#(.+))?$/su;

/**
 * Reads a session's transcript, all turns of it; of OpenCode's database (`opencode.db`) the session named behind `#`, else the last.
 * @throws MemoryError `not-found`, or `invalid-input` when no line of it is one.
 */
export function readTranscriptFile(file: string): Transcript {
  const [, database, session] = DATABASE.exec(file) ?? [];
  if (database !== undefined) return readOpenCodeSession(database, session);
  const reader = formatOf(file).open();
  for (const { text, number } of transcriptLines(file, BEGINNING))
    if (text !== undefined && text.trim() !== "") reader.read(text, number);
  const transcript = reader.transcript();
  if (transcript.turns.length === 0 && (transcript.problems.length > 0 || isUnknown(file)))
    throw notATranscript(file, transcript.problems);
  return { ...transcript, cwd: transcript.cwd ?? projectBeside(file, transcript.agent) };
}

/** Whether there is something in it, and nobody knows what. */
export function isUnknown(file: string): boolean {
  return !isDatabase(file) && (nodeFiles.stat(file)?.size ?? 0) > 0 && knownFormat(file) === undefined;
}

/** Gemini CLI names the project's directory beside the chats, not in them. */
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
