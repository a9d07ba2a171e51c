import { claudeCodeTranscripts } from "../adapters/agents/claude-code-transcript.ts";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { readTranscript } from "../core/transcripts/format.ts";
import type { Transcript } from "../core/transcripts/turn.ts";

/** Reads a session's transcript. @throws MemoryError `not-found`, or `invalid-input` when no line of it is one. */
export function readTranscriptFile(file: string): Transcript {
  const bytes = nodeFiles.read(file);
  if (bytes === undefined) throw new MemoryError("not-found", `there is no file ${file}; give the path of a session transcript (.jsonl)`);
  const transcript = readTranscript(new TextDecoder().decode(bytes), claudeCodeTranscripts);
  if (transcript.turns.length === 0 && transcript.problems.length > 0) {
    const first = transcript.problems[0];
    throw new MemoryError("invalid-input", `${file} is not a Claude Code transcript: no line of it is a message (line ${first?.line ?? 1}: ${first?.reason ?? "unreadable"})`);
  }
  return transcript;
}
