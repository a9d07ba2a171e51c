import type { Locations } from "../../compose/locations.ts";
import { NeedsFullCommand, openForRecall } from "../../compose/quick-recall.ts";
import { type Answering, answerFromNotes, type NotesEvent } from "./answers.ts";

/** An index that another process holds longer than this is not waited for (ms). */
const BUSY_MS = 250;

/**
 * Answers a prompt or the start of a session from an index that is up to date; a bundle of its own, with nothing that
 * writes notes. `false` when the index is behind the files: nothing was said then.
 */
export function answerQuickly(locations: Locations, event: NotesEvent, answering: Omit<Answering, "workspace" | "locations">): boolean {
  try {
    answerFromNotes({ ...answering, locations, workspace: openForRecall(locations, { busyTimeoutMs: BUSY_MS }) }, event);
    return true;
  } catch (error) {
    if (error instanceof NeedsFullCommand) return false;
    throw error;
  }
}
