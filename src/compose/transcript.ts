import { claudeCodeTranscripts } from "../adapters/agents/claude-code-transcript.ts";
import { transcriptLines } from "../adapters/files/transcript-lines.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { parseRecord } from "../core/transcripts/capture-job.ts";
import type { JsonObject, TranscriptFormat } from "../core/transcripts/format.ts";
import type { Transcript } from "../core/transcripts/turn.ts";
import { BEGINNING } from "../core/transcripts/windows.ts";

/** Every client whose sessions can be read; the first that knows a file reads it. */
const FORMATS: readonly TranscriptFormat[] = [claudeCodeTranscripts];

/** Lines of a file that are looked at to tell whose it is. */
const FIRST_LINES = 20;

/** Whose transcript a file is. A file that nobody knows is given to the first reader, whose problems say what is wrong with it. */
export function formatOf(file: string): TranscriptFormat {
  const lines: JsonObject[] = [];
  for (const { text, number } of transcriptLines(file, BEGINNING)) {
    const object = parseRecord(text ?? "");
    if (object !== undefined) lines.push(object);
    if (number >= FIRST_LINES) break;
  }
  return FORMATS.find((format) => format.recognises(lines)) ?? claudeCodeTranscripts;
}

/** Reads a session's transcript, all turns of it. @throws MemoryError `not-found`, or `invalid-input` when no line of it is one. */
export function readTranscriptFile(file: string): Transcript {
  const reader = formatOf(file).open();
  for (const { text, number } of transcriptLines(file, BEGINNING)) if (text !== undefined && text.trim() !== "") reader.read(text, number);
  const transcript = reader.transcript();
  if (transcript.turns.length === 0 && transcript.problems.length > 0) throw notATranscript(file, transcript.problems);
  return transcript;
}

export function notATranscript(file: string, problems: Transcript["problems"]): MemoryError {
  const first = problems[0];
  return new MemoryError("invalid-input", `${file} is not a Claude Code transcript: no line of it is a message (line ${first?.line ?? 1}: ${first?.reason ?? "unreadable"})`);
}
