/** Everything that capture keeps between runs, below memdir's own directory. */
export const CAPTURES_FOLDER = "captures";
/** One small record per session with turns not yet captured. */
export const JOBS_FOLDER = `${CAPTURES_FOLDER}/jobs`;
/** Conversations that programs handed over and that are not yet captured: one file each, without secrets. */
export const TURNS_FOLDER = `${CAPTURES_FOLDER}/turns`;
/** One small file per session and store: how far it was captured. */
export const CURSORS_FOLDER = `${CAPTURES_FOLDER}/cursors`;
/** Sessions that wait for a judge: a folder per project, a file per session, beside it the claim of who was asked. */
export const UNJUDGED_FOLDER = `${CAPTURES_FOLDER}/unjudged`;
/** The running worker's id and those of the process groups it started; removed when none is running. */
export const WORKER_FILE = `${CAPTURES_FOLDER}/worker`;
/** The lock that says reliably if a worker is running. */
export const WORKER_LOCK_FILE = `${CAPTURES_FOLDER}/worker.lock.db`;
/** The outcome of the last run, and the last failure. */
export const STATE_FILE = `${CAPTURES_FOLDER}/state.json`;

/** A worker refreshes its mark more often than this (ms). */
export const WORKER_FRESH_MS = 20_000;
