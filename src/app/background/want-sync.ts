import { nodeFiles, unlessImpossible } from "../../adapters/files/node-files.ts";
import { openSyncWishes, type SyncWishes } from "../../adapters/files/sync-wishes.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { SyncWish } from "../../core/sync/wish.ts";
import { isDue, spacesHere } from "../sync/spaces-here.ts";
import type { Locations } from "../workspace/locations.ts";
import { placeHere } from "./capture-jobs.ts";
import { startDetached, startMarked, workerAtWork } from "./worker-mark.ts";

/** Everything that syncing automatically keeps, below memdir's own directory. */
const WISHES_FOLDER = "sync/wanted";

/** The process that works; gone when none does. */
export const SYNC_WORKER_FILE = "sync/worker";

/** The kernel's word on whether one works. */
export const SYNC_LOCK_FILE = "sync/worker.lock.db";

export function syncWishes(memdirHome: string): SyncWishes {
  return openSyncWishes({
    directory: `${memdirHome}/${WISHES_FOLDER}`,
    files: nodeFiles,
    newId: () => String(process.pid),
  });
}

/** The process that syncs now, as its mark says. */
export function syncWorkerAtWork(memdirHome: string): number | undefined {
  return workerAtWork(memdirHome, SYNC_WORKER_FILE);
}

/**
 * Notes changed, or a session began or ended: leaves a small record and starts the one detached, bounded process that
 * syncs, unless it is at work. Nothing where no store here syncs automatically. Returns at once, asks no network, and never
 * throws for what the disk or the settings of sync are like: `memdir sync status` says that.
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
