import { Worker } from "node:worker_threads";

/** A process that a hook left behind lives no longer than this (ms). */
const BACKGROUND_MS = 60_000;

/** Ends this process when its time is up, even in the middle of work that never comes back to the event loop. */
export function boundThisProcess(): void {
  new Worker(`setTimeout(() => process.kill(process.pid, "SIGKILL"), ${BACKGROUND_MS})`, { eval: true }).unref();
}
