import { isStillApproved } from "../../app/guards/guard-approval.ts";
import { boundThisProcess } from "../../app/background/hook-process.ts";
import type { ApprovedGuard } from "../../app/guards/guard-registry.ts";
import type { Locations } from "../../app/workspace/locations.ts";
import { openSideQueries } from "../../app/recall/side-queries.ts";
import { openWorkspace } from "../../app/workspace/open-workspace.ts";
import { recallNotes } from "../../app/recall/recall-notes.ts";
import { verifierOf } from "../../app/recall/verify-notes.ts";
import { type Answering, answerFromNotes, type NotesEvent } from "./answers.ts";

/** The longest wait for a writer (ms); after that the answer comes from the current index. */
const LOCK_MS = 400;

/** Brings the index up to date and answers; runs in a separate process, which may take its time. */
export function answerInFull(
  locations: Locations,
  event: NotesEvent,
  answering: Pick<Answering, "client" | "say">,
): void {
  boundThisProcess();
  const workspace = openWorkspace(locations, { lockTimeoutMs: LOCK_MS });
  try {
    answerFromNotes({ ...answering, locations, workspace, verify: verifierOf(workspace) }, event);
  } finally {
    workspace.close();
  }
}

/** Asks the chosen model which notes help with a prompt, and stores its answer for the session's next event. */
export async function refinePrompt(locations: Locations, event: NotesEvent): Promise<void> {
  if (event.kind !== "prompt" || event.session === "") return;
  boundThisProcess();
  const workspace = openWorkspace(locations, { lockTimeoutMs: LOCK_MS });
  const queries = openSideQueries(workspace, undefined);
  try {
    const fast = recallNotes(workspace, event.prompt);
    await queries.refine(event.prompt, fast, {
      session: event.session,
      ...(event.turn !== undefined && { turn: event.turn }),
    });
  } finally {
    queries.close();
    workspace.close();
  }
}

/** Whether a note that changed on disk still contains the approved guard. */
export function recheckGuard(locations: Locations, guard: ApprovedGuard): boolean {
  return isStillApproved(locations, guard);
}
