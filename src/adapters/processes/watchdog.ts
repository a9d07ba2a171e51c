import { Worker } from "node:worker_threads";
import { readFileSync } from "node:fs";

/**
 * Ends process groups started by a memdir that was killed. Another process may have the id by now, so a group is
 * touched only if its first process carries memdir's marker. If processes cannot be inspected, none is ended.
 */
export function endLeftBehind(groups: readonly number[]): void {
  for (const group of groups.filter(isNested)) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      // It has ended in the meantime.
    }
  }
}

function isNested(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes("MEMDIR_NESTED=1");
  } catch {
    return false; // ended, owned by another user, or a system without /proc
  }
}

/** Ends this process and those that it started, if it can no longer do so itself. */
export interface Watchdog {
  /** At `deadline` (ms since the epoch) everything is killed, unless the deadline was moved before. */
  watch(deadline: number): void;
  /** Process groups that this process started and that must end with it. */
  groups(ids: readonly number[]): void;
}

/** A separate thread, which keeps running during an endless loop or endless garbage collection. */
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
  // The thread never keeps the process alive; it ends a process that does not end on its own.
  thread.unref();
  const tell = (change: Partial<typeof state>): void => {
    state = { ...state, ...change };
    thread.postMessage(state, []);
  };
  return { watch: (next) => tell({ deadline: next }), groups: (ids) => tell({ groups: ids }) };
}
