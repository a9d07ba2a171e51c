import { Worker } from "node:worker_threads";
import type { Environment, LocationOptions } from "../../app/workspace/locations.ts";
import { isRecord } from "../../core/shared/json.ts";
import type { JobName } from "./api.ts";
import type { StartWork } from "./jobs.ts";

/** What a worker is told. */
export interface WorkOrder {
  readonly name: JobName;
  readonly options: LocationOptions;
}

/** Does slow work in a thread with its own workspace, so that requests are answered meanwhile. */
export function workInThread(options: LocationOptions & { readonly environment: Environment }): StartWork {
  // The environment of a process is no plain object, and threads are told only those.
  const environment = { ...options.environment };
  return (name, progress) => {
    const order: WorkOrder = { name, options: { ...options, environment } };
    const worker = new Worker(new URL("../../web-worker.cjs", import.meta.url), { workerData: order });
    const result = new Promise<object>((done, fail) => {
      worker.on("message", (said: unknown) => {
        if (!isRecord(said)) return;
        const { step, finished, failed } = said;
        if (typeof step === "string") progress(step, Number(said["done"]), Number(said["total"]));
        if (isRecord(finished)) done(finished);
        if (typeof failed === "string") fail(new Error(failed));
      });
      worker.once("error", fail);
      worker.once("exit", () => fail(new Error("the work was stopped")));
    });
    return { result, stop: () => void worker.terminate() };
  };
}
