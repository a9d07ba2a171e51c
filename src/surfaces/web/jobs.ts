import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Progress } from "../../app/browse/state.ts";
import { presentStamp, type Reading, stampOf } from "../../app/browse/note-list.ts";
import type { Job, JobName } from "./api.ts";
import type { Environment, LocationOptions } from "../../app/workspace/locations.ts";
import { isRecord } from "../../core/shared/json.ts";

/** The order for the process that does slow work. */
export interface WorkOrder {
  readonly name: JobName;
  readonly options: LocationOptions;
}

/** The heap limit of slow work (MB); ten thousand notes take half of it. */
const HEAP_MB = 512;
const NODE_OPTIONS = [`--max-old-space-size=${HEAP_MB}`, "--max-semi-space-size=2", "--optimize-for-size"];

/** Does slow work in a process with its own workspace: requests are answered meanwhile, and its memory is freed. */
export function workInProcess(options: LocationOptions & { readonly environment: Environment }): StartWork {
  return (name, progress) => {
    const order: WorkOrder = { name, options };
    const program = fileURLToPath(new URL("../../web-worker.cjs", import.meta.url));
    const child = fork(program, {
      execArgv: NODE_OPTIONS,
      env: { ...options.environment },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const result = new Promise<object>((done, fail) => {
      child.on("message", (said: unknown) => {
        if (!isRecord(said)) return;
        const { step, finished, failed } = said;
        if (typeof step === "string") progress(step, Number(said["done"]), Number(said["total"]));
        if (isRecord(finished)) done(finished);
        if (typeof failed === "string") fail(new Error(failed));
      });
      child.once("error", fail);
      child.once("exit", (_, signal) => fail(new Error(endedBy(signal))));
    });
    child.send(order, () => undefined);
    return { result, stop: () => void child.kill() };
  };
}

function endedBy(signal: string | null): string {
  return signal === "SIGABRT"
    ? `the work needed more than ${HEAP_MB} MB of memory; the command in a terminal may take more`
    : "the work was stopped";
}

/** Slow work in progress. */
export interface Work {
  /** Rejects if the work failed or was stopped. */
  readonly result: Promise<object>;
  stop(): void;
}

export type StartWork = (name: JobName, progress: Progress) => Work;

/** Slow work in parallel with requests: one job of a kind, its result kept until restarted after a change of notes. */
export interface Jobs {
  look(name: JobName, reading: Reading): Job<object>;
  start(name: JobName, reading: Reading): void;
  cancel(name: JobName): void;
  close(): void;
}

type Kept =
  | { readonly state: "working"; readonly work: Work; step: string; done: number; total: number }
  | {
      readonly state: "ready";
      readonly time: number;
      readonly ms: number;
      readonly stamp: string;
      readonly result: object;
    }
  | { readonly state: "failed"; readonly message: string };

export function createJobs(startWork: StartWork, now: () => number): Jobs {
  const jobs = new Map<JobName, Kept>();
  const cancel = (name: JobName): void => {
    const job = jobs.get(name);
    if (job?.state !== "working") return;
    jobs.delete(name);
    job.work.stop();
  };
  return {
    look(name, { workspace }) {
      const job = jobs.get(name);
      if (job === undefined) return { state: "idle" };
      if (job.state === "working") return { state: "working", step: job.step, done: job.done, total: job.total };
      if (job.state === "failed") return job;
      const { time, ms, stamp, result } = job;
      return { state: "ready", time: new Date(time).toISOString(), ms, stale: stamp !== stampOf(workspace), result };
    },
    start(name, { workspace }) {
      const before = jobs.get(name);
      const stamp = presentStamp(workspace);
      if (before?.state === "working" || (before?.state === "ready" && before.stamp === stamp)) return;
      const began = now();
      const report: Progress = (step, done, total) => {
        const job = jobs.get(name);
        if (job?.state === "working") Object.assign(job, { step, done, total });
      };
      const work = startWork(name, report);
      const mine: Kept = { state: "working", work, step: "beginning", done: 0, total: 1 };
      jobs.set(name, mine);
      const finish = (kept: Kept): void => {
        // It may have been cancelled or restarted in the meantime.
        if (jobs.get(name) === mine) jobs.set(name, kept);
      };
      work.result.then(
        (result) => finish({ state: "ready", time: now(), ms: Math.round(now() - began), stamp, result }),
        (error: unknown) =>
          finish({ state: "failed", message: error instanceof Error ? error.message : String(error) }),
      );
    },
    cancel,
    close() {
      for (const name of jobs.keys()) cancel(name);
    },
  };
}
