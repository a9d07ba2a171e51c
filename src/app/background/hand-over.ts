import { handedOverText, withTexts } from "../../adapters/agents/handed-over-transcript.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { maskSecrets } from "../../core/capture/gates.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { safeId } from "../../core/shared/redact.ts";
import type { Transcript } from "../../core/transcripts/turn.ts";
import { mayCapture } from "../capture/capture-modes.ts";
import { TURNS_FOLDER } from "../capture/capture-places.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { queueCapture, startCaptureWorker } from "./capture-jobs.ts";

/**
 * Takes over a conversation from a program and leaves it for the worker, as the hook at the end of a turn does. It
 * waits in a file that holds no secrets. `unwanted`: the mode keeps automatic capture out, and nothing is written.
 * @throws MemoryError where it cannot be kept: only the program has the words.
 */
export async function handOver(workspace: OpenWorkspace, given: Transcript): Promise<"kept" | "unwanted"> {
  const { locations, secrets } = workspace;
  if (given.turns.length === 0 || !mayCapture(workspace, "itself")) return "unwanted";
  const safe = await withTexts(given, async (text) => (await maskSecrets(text, secrets)).masked);
  const session = safeId(given.session);
  const text = handedOverText({ ...safe, session });
  const directory = `${locations.memdirHome}/${TURNS_FOLDER}`;
  const transcript = `${directory}/${sha256(`${given.agent}\n${text}`).slice(0, 32)}.jsonl`;
  nodeFiles.makeDirectory(directory);
  nodeFiles.note(transcript, new TextEncoder().encode(text));
  const queued = queueCapture(locations, { agent: given.agent, session, transcript, handedOver: true });
  if (queued.kind !== "kept") nodeFiles.remove(transcript);
  if (queued.kind === "missed") throw new MemoryError("io", `the turn could not be kept: ${queued.why}`);
  if (queued.kind === "kept") startCaptureWorker(locations);
  return queued.kind;
}

/** Removes conversations that nobody could capture since `before` (ms). */
export function pruneHandedOver(memdirHome: string, before: number): void {
  const directory = `${memdirHome}/${TURNS_FOLDER}`;
  for (const { name } of nodeFiles.list(directory) ?? []) {
    const file = `${directory}/${name}`;
    if ((nodeFiles.stat(file)?.mtimeMs ?? before) < before) nodeFiles.remove(file);
  }
}
