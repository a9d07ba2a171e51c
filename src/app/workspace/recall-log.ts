import type { RecallLogParts } from "../../adapters/files/recall-log.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { mayWrite, modeIn } from "./modes.ts";
import type { KeptRecallLog, RecallLog } from "../../core/recall/recall-log.ts";
import type { Clock } from "../../core/shared/clock.ts";
import type { Locations } from "./locations.ts";

/** One log a project: it lies with the state of the first store, which is the project's own. */
function recallLogParts({ stores, project, recallLog }: Locations, clock: Clock): RecallLogParts {
  const [first] = stores;
  return {
    state: first?.state ?? "",
    project: project?.root ?? first?.directory ?? "",
    keeps: first === undefined ? "nothing" : recallLog,
    files: nodeFiles,
    clock,
  };
}

/** The log as the project's mode allows it; opened only where it may be read. */
export function recallLogFor<Log extends RecallLog>(
  locations: Locations,
  clock: Clock,
  open: (parts: RecallLogParts) => Log,
): Log | KeptRecallLog {
  const { mode } = modeIn(locations.modes, "project");
  const parts = recallLogParts(locations, clock);
  if (mode === "off") return closedRecallLog(parts);
  return mayWrite(mode) ? open(parts) : { ...open(parts), append: () => undefined };
}

/** For a project whose memory is off: nothing is read, and nothing written. */
function closedRecallLog({ state, project }: RecallLogParts): KeptRecallLog {
  return {
    project,
    keeps: "nothing",
    append: () => undefined,
    tail: () => [],
    drop: () => undefined,
    health: () => ({ path: `${state}/recalls.jsonl`, bytes: 0, problem: undefined }),
  };
}
