import path from "node:path";
import { claudeCodeTranscripts } from "../adapters/agents/claude-code-transcript.ts";
import { codexTranscripts } from "../adapters/agents/codex-transcript.ts";
import { geminiTranscripts } from "../adapters/agents/gemini-transcript.ts";
import { opencodeTranscripts } from "../adapters/agents/opencode-transcript.ts";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { openOpenCode } from "../adapters/sqlite/opencode-database.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { readTranscript, type TranscriptFormat } from "../core/transcripts/format.ts";
import { parseLine } from "../core/transcripts/record.ts";
import type { Transcript } from "../core/transcripts/turn.ts";

/** Every client whose sessions can be read. */
const FORMATS: readonly TranscriptFormat[] = [claudeCodeTranscripts, codexTranscripts, geminiTranscripts, opencodeTranscripts];
const LINES_THAT_TELL = 20;

/** The format of a file that begins with these lines; `undefined` when no client writes such. */
function recogniseFormat(lines: readonly string[]): TranscriptFormat | undefined {
  const records = lines.filter((line) => line.trim() !== "").slice(0, LINES_THAT_TELL).map(parseLine).flatMap((line) => (line.ok ? [line.record] : []));
  return FORMATS.find((format) => format.recognises(records));
}

/**
 * Reads a session's transcript; of OpenCode's database (`opencode.db`) the session named behind `#`, else the last.
 * @throws MemoryError `not-found`, or `invalid-input` when no line of it is one.
 */
export function readTranscriptFile(file: string): Transcript {
  const [, database, session] = /^(.*\.db)(?:#(.+))?$/su.exec(file) ?? [];
  if (database !== undefined) return readOpenCodeSession(database, session);
  const bytes = nodeFiles.read(file);
  if (bytes === undefined) throw new MemoryError("not-found", `there is no file ${file}; give the path of a session transcript (.jsonl)`);
  const text = new TextDecoder().decode(bytes);
  const transcript = readTranscript(text, recogniseFormat(text.replace(/^\uFEFF/u, "").split(/\r\n|\n|\r/u, 400)) ?? claudeCodeTranscripts);
  if (transcript.turns.length === 0 && transcript.problems.length > 0) {
    const first = transcript.problems[0];
    throw new MemoryError("invalid-input", `${file} is not a transcript of Claude Code, Codex, Gemini CLI or OpenCode: no line of it is a message (line ${first?.line ?? 1}: ${first?.reason ?? "unreadable"})`);
  }
  return transcript.cwd === undefined && transcript.agent === "gemini" ? { ...transcript, cwd: geminiProject(file) } : transcript;
}

/** Gemini CLI names the project's directory beside the chats, not in them. */
function geminiProject(file: string): string | undefined {
  const bytes = nodeFiles.read(path.join(path.dirname(file), "..", ".project_root"));
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes).trim() || undefined;
}

function readOpenCodeSession(file: string, wanted: string | undefined): Transcript {
  const database = openOpenCode(file);
  if (database === undefined) throw new MemoryError("not-found", `there is no database ${file}; OpenCode keeps its own in ~/.local/share/opencode/opencode.db`);
  const own = database.sessions().filter(({ parent }) => parent === undefined).toSorted((a, b) => b.updatedMs - a.updatedMs);
  const session = wanted ?? own[0]?.id;
  const lines = session === undefined ? [] : database.lines(session);
  if (lines.length === 0) throw new MemoryError("not-found", `${file} has no session ${wanted ?? ""}; the last ones are ${own.slice(0, 3).map(({ id }) => id).join(", ") || "none"}`);
  return readTranscript(lines.join("\n"), opencodeTranscripts);
}
