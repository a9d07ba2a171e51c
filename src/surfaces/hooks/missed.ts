import { roomProblem } from "../../app/workspace/text-file.ts";
import { captureJobs, type Queued } from "../../app/background/capture-jobs.ts";
import { owesWord, rememberTold, traceFailure } from "../../app/background/hook-trace.ts";
import { syncNotice } from "../../app/sync/sync-notice.ts";
import { truncate } from "../../core/shared/text.ts";
import type { HookAnswer } from "./event.ts";
import type { Hook } from "./hook.ts";

/** The code in the trace. */
const CODE = "not-captured";

/** A turn's record could not be written: tells the user now if the client shows it, otherwise at a later event. */
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

/** Whether earlier problems are reported at this event. */
export function mayTell({ kind }: Hook["event"]): boolean {
  return kind === "session-start" || kind === "turn-end";
}

/** Notices that could not be shown earlier; at a session start also sync matters that wait for the user. */
export function owedNotice(event: Hook["event"], locations: Hook["locations"]): HookAnswer {
  const { mode } = locations;
  if (!mayTell(event) || mode === "recall-only") return {};
  const now = Date.now();
  const waiting = event.kind === "session-start" && !event.inSubAgent ? syncNotice(locations, now) : undefined;
  const lines = [roomNotice(event, locations, now), waiting === undefined ? undefined : `memdir: ${waiting}`];
  const notice = lines.filter((line) => line !== undefined).join("\n");
  return notice === "" ? {} : { notice };
}

/** A session that starts on a full disk is told so, once a day, or each time if even that cannot be recorded. */
function roomNotice(event: Hook["event"], locations: Hook["locations"], now: number): string | undefined {
  const { memdirHome } = locations;
  const problem = event.kind === "session-start" ? roomProblem(memdirHome) : undefined;
  const happened = problem === undefined ? captureJobs(locations).lastMissed() : now;
  if (!owesWord(memdirHome, CODE, happened)) return undefined;
  if (!rememberTold(memdirHome, CODE, now) && problem === undefined) return undefined;
  return `memdir: ${problem ?? "what was to be noted of an earlier turn could not be kept; it is read from the transcript as soon as there is room"}. \`memdir status\` shows more.`;
}

/** Whether the user sees a notice then: not when a session ends, nor before a compaction (only agents get text). */
function isShown({ kind }: Hook["event"]): boolean {
  return kind !== "session-end" && kind !== "before-compaction";
}
