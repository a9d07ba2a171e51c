import { statSync } from "node:fs";
import { sessionState } from "./automatic-checkpoint.ts";
import { captureFate, modeIn } from "../workspace/modes.ts";
import type { CaptureJob } from "../../core/transcripts/capture-job.ts";
import { openCheckpoints, type SaveResult } from "./checkpoints.ts";
import { ruleWords } from "../session-notes/session-notes.ts";
import { savesCheckpointsItself } from "../workspace/settings.ts";
import { readTranscriptFile } from "../past/transcript.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** Sessions larger than this are not held whole in memory for the sake of a checkpoint (bytes). */
const LARGEST_BYTES = 32 << 20;

/**
 * Saves where a session stands that is about to be compacted or has ended: by rules, secrets masked. `undefined`
 * where there is nothing to keep, the mode leaves writing to a person, or the setting `automaticCheckpoints` is false.
 */
export async function saveCheckpointItself(
  workspace: OpenWorkspace,
  { agent, session, transcript, checkpoint: kind, time }: CaptureJob,
): Promise<SaveResult | undefined> {
  const { locations } = workspace;
  if (kind === undefined || !savesCheckpointsItself(locations.memdirHome)) return undefined;
  // As notes of sessions: no notes of the store, so confirm mode need not be asked.
  if (captureFate(modeIn(locations.modes, "project").mode, "itself") === "nothing") return undefined;
  if ((statSync(transcript, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_BYTES) return undefined;
  const state = await sessionState({ ...readTranscriptFile(transcript), session }, kind, ruleWords(workspace));
  return openCheckpoints(workspace).saveAutomatically({ kind, session, by: agent, time, state });
}
