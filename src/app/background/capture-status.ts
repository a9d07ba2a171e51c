import { nodeFiles } from "../../adapters/files/node-files.ts";
import { readWorkerState, type WorkerState } from "../../adapters/files/worker-state.ts";
import { captureJobs, placeHere } from "./capture-jobs.ts";
import { STATE_FILE } from "../capture/capture-places.ts";
import type { Locations } from "../workspace/locations.ts";
import { workerAtWork } from "./worker-mark.ts";
import type { CaptureJob } from "../../core/transcripts/capture-job.ts";
import { isCaptured, sessionNamed } from "../capture/capture-file.ts";
import { listPastSessions } from "../past/past-sessions.ts";

/** A session whose turn ended but whose record could not be written. */
export interface MissedSession extends Pick<CaptureJob, "agent" | "session" | "transcript" | "cwd"> {
  /** When the miss was first seen (ms). */
  readonly since: number;
}

/** Older marks of missed sessions are dropped, and older transcripts are not read (ms). */
const OLDEST_MS = 30 * 24 * 60 * 60 * 1000;
/** Per run; the next run takes more. */
const MOST_SESSIONS = 20;

/**
 * Sessions of this project, newest first, that a hook marked because it could not write their record. A session without
 * a mark is not read: memory may have been off in it, or it may be older than memdir here.
 */
function missedSessions(locations: Locations, place: CaptureJob["place"], now: number): readonly MissedSession[] {
  const jobs = captureJobs(locations);
  if (jobs.lastMissed() === undefined) return [];
  return listPastSessions(locations, { sinceMs: now - OLDEST_MS })
    .flatMap((past) => {
      const { agent, cwd } = past;
      const transcript = agent === "opencode" ? `${past.path}#${past.session}` : past.path;
      // Gemini CLI's file names differ from its session ids.
      const session = agent === "gemini" ? sessionNamed(locations, transcript) : past.session;
      const since = jobs.missedAt({ agent, session, place });
      return since === undefined ? [] : [{ agent, session, transcript, cwd: cwd ?? locations.cwd, since }];
    })
    .slice(0, MOST_SESSIONS);
}

/** For display: missed sessions whose last turns have not been captured since. */
function missedHere(locations: Locations, now: number): readonly MissedSession[] {
  return missedSessions(locations, placeHere(locations), now).filter(
    ({ transcript }) => isCaptured(locations, transcript) !== true,
  );
}

/** Leaves records of missed sessions. @throws MemoryError when a record cannot be written; its mark then stays. */
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

export interface CaptureStatus extends Pick<WorkerState, "lastRun" | "lastFailure"> {
  /** How many sessions have turns that wait. */
  readonly pending: number;
  /** Those sessions. */
  readonly waiting: readonly { readonly agent: string; readonly session: string; readonly since: number }[];
  /** Sessions of this project whose last record could not be written. They are captured once there is room. */
  readonly missed: readonly MissedSession[];
  /** The id of the running worker process. */
  readonly worker: number | undefined;
}

/** What background capture is doing, what it did and what failed. */
export function captureStatus(locations: Locations): CaptureStatus {
  const { memdirHome } = locations;
  const { running, lastRun, lastFailure } = readWorkerState(`${memdirHome}/${STATE_FILE}`, nodeFiles);
  const worker = workerAtWork(memdirHome);
  const waiting = captureJobs(locations).waiting();
  return {
    pending: waiting.length,
    waiting: waiting.map(({ agent, session, time }) => ({ agent, session, since: time })),
    missed: missedHere(locations, Date.now()),
    worker,
    lastRun,
    lastFailure: worker === undefined && running !== undefined ? endedEarly(running) : lastFailure,
  };
}

/** The failure of a worker that left its session unfinished. Here, so that `status` loads no capture code. */
export function endedEarly({
  session,
  since,
}: NonNullable<WorkerState["running"]>): NonNullable<WorkerState["lastFailure"]> {
  return {
    time: since,
    session,
    message: `the worker was ended while it captured ${session}: killed, or past its bound; the next one goes on`,
  };
}
