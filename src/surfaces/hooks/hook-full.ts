import { isStillApproved } from "../../compose/guard-approval.ts";
import { boundThisProcess } from "../../compose/hook-bound.ts";
import type { ApprovedGuard } from "../../compose/guard-registry.ts";
import type { Locations } from "../../compose/locations.ts";
import { openSideQueries } from "../../compose/side-queries.ts";
import { openWorkspace } from "../../compose/workspace.ts";
import { recallNotes } from "../../core/memory/recall-notes.ts";
import { verifySelected } from "../../core/memory/verify-notes.ts";
import { type Answering, answerFromNotes, type NotesEvent } from "./answers.ts";

/** A writer is not waited for longer (ms): what the index knows then is what is answered from. */
const LOCK_MS = 400;

/** Brings the index up to date and answers; for a process of its own, which may take its time. */
export function answerInFull(locations: Locations, event: NotesEvent, answering: Pick<Answering, "client" | "say">): void {
  boundThisProcess();
  const workspace = openWorkspace(locations, { lockTimeoutMs: LOCK_MS });
  try {
    answerFromNotes({ ...answering, locations, workspace, verify: (outcome) => verifySelected(workspace, outcome) }, event);
  } finally {
    workspace.close();
  }
}

/** Asks the chosen model which notes help with a prompt, and keeps its answer for the next event of the session. */
export async function refinePrompt(locations: Locations, event: NotesEvent): Promise<void> {
  if (event.kind !== "prompt" || event.session === "") return;
  boundThisProcess();
  const workspace = openWorkspace(locations, { lockTimeoutMs: LOCK_MS });
  const queries = openSideQueries(workspace, undefined);
  try {
    const fast = recallNotes(workspace, event.prompt);
    await queries.refine(event.prompt, fast, { session: event.session, ...(event.turn !== undefined && { turn: event.turn }) });
  } finally {
    queries.close();
    workspace.close();
  }
}

/** Whether a note that changed on disk still says the guard that was approved. */
export function recheckGuard(locations: Locations, guard: ApprovedGuard): boolean {
  return isStillApproved(locations, guard);
}
