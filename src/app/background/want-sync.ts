import { nodeFiles, unlessImpossible } from "../../adapters/files/node-files.ts";
import { openSyncWishes, type SyncWishes } from "../../adapters/files/sync-wishes.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { SyncWish } from "../../core/sync/wish.ts";
import { isDue, spacesHere } from "../sync/spaces-here.ts";
import type { Locations } from "../workspace/locations.ts";
import { placeHere } from "./capture-jobs.ts";
import { startDetached, startMarked, workerAtWork } from "./worker-mark.ts";

/** Everything that automatic sync keeps, below memdir's own directory. */
const WISHES_FOLDER = "sync/wanted";

/** The mark of the running worker; removed when none is running. */
export const SYNC_WORKER_FILE = "sync/worker";

/** The lock that says reliably if a worker is running. */
export const SYNC_LOCK_FILE = "sync/worker.lock.db";

export function syncWishes(memdirHome: string): SyncWishes {
  return openSyncWishes({
    directory: `${memdirHome}/${WISHES_FOLDER}`,
    files: nodeFiles,
    newId: () => String(process.pid),
  });
}

/** The id of the process that syncs now, according to its mark. */
export function syncWorkerAtWork(memdirHome: string): number | undefined {
  return workerAtWork(memdirHome, SYNC_WORKER_FILE);
}

/**
 * Call when notes changed, or a session began or ended: leaves a small record and starts the one detached, bounded sync
 * process, unless it is running. Does nothing when no store here syncs automatically. Returns at once, uses no network,
 * and never throws for problems with the disk or the sync settings: `memdir sync status` shows those.
 */
export function wantSync(
  locations: Locations,
  why: SyncWish["why"],
  start: (locations: Locations) => number | undefined = (one) => startDetached(one, ["sync", "now", "--pending"]),
): void {
  unlessImpossible(() => {
    const now = Date.now();
    const due = spacesHere(locations).filter((space) => isDue(locations, space, now));
    if (due.length === 0) return;
    const name = sha256(due.map(({ directory }) => directory).join("\n")).slice(0, 32);
    const wish = { cwd: locations.cwd, place: placeHere(locations), why, since: now, time: now };
    syncWishes(locations.memdirHome).keep(name, wish);
    startMarked(locations.memdirHome, () => start(locations), SYNC_WORKER_FILE);
  });
}
