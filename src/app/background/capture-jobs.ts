import { existsSync } from "node:fs";
import { type CaptureJobs, openCaptureJobs } from "../../adapters/files/capture-jobs.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { type CaptureJob, placeOf } from "../../core/transcripts/capture-job.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { holdsToken } from "../../core/shared/sanitize.ts";
import { JOBS_FOLDER, TURNS_FOLDER } from "../capture/capture-places.ts";
import type { Locations } from "../workspace/locations.ts";
import { startDetached, startMarked } from "./worker-mark.ts";

export interface QueuedSession {
  readonly agent: string;
  readonly session: string;
  readonly transcript: string;
  /** Default false. */
  readonly handedOver?: boolean;
  readonly turn?: string;
  /** Default true. */
  readonly capture?: boolean;
  readonly checkpoint?: CaptureJob["checkpoint"];
}

export type Queued =
  | { readonly kind: "kept" }
  /** The mode forbids it, the session ended without a word, or the path looks like a secret and does not exist. */
  | { readonly kind: "unwanted" }
  /** The record could not be written. */
  | { readonly kind: "missed"; readonly why: string; /** A mark was left. */ readonly isMarked: boolean };

/**
 * Leaves a small record when a client's turn ended, or when the client is about to compact or to end. Cheap enough for
 * a hook: one small file, no SQLite, no YAML, and no secrets from the conversation (only ids and the transcript's
 * path). Never throws on a full or read-only disk: it then marks the session as missed.
 */
export function queueCapture(locations: Locations, job: QueuedSession): Queued {
  if (!captures(locations)) return { kind: "unwanted" };
  const { agent, session, transcript, handedOver = false, turn, capture = true, checkpoint } = job;
  if (checkpoint === "session-end" && !isThere(transcript)) return { kind: "unwanted" };
  if ([transcript, locations.cwd].some((place) => holdsToken(place) && !existsSync(place))) return { kind: "unwanted" };
  const place = placeHere(locations);
  const jobs = captureJobs(locations);
  try {
    jobs.keep({
      agent,
      session,
      transcript,
      handedOver,
      turn,
      capture,
      checkpoint,
      cwd: locations.cwd,
      place,
      time: Date.now(),
      attempts: 0,
    });
    return { kind: "kept" };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { kind: "missed", why: error.message, isMarked: capture && jobs.miss({ agent, session, place }) };
  }
}

/** A client writes no transcript of a session without a prompt. OpenCode's is in its database, by its id. */
function isThere(transcript: string): boolean {
  return existsSync(transcript) || existsSync(transcript.replace(/#[^#/]*$/u, ""));
}

/** Writes a conversation that a program handed over to its own file, and queues a record for it. */
export function queueHandedOver(
  locations: Locations,
  { agent, session, text }: { readonly agent: string; readonly session: string; readonly text: string },
): Queued {
  const directory = `${locations.memdirHome}/${TURNS_FOLDER}`;
  const transcript = `${directory}/${sha256(`${agent}\n${text}`).slice(0, 32)}.jsonl`;
  nodeFiles.makeDirectory(directory);
  nodeFiles.note(transcript, new TextEncoder().encode(text));
  const queued = queueCapture(locations, { agent, session, transcript, handedOver: true });
  if (queued.kind !== "kept") nodeFiles.remove(transcript);
  return queued;
}

/** Removes handed-over conversations that have waited since before `before` (ms) without being captured. */
export function pruneHandedOver(memdirHome: string, before: number): void {
  const directory = `${memdirHome}/${TURNS_FOLDER}`;
  for (const { name } of nodeFiles.list(directory) ?? []) {
    const file = `${directory}/${name}`;
    if ((nodeFiles.stat(file)?.mtimeMs ?? before) < before) nodeFiles.remove(file);
  }
}

/** The environment variables that say where memory is for a session that works here. */
export function placeHere(locations: Pick<Locations, "environment" | "project" | "stores">): CaptureJob["place"] {
  return {
    ...placeOf(locations.environment),
    ...(locations.project === undefined ? { MEMDIR_DIR: locations.stores[0]?.directory ?? "" } : {}),
  };
}

export function captureJobs({ memdirHome }: Pick<Locations, "memdirHome">): CaptureJobs {
  return openCaptureJobs({
    directory: `${memdirHome}/${JOBS_FOLDER}`,
    files: nodeFiles,
    newId: () => String(process.pid),
  });
}

/** Where a client keeps a session whose path it does not report: OpenCode, in its database. */
export function transcriptWithout(
  agent: string,
  session: string,
  { environment, home }: Pick<Locations, "environment" | "home">,
): string | undefined {
  if (agent !== "opencode") return undefined;
  const data = environment["XDG_DATA_HOME"] ?? "";
  return `${data === "" ? `${home}/.local/share` : data}/opencode/opencode.db#${session}`;
}

/** Starts the detached, bounded worker unless one is running. Returns at once. */
export function startCaptureWorker(locations: Locations, start = startDetached): void {
  if (captures(locations)) startMarked(locations.memdirHome, () => start(locations, ["capture", "--pending"]));
}

function captures({ mode }: Pick<Locations, "mode">): boolean {
  return mode !== "off" && mode !== "recall-only";
}
