import { matchingLines } from "../../adapters/files/matching-lines.ts";
import { record } from "../../core/shared/json.ts";
import type { RunningCall, PastSession } from "../../core/transcripts/past.ts";

/** A transcript that no line was added to for longer than this is not the running one (ms). */
const STILL_RUNNING_MS = 15 * 60_000;

/** The session whose agent started this process, where its client says so. */
export function runningSession(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return environment["CLAUDE_CODE_SESSION_ID"];
}

/**
 * Sessions without the one that asks: its client names it with the call, or names the call, which stands in its
 * transcript; else it is the client's newest, if that is still being written.
 */
export function withoutRunning(
  sessions: readonly PastSession[],
  { agent, meta }: RunningCall,
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
): readonly PastSession[] {
  const ids = textsIn(meta);
  const named = sessions.find(({ session }) => session === runningSession(environment) || ids.includes(session));
  const recent = sessions.filter((one) => one.agent === agent && now - one.timeMs <= STILL_RUNNING_MS);
  const running = named ?? recent.find((one) => holdsOne(one, ids)) ?? recent[0];
  return running === undefined ? sessions : sessions.filter((one) => one !== running);
}

/** Ids are short and without spaces; two levels hold those of every client that was observed. */
function textsIn(value: unknown, depth = 2): readonly string[] {
  if (typeof value === "string") return /^\S{8,80}$/u.test(value) ? [value] : [];
  return depth === 0 ? [] : Object.values(record(value)).flatMap((inner) => textsIn(inner, depth - 1));
}

function holdsOne({ path, bytes }: PastSession, ids: readonly string[]): boolean {
  return bytes > 0 && ids.some((text) => matchingLines(path, { text, ignoreCase: false }).length > 0);
}
