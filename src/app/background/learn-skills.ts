import { MemoryError } from "../../core/shared/errors.ts";
import { isAgentCli, type Model } from "../../core/models/model.ts";
import type { CaptureJob } from "../../core/transcripts/capture-job.ts";
import { requireModel } from "../capture/extractor.ts";
import { chooseModel } from "../models/models.ts";
import { leaveSkillQuestion } from "../skills/ask.ts";
import { writeDrafts } from "../skills/drafts.ts";
import { notebookOf } from "../skills/candidates.ts";
import { learnFromSession } from "../skills/learn.ts";
import { openShelf } from "../skills/shelf.ts";
import { upkeepSkills } from "../skills/check.ts";
import { captureFate, modeIn } from "../workspace/modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { isModelNamed } from "../workspace/settings.ts";
import { readSkillsMode } from "../workspace/skills-mode.ts";

/** Learns skills from finished tasks and records how existing skills did. What was captured stays if this fails. */
export async function learnSkills(
  workspace: OpenWorkspace,
  job: Pick<CaptureJob, "session" | "transcript" | "checkpoint">,
  signal: AbortSignal,
): Promise<void> {
  try {
    await learnNow(workspace, job, signal);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error; // a full disk, a lock: the next turn's pass learns the same
  }
}

async function learnNow(
  workspace: OpenWorkspace,
  { session, transcript, checkpoint }: Pick<CaptureJob, "session" | "transcript" | "checkpoint">,
  signal: AbortSignal,
): Promise<void> {
  const { locations, clock } = workspace;
  const mode = readSkillsMode(locations.memdirHome);
  const notebook = notebookOf(locations);
  if (mode === "off" || notebook === undefined) return;
  // A user who wants to be asked, or wants nothing written unasked, is not taught skills unasked.
  if (captureFate(modeIn(workspace.modes, "project").mode, "itself") === "nothing") return;
  const shelf = openShelf(workspace);
  await learnFromSession(workspace, { shelf, notebook }, { session, transcript, ended: checkpoint === "session-end" });
  await writeDrafts(
    { notebook, shelf, now: clock.now() },
    {
      mode,
      signal,
      model: mode === "observe" ? undefined : await chosenModel(workspace),
      ask: (line) => leaveSkillQuestion(locations, line),
    },
  );
  upkeepSkills(shelf);
}

/** Only a model that the user named. Their own agent is expensive to start; it is asked at a session's start. */
async function chosenModel(workspace: OpenWorkspace): Promise<Model | undefined> {
  if (!isModelNamed(workspace.locations)) return undefined;
  const choice = chooseModel(workspace.locations);
  return choice.kind === "chosen" && !isAgentCli(choice.name.provider) ? requireModel(workspace) : undefined;
}
