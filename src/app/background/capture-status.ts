import { nodeFiles } from "../../adapters/files/node-files.ts";
import { readWorkerState, type WorkerState } from "../../adapters/files/worker-state.ts";
import { captureJobs } from "./capture-jobs.ts";
import { STATE_FILE } from "../capture/capture-places.ts";
import type { Locations } from "../workspace/locations.ts";
import { type MissedSession, missedHere } from "./missed-sessions.ts";
import { workerAtWork } from "./worker-mark.ts";

export interface CaptureStatus extends Pick<WorkerState, "lastRun" | "lastFailure"> {
  /** Sessions whose last turns wait. */
  readonly pending: number;
  /** Which they are. */
  readonly waiting: readonly { readonly agent: string; readonly session: string; readonly since: number }[];
  /** Sessions of this project whose last turn no record could be kept of; they are captured once there is room. */
  readonly missed: readonly MissedSession[];
  /** The process at work. */
  readonly worker: number | undefined;
}

/** What capture in the background does, did and could not do. */
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

/** What is told of a worker that left its session behind. Here, so that who looks need not load what captures. */
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
