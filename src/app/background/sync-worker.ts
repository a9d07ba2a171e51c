import { setTimeout as delay } from "node:timers/promises";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { startWatchdog, type Watchdog } from "../../adapters/processes/watchdog.ts";
import { holdSqliteLock } from "../../adapters/sqlite/lock.ts";
import { environmentAt } from "../../core/transcripts/capture-job.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { type SyncWish, waitFor } from "../../core/sync/wish.ts";
import { syncNow, type SyncOptions } from "../sync/sync.ts";
import { type Locations, locate } from "../workspace/locations.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { SYNC_LOCK_FILE, SYNC_WORKER_FILE, syncWishes } from "./want-sync.ts";
import { markWorker } from "./worker-mark.ts";

export interface SyncWorkerOptions {
  /** Ends the process when it cannot end itself. Tests omit it. */
  readonly watchdog?: (deadline: number) => Watchdog;
  readonly transport?: SyncOptions["transport"];
}

/** Nothing starts after this; what has started may run for as long again (ms). */
const TOTAL_MS = 60_000;
/** How long to wait for another worker that is just ending (ms). */
const LOCK_WAIT_MS = 2_000;

/** Runs the waiting syncs one by one, within its limit; returns how many. `undefined` if another worker is running. */
export async function runSyncWorker(
  { memdirHome, environment }: Pick<Locations, "memdirHome" | "environment">,
  { watchdog, transport }: SyncWorkerOptions = {},
): Promise<number | undefined> {
  nodeFiles.makeDirectory(`${memdirHome}/sync`);
  const lock = holdSqliteLock(`${memdirHome}/${SYNC_LOCK_FILE}`, LOCK_WAIT_MS);
  if (lock === undefined) return undefined;
  const { mark } = markWorker(memdirHome, SYNC_WORKER_FILE);
  const end = Date.now() + TOTAL_MS;
  watchdog?.(end + TOTAL_MS);
  const wishes = syncWishes(memdirHome);
  let done = 0;
  try {
    while (Date.now() < end) {
      let next = wishes.next();
      if (next === undefined) {
        // From here on, a process that leaves a record sees no worker and starts one.
        mark.remove();
        next = wishes.next();
        if (next === undefined) break;
        mark.write();
      }
      const waitMs = waitFor(next.wish, Date.now());
      if (waitMs > 0) {
        await delay(waitMs);
        continue;
      }
      // A later record is a new wish. A wish that ends this process is not taken again.
      wishes.take(next.name);
      await syncAt(next.wish, environment, transport);
      done += 1;
    }
    return done;
  } finally {
    mark.remove();
    lock.release();
  }
}

async function syncAt(
  { cwd, place }: SyncWish,
  environment: Locations["environment"],
  transport: SyncOptions["transport"],
): Promise<void> {
  try {
    const workspace = openWorkspace(locate({ cwd, environment: environmentAt(place, environment) }));
    try {
      await syncNow(workspace, { isAutomatic: true, ...(transport !== undefined && { transport }) });
    } finally {
      workspace.close();
    }
  } catch (error) {
    // The settings cannot be read or the directory is gone: `memdir sync status` tells the user.
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** Runs the detached process from start to end: starts its watchdog and handles a request to end. */
export async function runDetachedSync(locations: Pick<Locations, "memdirHome" | "environment">): Promise<void> {
  process.once("SIGTERM", () => process.exit(143));
  await runSyncWorker(locations, { watchdog: startWatchdog });
}
