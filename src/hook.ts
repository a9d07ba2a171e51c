import { loadCached } from "./surfaces/cli/code-cache.ts";

/**
 * `hook.cjs CLIENT`: what coding agents run at their events. Always ends with 0: any other code means something to a
 * client, and a hook that fails must mean nothing. All it does is in `hook-main.cjs`, whose compiled code is kept.
 */
const end = (): never => process.exit(0);
process.on("uncaughtException", end);
const { runProcess } = loadCached("hook-main");
const done: unknown = typeof runProcess === "function" ? runProcess(__filename, loadCached) : undefined;
if (done instanceof Promise) done.then(end, end);
else end();
