import type { CaptureJob } from "../../core/transcripts/capture-job.ts";
import { isCaptured, sessionNamed } from "../capture/capture-file.ts";
import { captureJobs, placeHere } from "./capture-jobs.ts";
import type { Locations } from "../workspace/locations.ts";
import { listPastSessions } from "../past/past-sessions.ts";

/** A session that ended a turn whose record could not be written. */
export interface MissedSession extends Pick<CaptureJob, "agent" | "session" | "transcript" | "cwd"> {
  /** When that was first seen (ms). */
  readonly since: number;
}

/** Older word of a missed session is forgotten, and older transcripts are not looked at (ms). */
const OLDEST_MS = 30 * 24 * 60 * 60 * 1000;
/** At once; the next run takes more. */
const MOST_SESSIONS = 20;

/**
 * Sessions of this project, newest first, of which a hook left word that their record could not be kept. Without such
 * word none is read: memory may have been off in it, or it may be older than memdir here.
 */
function missedSessions(locations: Locations, place: CaptureJob["place"], now: number): readonly MissedSession[] {
  const jobs = captureJobs(locations);
  if (jobs.lastMissed() === undefined) return [];
  return listPastSessions(locations, { sinceMs: now - OLDEST_MS })
    .flatMap((past) => {
      const { agent, cwd } = past;
      const transcript = agent === "opencode" ? `${past.path}#${past.session}` : past.path;
      // Gemini CLI names its files otherwise than its sessions.
      const session = agent === "gemini" ? sessionNamed(locations, transcript) : past.session;
      const since = jobs.missedAt({ agent, session, place });
      return since === undefined ? [] : [{ agent, session, transcript, cwd: cwd ?? locations.cwd, since }];
    })
    .slice(0, MOST_SESSIONS);
}

/** For people: those whose last words were not captured meanwhile. */
export function missedHere(locations: Locations, now: number): readonly MissedSession[] {
  return missedSessions(locations, placeHere(locations), now).filter(
    ({ transcript }) => isCaptured(locations, transcript) !== true,
  );
}

/** Leaves records of what was missed. @throws MemoryError when one cannot be written; the word of it stays then. */
export function queueMissed(locations: Locations, place: CaptureJob["place"], now: number): void {
  const jobs = captureJobs(locations);
  for (const { agent, session, transcript, cwd } of missedSessions(locations, place, now))
    jobs.keep({
      agent,
      session,
      transcript,
      handedOver: false,
      turn: undefined,
      capture: true,
      checkpoint: undefined,
      cwd,
      place,
      time: now,
      attempts: 0,
    });
  jobs.prune(now - OLDEST_MS);
}
