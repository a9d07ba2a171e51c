import { conversationOf, digestSession } from "../../core/capture/digest.ts";
import type { UnjudgedSession } from "../../core/capture/asking.ts";
import { zoneName } from "../../core/shared/clock.ts";
import { withoutSaved } from "../../core/transcripts/exchanges.ts";
import { readTranscriptFile } from "../past/transcript.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import type { CapturedNote } from "./apply-capture.ts";
import { memoryOf } from "./capture-file.ts";
import { type CaptureOutcome, captureSession, type Extractor } from "./capture-session.ts";
import { turnsAfter } from "./next-session.ts";
import { claimWaiting, isOver, settleWaiting, waitingSessions } from "./unjudged-sessions.ts";

/** Per run; the rest are judged after the next turn. */
const MOST_SESSIONS = 3;

/**
 * Lets the user's own agent read what was typed in finished sessions, each once, and propose what to keep. A session
 * for which it gives no answer waits for the next session's agent, as if there were no judge.
 */
export async function judgeSessions(
  workspace: OpenWorkspace,
  judge: Extractor,
  now: number,
): Promise<readonly CapturedNote[]> {
  const due = waitingSessions(workspace.locations).filter((one) => one.asked === undefined && isOver(one, now));
  const kept: CapturedNote[] = [];
  for (const one of due.slice(0, MOST_SESSIONS)) {
    const { transcript, session, after } = one.unjudged;
    const giveBack = transcript === undefined ? undefined : claimWaiting(one, now);
    if (transcript === undefined || giveBack === undefined) continue;
    const outcome = await judged(workspace, transcript, { session, after }, judge);
    kept.push(...outcome.notes);
    if (outcome.by === "model") settleWaiting(one);
    else giveBack();
  }
  return kept;
}

/** What the agent itself saved during the session is settled, and not shown again. */
async function judged(
  workspace: OpenWorkspace,
  file: string,
  { session, after }: Pick<UnjudgedSession, "session" | "after">,
  extractor: Extractor,
): Promise<CaptureOutcome> {
  const whole = readTranscriptFile(file);
  const unsaved = withoutSaved(whole.turns, memoryOf(workspace, file, whole));
  const transcript = { ...whole, session, turns: turnsAfter({ ...whole, ...unsaved }, after) ?? [] };
  const digest = await digestSession(transcript, {
    secrets: workspace.secrets,
    timeZone: zoneName(workspace.clock),
  });
  return captureSession(workspace, transcript, {
    turns: conversationOf(digest, transcript),
    extractor,
    askedBy: "itself",
  });
}
