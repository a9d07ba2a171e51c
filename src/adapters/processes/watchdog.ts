import { Worker } from "node:worker_threads";
import { readFileSync } from "node:fs";

/**
 * Ends process groups that a killed memdir had started. An id may belong to someone else by now, so only a group
 * whose first process carries memdir's marker is touched; where processes cannot be looked at, none is.
 */
export function endLeftBehind(groups: readonly number[]): void {
  for (const group of groups.filter(isNested)) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}

function isNested(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes("MEMDIR_NESTED=1");
  } catch {
    return false; // gone, another user's, or no such place on this system
  }
}

/** What ends this process and what it started, if the process itself no longer can. */
export interface Watchdog {
  /** At `deadline` (ms since the epoch) everything is killed, unless it was moved before. */
  watch(deadline: number): void;
  /** Process groups that this process started and that end with it. */
  groups(ids: readonly number[]): void;
}

/** Its own thread: a loop without end, or a heap that is being swept for ever, does not stop it. */
const THREAD = `
const { parentPort, workerData } = require("node:worker_threads");
let { deadline, groups } = workerData;
const end = (id) => { try { process.kill(id, "SIGKILL"); } catch { /* it is gone */ } };
parentPort.on("message", (next) => { deadline = next.deadline; groups = next.groups; });
setInterval(() => {
  if (Date.now() < deadline) return;
  for (const group of groups) end(-group);
  end(-process.pid);
  end(process.pid);
}, 250);
`;

export function startWatchdog(deadline: number): Watchdog {
  let state: { readonly deadline: number; readonly groups: readonly number[] } = { deadline, groups: [] };
  const thread = new Worker(THREAD, {
    eval: true,
    execArgv: [],
    workerData: state,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
  });
  // It never keeps the process; a process that cannot end of itself is ended by it.
  thread.unref();
  const tell = (change: Partial<typeof state>): void => {
    state = { ...state, ...change };
    thread.postMessage(state, []);
  };
  return { watch: (next) => tell({ deadline: next }), groups: (ids) => tell({ groups: ids }) };
}
