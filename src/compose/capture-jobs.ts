import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openCaptureJobs } from "../adapters/files/capture-jobs.ts";
import { nodeFiles } from "../adapters/files/node-files.ts";
import { type CaptureJob, placeOf } from "../core/transcripts/capture-job.ts";
import { MemoryError } from "../core/shared/errors.ts";
import { JOBS_FOLDER } from "./capture-places.ts";
import type { Environment, Locations } from "./locations.ts";
import { workerAtWork } from "./worker-mark.ts";

export interface QueuedSession {
  readonly agent: string;
  readonly session: string;
  readonly transcript: string;
  readonly turn?: string;
  /** Default true. */
  readonly capture?: boolean;
  readonly checkpoint?: CaptureJob["checkpoint"];
}

/** A client's turn ended, or it is about to compact or to end: leaves a small record. Cheap enough for a hook: one small file, no SQLite, no YAML, no secrets of the conversation in it (only ids and the transcript's path). Never throws for a full or read-only disk: returns whether it was kept. */
export function queueCapture(locations: Locations, job: QueuedSession): boolean {
  if (!captures(locations)) return false;
  const { agent, session, transcript, turn, capture = true, checkpoint } = job;
  const place = { ...placeOf(locations.environment), ...(locations.project === undefined ? { MEMDIR_DIR: locations.stores[0]?.directory ?? "" } : {}) };
  try {
    openCaptureJobs({ directory: `${locations.memdirHome}/${JOBS_FOLDER}`, files: nodeFiles, newId: () => String(process.pid) })
      .keep({ agent, session, transcript, turn, capture, checkpoint, cwd: locations.cwd, place, time: Date.now(), attempts: 0 });
    return true;
  } catch (error) {
    if (error instanceof MemoryError) return false;
    throw error;
  }
}

/** Where a client keeps a session whose path it does not tell: OpenCode, in its database. */
export function transcriptWithout(agent: string, session: string, { environment, home }: Pick<Locations, "environment" | "home">): string | undefined {
  if (agent !== "opencode") return undefined;
  const data = environment["XDG_DATA_HOME"] ?? "";
  return `${data === "" ? `${home}/.local/share` : data}/opencode/opencode.db#${session}`;
}

/** Starts the detached, bounded worker unless one is at work; returns at once. */
export function startCaptureWorker(locations: Locations): void {
  if (!captures(locations) || workerAtWork(locations.memdirHome) !== undefined) return;
  const command = commandFile();
  if (command === undefined) return;
  const worker = spawn(nodeCommand(), [...NODE_OPTIONS, command, "capture", "--pending"], {
    cwd: locations.memdirHome,
    env: workerEnvironment(locations),
    // A session and process group of its own: it outlives the hook, and can be ended as a whole.
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  // Where no process can be started the record waits for the next turn's end.
  worker.on("error", () => undefined);
  worker.unref();
}

/** Small heaps: a worker that needs more is doing something wrong. */
const NODE_OPTIONS = ["--max-old-space-size=256", "--max-semi-space-size=2"];

function captures({ mode }: Pick<Locations, "mode">): boolean {
  return mode !== "off" && mode !== "recall-only";
}

/** The built command: beside this file where it is bundled, else above it. */
function commandFile(): string | undefined {
  return ["./memdir.cjs", "../memdir.cjs", "../../dist/memdir.cjs"].map((place) => fileURLToPath(new URL(place, import.meta.url))).find((file) => existsSync(file));
}

/** An agent that runs plugins inside itself may not be Node. */
function nodeCommand(): string {
  return /(?:^|[\\/])node(?:\.exe)?$/iu.test(process.execPath) ? process.execPath : "node";
}

/** Each record brings its own place: the session that happens to start the worker must not lend it its own. */
function workerEnvironment({ environment, memdirHome }: Locations): Record<string, string> {
  const place = placeOf(environment);
  const kept = Object.entries(environment satisfies Environment).flatMap(([name, value]): [string, string][] => (value === undefined || name in place ? [] : [[name, value]]));
  return { ...Object.fromEntries(kept), MEMDIR_HOME: memdirHome };
}
