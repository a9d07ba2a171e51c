import type { Locations } from "../../app/workspace/locations.ts";
import { NeedsFullCommand, openForRecall } from "../../app/recall/quick-recall.ts";
import { openTree } from "../../app/workspace/tree.ts";
import type { RecallOutcome } from "../../app/recall/recall-notes.ts";
import { verifySelected } from "../../app/recall/verify-notes.ts";
import { type Answering, answerFromNotes, type NotesEvent } from "./answers.ts";

/** The longest wait for an index that another process holds (ms). */
const BUSY_MS = 250;

/**
 * Answers a prompt or a session start from an up-to-date index, without code that writes notes. `false` if the index is
 * out of date; then nothing was answered.
 */
export function answerQuickly(
  locations: Locations,
  event: NotesEvent,
  answering: Pick<Answering, "client" | "say">,
): boolean {
  try {
    const workspace = openForRecall(locations, { busyTimeoutMs: BUSY_MS });
    const verify = (outcome: RecallOutcome): RecallOutcome => verifySelected({ tree: openTree(locations) }, outcome);
    answerFromNotes({ ...answering, locations, workspace, verify }, event);
    return true;
  } catch (error) {
    if (error instanceof NeedsFullCommand) return false;
    throw error;
  }
}
