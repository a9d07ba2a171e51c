import { maskSecrets } from "../../core/shared/secrets/mask.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { safeId } from "../../core/shared/sanitize.ts";
import { handedOverText, withTexts } from "../../core/transcripts/said.ts";
import type { Transcript } from "../../core/transcripts/turn.ts";
import { mayCapture } from "../capture/capture-modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { queueHandedOver, startCaptureWorker } from "./capture-jobs.ts";

/**
 * Takes a conversation from a program and queues it for the worker, as the hook at the end of a turn does. It waits in
 * a file without secrets. `unwanted`: the mode forbids automatic capture, and nothing is written.
 * @throws MemoryError when it cannot be kept: only the program has the text.
 */
export async function handOver(workspace: OpenWorkspace, given: Transcript): Promise<"kept" | "unwanted"> {
  const { locations, secrets } = workspace;
  if (given.turns.length === 0 || !mayCapture(workspace, "itself")) return "unwanted";
  const safe = await withTexts(given, async (text) => (await maskSecrets(text, secrets)).masked);
  const session = safeId(given.session);
  const text = handedOverText({ ...safe, session });
  const queued = queueHandedOver(locations, { agent: given.agent, session, text });
  if (queued.kind === "missed") throw new MemoryError("io", `the turn could not be kept: ${queued.why}`);
  if (queued.kind === "kept") startCaptureWorker(locations);
  return queued.kind;
}
