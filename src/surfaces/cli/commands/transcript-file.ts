import { readTranscriptFile } from "../../../app/past/transcript.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Transcript } from "../../../core/transcripts/turn.ts";

/** @throws MemoryError `corrupt` if the file is there but no transcript: the command line was correct. */
export function transcriptAt(file: string): Transcript {
  try {
    return readTranscriptFile(file);
  } catch (error) {
    throw unreadable(error);
  }
}

/** An error about a file that cannot be read as what it should be, in place of one about the command line. */
export function unreadable(error: unknown): unknown {
  return error instanceof MemoryError && error.code === "invalid-input"
    ? new MemoryError("corrupt", error.message, { cause: error })
    : error;
}
