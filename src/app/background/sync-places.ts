/** Everything that syncing by itself keeps, below memdir's own directory. */
export const WISHES_FOLDER = "sync/wanted";
/** The process that works; gone when none does. */
export const SYNC_WORKER_FILE = "sync/worker";
/** The kernel's word on whether one works. */
export const SYNC_LOCK_FILE = "sync/worker.lock.db";
