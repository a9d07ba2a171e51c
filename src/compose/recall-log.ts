import type { RecallLogParts } from "../adapters/files/recall-log.ts";
import { nodeFiles } from "../adapters/files/node-files.ts";
import type { Clock } from "../core/shared/clock.ts";
import type { Locations } from "./locations.ts";

/** One log a project: it lies with the state of the first store, which is the project's own. */
export function recallLogParts({ stores, project, recallLog }: Locations, clock: Clock): RecallLogParts {
  const [first] = stores;
  return { state: first?.state ?? "", project: project?.root ?? first?.directory ?? "", keeps: first === undefined ? "nothing" : recallLog, files: nodeFiles, clock };
}
