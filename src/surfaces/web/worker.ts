import { parentPort, workerData } from "node:worker_threads";
import { conflictsView, healthView, type Progress } from "../../app/browse/state.ts";
import { locate } from "../../app/workspace/locations.ts";
import { openWorkspace } from "../../app/workspace/open-workspace.ts";
import type { WorkOrder } from "./jobs.ts";

const tell = parentPort?.postMessage.bind(parentPort);

/** A thread of the page's server: does one piece of slow work, says how far it is, and ends. */
async function work({ name, options }: WorkOrder): Promise<object> {
  const workspace = openWorkspace(locate(options));
  try {
    const progress: Progress = (step, done, total) => tell?.({ step, done, total });
    return name === "conflicts" ? conflictsView(workspace, progress) : await healthView(workspace, progress);
  } finally {
    workspace.close();
  }
}

const order: WorkOrder = workerData;
work(order).then(
  (finished) => tell?.({ finished }),
  (error: unknown) => tell?.({ failed: error instanceof Error ? error.message : String(error) }),
);
