/** Everything capture keeps between runs, below memdir's own directory. */
export const CAPTURES_FOLDER = "captures";
/** One small record a session whose last turns were not captured yet. */
export const JOBS_FOLDER = `${CAPTURES_FOLDER}/jobs`;
/** Conversations that programs handed over, until they are captured: one file each, without secrets. */
export const TURNS_FOLDER = `${CAPTURES_FOLDER}/turns`;
/** One small file a session and store: how far it was captured. */
export const CURSORS_FOLDER = `${CAPTURES_FOLDER}/cursors`;
/** Sessions that wait for a judge, a folder a project, a file a session; beside it the claim of whoever was asked. */
export const UNJUDGED_FOLDER = `${CAPTURES_FOLDER}/unjudged`;
/** The process that works, as its id and those of the groups it started; gone when none does. */
export const WORKER_FILE = `${CAPTURES_FOLDER}/worker`;
/** The kernel's word on whether one works. */
export const WORKER_LOCK_FILE = `${CAPTURES_FOLDER}/worker.lock.db`;
/** What the last run did, and the last failure. */
export const STATE_FILE = `${CAPTURES_FOLDER}/state.json`;

/** A worker touches its mark more often than this (ms). */
export const WORKER_FRESH_MS = 20_000;
