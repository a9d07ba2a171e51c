import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { placeOf } from "../../core/transcripts/capture-job.ts";
import type { Environment, Locations } from "../workspace/locations.ts";

/** Starts memdir's command as a process of its own; `undefined` where none can be started: its records wait for the next time. */
export function startDetached(locations: Locations, args: readonly string[]): number | undefined {
  const command = commandFile();
  if (command === undefined) return undefined;
  const worker = spawn(nodeCommand(), [...NODE_OPTIONS, command, ...args], {
    cwd: locations.memdirHome,
    env: workerEnvironment(locations),
    // A session and process group of its own: it outlives the hook, and can be ended as a whole.
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  worker.on("error", () => undefined);
  worker.unref();
  return worker.pid;
}

/** Small heaps: a worker that needs more is doing something wrong. */
const NODE_OPTIONS = ["--max-old-space-size=256", "--max-semi-space-size=2"];

/** The built command: beside this file where it is bundled, else above it. */
function commandFile(): string | undefined {
  return ["./memdir.cjs", "../../memdir.cjs", "../../../dist/memdir.cjs"]
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((file) => existsSync(file));
}

/** An agent that runs plugins inside itself may not be Node. */
function nodeCommand(): string {
  return /(?:^|[\\/])node(?:\.exe)?$/iu.test(process.execPath) ? process.execPath : "node";
}

/** Each record brings its own place: the session that happens to start the worker must not lend it its own. */
function workerEnvironment({ environment, memdirHome }: Locations): Record<string, string> {
  const place = placeOf(environment);
  const kept = Object.entries(environment satisfies Environment).flatMap(([name, value]): [string, string][] =>
    value === undefined || name in place ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(kept), MEMDIR_HOME: memdirHome };
}
