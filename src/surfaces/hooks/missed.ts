import { roomProblem } from "../../app/workspace/text-file.ts";
import { captureJobs, type Queued } from "../../app/background/capture-jobs.ts";
import { owesWord, rememberTold, traceFailure } from "../../app/background/hook-trace.ts";
import { syncNotice } from "../../app/sync/sync-notice.ts";
import { truncate } from "../../core/shared/text.ts";
import type { HookAnswer } from "./event.ts";
import type { Hook } from "./hook.ts";

/** In the trace. */
const CODE = "not-captured";

/** The record of a turn could not be written: the person hears of it now, where the client shows that, else at a later event. */
export function tellOfMissed(
  { client, event, locations, say }: Hook,
  { why, isMarked }: Extract<Queued, { kind: "missed" }>,
): void {
  const message = `the end of a turn could not be kept for capture: ${why}`;
  const failure = { client: client.name, event: event.kind, code: CODE, message };
  if (!traceFailure(locations.memdirHome, failure, Date.now(), isShown(event))) return;
  say({
    notice: `memdir could not keep what is to be noted of this turn (${truncate(why, 200)}). ${
      isMarked
        ? "It is read from the transcript at the next turn or session that finds room"
        : "Once there is room, `memdir capture --all` reads it from the transcript"
    }; \`memdir status\` shows more.`,
  });
}

/** Whether it is an event at which something is told that happened earlier. */
export function mayTell({ kind }: Hook["event"]): boolean {
  return kind === "session-start" || kind === "turn-end";
}

/** What could not be said when it happened, and at a session's start what of sync waits for the person. */
export function owedNotice(event: Hook["event"], locations: Hook["locations"]): HookAnswer {
  const { mode } = locations;
  if (!mayTell(event) || mode === "recall-only") return {};
  const now = Date.now();
  const waiting = event.kind === "session-start" && !event.inSubAgent ? syncNotice(locations, now) : undefined;
  const lines = [roomNotice(event, locations, now), waiting === undefined ? undefined : `memdir: ${waiting}`];
  const notice = lines.filter((line) => line !== undefined).join("\n");
  return notice === "" ? {} : { notice };
}

/**
 * A session that starts on a disk that is full hears of that, once a day, and each time where not even that can be
 * remembered.
 */
function roomNotice(event: Hook["event"], locations: Hook["locations"], now: number): string | undefined {
  const { memdirHome } = locations;
  const problem = event.kind === "session-start" ? roomProblem(memdirHome) : undefined;
  const happened = problem === undefined ? captureJobs(locations).lastMissed() : now;
  if (!owesWord(memdirHome, CODE, happened)) return undefined;
  if (!rememberTold(memdirHome, CODE, now) && problem === undefined) return undefined;
  return `memdir: ${problem ?? "what was to be noted of an earlier turn could not be kept; it is read from the transcript as soon as there is room"}. \`memdir status\` shows more.`;
}

/** Whether the person sees a line that is said there: nobody looks when a session ends, and before a compaction clients take only the agent's text. */
function isShown({ kind }: Hook["event"]): boolean {
  return kind !== "session-end" && kind !== "before-compaction";
}
