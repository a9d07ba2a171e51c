import { conflictsView, healthView, type Progress } from "../../app/browse/state.ts";
import { locate } from "../../app/workspace/locations.ts";
import { openWorkspace } from "../../app/workspace/open-workspace.ts";
import type { WorkOrder } from "./jobs.ts";

const tell = (said: object): void => void process.send?.(said);

/** A process of the page's server: does one piece of slow work, reports progress, and ends. */
async function work({ name, options }: WorkOrder): Promise<object> {
  const workspace = openWorkspace(locate(options));
  try {
    const progress: Progress = (step, done, total) => tell({ step, done, total });
    return name === "conflicts" ? conflictsView(workspace, progress) : await healthView(workspace, progress);
  } finally {
    workspace.close();
  }
}

// Anything left pending must not keep an abandoned process alive.
process.once("disconnect", () => process.exit());
process.once("message", (order: WorkOrder) => {
  work(order)
    .then(
      (finished) => tell({ finished }),
      (error: unknown) => tell({ failed: error instanceof Error ? error.message : String(error) }),
    )
    .finally(() => process.disconnect());
});
