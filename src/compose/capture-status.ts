import { openCaptureJobs } from "../adapters/files/capture-jobs.ts";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { readWorkerState, type WorkerState } from "../adapters/files/worker-state.ts";
import { JOBS_FOLDER, STATE_FILE } from "./capture-places.ts";
import { endedEarly } from "./capture-worker.ts";
import type { Locations } from "./locations.ts";
import { workerAtWork } from "./worker-mark.ts";

export interface CaptureStatus extends Pick<WorkerState, "lastRun" | "lastFailure"> {
  /** Sessions whose last turns wait. */
  readonly pending: number;
  /** The process at work. */
  readonly worker: number | undefined;
}

/** What capture in the background does, did and could not do. */
export function captureStatus({ memdirHome }: Pick<Locations, "memdirHome">): CaptureStatus {
  const { running, lastRun, lastFailure } = readWorkerState(`${memdirHome}/${STATE_FILE}`, nodeFiles);
  const worker = workerAtWork(memdirHome);
  const pending = openCaptureJobs({ directory: `${memdirHome}/${JOBS_FOLDER}`, files: nodeFiles, newId: () => "" }).waiting().length;
  return { pending, worker, lastRun, lastFailure: worker === undefined && running !== undefined ? endedEarly(running) : lastFailure };
}
