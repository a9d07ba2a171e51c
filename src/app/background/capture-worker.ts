import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openCaptureJobs, type TakenJob } from "../../adapters/files/capture-jobs.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import {
  readWorkerState,
  type WorkerRun,
  type WorkerState,
  writeWorkerState,
} from "../../adapters/files/worker-state.ts";
import { watchAgentGroups } from "../../adapters/models/agent-process.ts";
import { endLeftBehind, startWatchdog, type Watchdog } from "../../adapters/processes/watchdog.ts";
import { holdSqliteLock } from "../../adapters/sqlite/lock.ts";
import type { Extractor } from "../capture/capture-session.ts";
import { isAgentCli } from "../../core/models/model.ts";
import { MemoryError, type MemoryErrorCode } from "../../core/shared/errors.ts";
import { safeId } from "../../core/shared/sanitize.ts";
import { oneLine, truncate } from "../../core/shared/text.ts";
import { type CaptureJob, environmentAt } from "../../core/transcripts/capture-job.ts";
import { lastExchange, withoutSaved } from "../../core/transcripts/exchanges.ts";
import type { Transcript, Turn } from "../../core/transcripts/turn.ts";
import { saveCheckpointItself } from "../checkpoints/save-automatically.ts";
import { captureFile, type FileCapture, memoryOf, openCaptureCursors, sessionName } from "../capture/capture-file.ts";
import { leaveForNextSession, reminderOf, settleUnjudged } from "../capture/next-session.ts";
import { CAPTURES_FOLDER, JOBS_FOLDER, STATE_FILE, WORKER_LOCK_FILE } from "../capture/capture-places.ts";
import { openExtractor, openJudge } from "../capture/extractor.ts";
import { judgeSessions } from "../capture/judge-sessions.ts";
import { dreamIfDue } from "../dream/dream.ts";
import { type Locations, locate } from "../workspace/locations.ts";
import { pruneHandedOver } from "./capture-jobs.ts";
import { leaveKept, leaveReminder } from "./hook-memory.ts";
import { endedEarly, queueMissed } from "./capture-status.ts";
import { chooseModel } from "../models/models.ts";
import { renewTriggers } from "../recall/note-triggers.ts";
import { rememberPrompts } from "../past/prompt-history.ts";
import { updateSessionNotes } from "../session-notes/session-notes.ts";
import { asksNextSession, isModelNamed, type CaptureBounds, readCaptureBounds } from "../workspace/settings.ts";
import { tidyStores } from "../workspace/open-store.ts";
import { readTranscriptFile } from "../past/transcript.ts";
import { wantSync } from "./want-sync.ts";
import { learnSkills } from "./learn-skills.ts";
import { markWorker, type WorkerMark } from "./worker-mark.ts";
import { openWorkspace, type OpenWorkspace } from "../workspace/open-workspace.ts";

export interface WorkerOptions {
  /** Default: the settings'. */
  readonly bounds?: CaptureBounds;
  /** Ends the process when it cannot end itself; a test does without. */
  readonly watchdog?: (deadline: number) => Watchdog;
}

/** Another worker that is just ending is waited for (ms). */
const LOCK_WAIT_MS = 2_000;
/** What a job or a run may go over its bound before the watchdog ends all (ms). */
const GRACE_MS = 10_000;
/** How long a conversation waits that could not be captured (ms): fourteen days. */
const HANDED_OVER_MS = 14 * 86_400_000;
/** A record that brought a worker down that often is given up. */
const MOST_ATTEMPTS = 3;

/** Captures what waits, one session after the other, within its bounds. `undefined` when another worker does. */
export async function runCaptureWorker(
  { memdirHome, environment }: Pick<Locations, "memdirHome" | "environment">,
  options: WorkerOptions = {},
): Promise<WorkerRun | undefined> {
  nodeFiles.makeDirectory(`${memdirHome}/${CAPTURES_FOLDER}`);
  const lock = holdSqliteLock(`${memdirHome}/${WORKER_LOCK_FILE}`, LOCK_WAIT_MS);
  if (lock === undefined) return undefined;
  const bounds = options.bounds ?? readCaptureBounds(memdirHome);
  const { mark, left } = markWorker(memdirHome);
  endLeftBehind(left);
  const watchdog = options.watchdog?.(Date.now() + bounds.totalMs + GRACE_MS);
  watchAgentGroups((groups) => {
    mark.groups(groups);
    watchdog?.groups(groups);
  });
  try {
    const run = await captureWaiting({ memdirHome, environment, bounds, watchdog, mark });
    openCaptureCursors(memdirHome).prune();
    pruneHandedOver(memdirHome, Date.now() - HANDED_OVER_MS);
    return run;
  } finally {
    mark.remove();
    watchAgentGroups(() => undefined);
    // Whatever still keeps the process afterwards, an open connection for one, keeps it no longer than this.
    watchdog?.watch(Date.now() + GRACE_MS);
    lock.release();
  }
}

/** The whole life of the detached process: its watchdog, and how it ends when it is asked to. */
export async function runDetachedWorker(locations: Pick<Locations, "memdirHome" | "environment">): Promise<void> {
  // Handlers of `exit` end the agents that were started; the record stays for the next worker.
  process.once("SIGTERM", () => process.exit(143));
  await runCaptureWorker(locations, { watchdog: startWatchdog });
}

interface Work extends Pick<Locations, "memdirHome" | "environment"> {
  readonly bounds: CaptureBounds;
  readonly watchdog: Watchdog | undefined;
  readonly mark: WorkerMark;
}

async function captureWaiting(work: Work): Promise<WorkerRun> {
  const { memdirHome, bounds, watchdog, mark } = work;
  const started = Date.now();
  const end = started + bounds.totalMs;
  const state = keptState(`${memdirHome}/${STATE_FILE}`);
  const jobs = openCaptureJobs({
    directory: `${memdirHome}/${JOBS_FOLDER}`,
    files: nodeFiles,
    newId: () => String(process.pid),
  });
  const put = new Set<string>();
  let run: WorkerRun = { time: started, ms: 0, sessions: 0, turns: 0, notes: 0, refused: 0, by: "rules" };
  const next = (): TakenJob | undefined => jobs.take((job) => !put.has(sessionOf(job)));
  while (Date.now() < end) {
    let taken = next();
    if (taken === undefined) {
      // Whoever leaves a record from here on sees no worker and starts one.
      mark.remove();
      taken = next();
      if (taken === undefined) break;
      mark.write();
    }
    const deadline = Math.min(end, Date.now() + bounds.jobMs);
    watchdog?.watch(deadline + GRACE_MS);
    state.begin(sessionOf(taken.job));
    const result = await attempt(taken, work, deadline);
    if (result.kind === "left") put.add(sessionOf(taken.job));
    run = withResult(run, result);
    state.end(sessionOf(taken.job), result.failure);
  }
  run = { ...run, time: Date.now(), ms: Date.now() - started };
  if (run.sessions > 0) state.ran(run);
  return run;
}

interface Result {
  /** `left`: not to be begun again in this run. */
  readonly kind: "done" | "left";
  readonly captured: FileCapture | undefined;
  readonly failure: string | undefined;
}

function withResult(run: WorkerRun, { captured }: Result): WorkerRun {
  const { outcome, turns } = captured ?? { outcome: undefined, turns: 0 };
  return {
    ...run,
    sessions: run.sessions + 1,
    turns: run.turns + turns,
    notes: run.notes + (outcome?.notes.length ?? 0),
    refused: run.refused + (outcome?.refused.length ?? 0),
    by: outcome?.by === "model" ? "model" : run.by,
  };
}

/** What went wrong with the machine is not a fault of the record: it stays until it can be done. */
const EXCUSED: ReadonlySet<MemoryErrorCode> = new Set(["locked", "disk-full", "permission", "io", "unavailable"]);

async function attempt(taken: TakenJob, work: Work, deadline: number): Promise<Result> {
  const { job } = taken;
  const end = (): void => {
    // Nobody needs a second copy of what a program handed over.
    if (job.handedOver) nodeFiles.remove(job.transcript);
    taken.done();
  };
  const giveUp = (why: string): Result => {
    taken.done();
    return {
      kind: "done",
      captured: undefined,
      failure: `${why}; given up after ${MOST_ATTEMPTS} attempts: \`memdir capture '${job.transcript}'\` tries again`,
    };
  };
  if (job.attempts > MOST_ATTEMPTS) return giveUp(`the worker was ended each time it captured session ${job.session}`);
  try {
    const captured = await captureJob(job, work, deadline);
    if (captured?.finished === false) {
      if (captured.windows > 0) taken.excuse();
      return {
        kind: "left",
        captured,
        failure:
          captured.windows > 0
            ? undefined
            : `no part of session ${job.session} could be captured within ${work.bounds.jobMs} ms`,
      };
    }
    end();
    return {
      kind: "done",
      captured,
      failure:
        captured?.outcome.modelFailure === undefined
          ? undefined
          : `the model gave no answer (${captured.outcome.modelFailure}); rules did the work`,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof MemoryError && EXCUSED.has(error.code)) taken.excuse();
    else if (job.attempts >= MOST_ATTEMPTS) return giveUp(message);
    return { kind: "left", captured: undefined, failure: message };
  }
}

/** `undefined` where memory is not to be written. */
async function captureJob(job: CaptureJob, { environment }: Work, deadline: number): Promise<FileCapture | undefined> {
  const workspace = openWorkspace(locate({ cwd: job.cwd, environment: environmentAt(job.place, environment) }));
  try {
    if (workspace.mode === "off" || workspace.mode === "recall-only") return undefined;
    if (!job.handedOver) await settled(job.transcript, deadline);
    await keepCheckpoint(workspace, job);
    queueMissed(workspace.locations, job.place, Date.now());
    if (!job.capture) {
      renewTriggers(workspace);
      return undefined;
    }
    const cancel = AbortSignal.timeout(Math.max(0, deadline - Date.now()));
    const extractor = await chosenExtractor(workspace, cancel);
    const captured = await captureFile(workspace, job.transcript, {
      askedBy: "itself",
      onTurns: (turns) => keepPrompts(workspace, job, turns),
      session: job.session,
      turn: job.turn,
      stop: () => Date.now() >= deadline,
      ...(extractor === undefined ? {} : { extractor }),
    });
    leaveKept(workspace.locations, keptIn(captured.outcome.notes));
    if (captured.turns > 0) await renewSessionNotes(workspace, job, cancel);
    await seekJudge(workspace, job, captured);
    await judgeItself(workspace, cancel);
    if (captured.finished) await learnSkills(workspace, job, cancel);
    if (captured.finished) await consolidate(workspace, deadline);
    renewTriggers(workspace);
    tidyStores(workspace.stores, deadline);
    if (captured.outcome.notes.length > 0) wantSync(workspace.locations, "change");
    return captured;
  } finally {
    workspace.close();
  }
}

/** What was written without anybody asking for it. */
function keptIn(notes: FileCapture["outcome"]["notes"]): Parameters<typeof leaveKept>[1] {
  return notes.flatMap(({ kind, file, scoped: { scope } }) =>
    kind === "retire" || file === undefined ? [] : [{ scope, file }],
  );
}

/** A session without a checkpoint is captured all the same. */
async function keepCheckpoint(workspace: OpenWorkspace, job: CaptureJob): Promise<void> {
  try {
    await saveCheckpointItself(workspace, job);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** What the person typed goes into the history of prompts; that it cannot be written takes nothing from capture. */
function keepPrompts({ locations }: OpenWorkspace, { agent, session }: CaptureJob, turns: readonly Turn[]): void {
  try {
    const typed = turns.filter(({ role }) => role === "user");
    rememberPrompts(
      locations,
      typed.map(({ text, time }) => ({ prompt: text, session, agent, timeMs: Date.parse(time ?? "") || Date.now() })),
    );
  } catch (error) {
    if (!(error instanceof Error && ("code" in error || error instanceof MemoryError))) throw error;
  }
}

/**
 * Where no model looked at a session, its own agent is reminded of a rule it did not save, and the next one's is asked;
 * what that did not save waits for a person.
 */
async function seekJudge(
  workspace: OpenWorkspace,
  job: CaptureJob,
  { finished, outcome, turns: count }: FileCapture,
): Promise<void> {
  try {
    await settleUnjudged(workspace, job.session, Date.now());
    const isJudged = outcome.by === "model" || outcome.logged !== undefined;
    if (!finished || isJudged || isTooLarge(job)) return;
    const transcript = readTranscriptFile(job.transcript);
    const isMemory = memoryOf(workspace, job.transcript, transcript);
    const unsaved = (turns: readonly Turn[]): Transcript => ({
      ...transcript,
      turns: withoutSaved(turns, isMemory).turns,
    });
    await leaveForNextSession(workspace, unsaved(transcript.turns), job);
    if (count === 0 || job.checkpoint !== undefined || !asksNextSession(workspace.locations.memdirHome)) return;
    const line = await reminderOf(workspace, unsaved(lastExchange(transcript.turns)));
    if (line !== undefined) leaveReminder(workspace.locations, safeId(job.session), line);
  } catch (error) {
    // What was captured is on disk; a question more or less is not worth an attempt more.
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** The person's own agent looks through sessions that are over, where it may. */
async function judgeItself(workspace: OpenWorkspace, signal: AbortSignal): Promise<void> {
  try {
    const judge = await openJudge(workspace, signal);
    if (judge !== undefined) leaveKept(workspace.locations, keptIn(await judgeSessions(workspace, judge, Date.now())));
  } catch (error) {
    // A transcript that is gone, a full disk: the next session's agent is asked then.
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** A dream that cannot be is told in its own log; what was captured stays captured. */
async function consolidate(workspace: OpenWorkspace, deadline: number): Promise<void> {
  try {
    await dreamIfDue(workspace, { deadline });
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** Sessions larger than this are not held whole in memory (bytes). */
const LARGEST_FOR_NOTES = 32 << 20;

/** Rules alone: the model is for what outlives the session. */
async function renewSessionNotes(workspace: OpenWorkspace, job: CaptureJob, signal: AbortSignal): Promise<void> {
  if (isTooLarge(job)) return;
  const { transcript, session } = job;
  try {
    await updateSessionNotes(workspace, { ...readTranscriptFile(transcript), session }, { signal });
  } catch (error) {
    // What was captured is on disk; notes for a compaction are not worth an attempt more.
    if (!(error instanceof MemoryError)) throw error;
  }
}

function isTooLarge({ transcript }: CaptureJob): boolean {
  return (statSync(transcript, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_FOR_NOTES;
}

/**
 * A key alone starts nothing in the background: a person chose a model, or rules do the work. Their own agent is slow and
 * dear to start: it reads a session once, when that is over.
 */
async function chosenExtractor(workspace: OpenWorkspace, cancel: AbortSignal): Promise<Extractor | undefined> {
  if (!isModelNamed(workspace.locations)) return undefined;
  const choice = chooseModel(workspace.locations);
  return choice.kind === "chosen" && !isAgentCli(choice.name.provider)
    ? openExtractor(workspace, { signal: cancel })
    : undefined;
}

/** Clients write their transcripts behind time: a file that was changed just now is waited for (ms). */
const SETTLED_MS = 400;
const MOST_SETTLING_MS = 2_000;

async function settled(file: string, deadline: number): Promise<void> {
  const end = Math.min(deadline, Date.now() + MOST_SETTLING_MS);
  for (;;) {
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age < 0 || age >= SETTLED_MS || Date.now() + SETTLED_MS - age >= end) return;
    await delay(SETTLED_MS - age);
  }
}

function sessionOf({ agent, session }: CaptureJob): string {
  return sessionName(agent, session);
}

/** The state file through a run: what begins, ends and fails is there at any moment. A capture clears what failed before. */
function keptState(file: string): {
  begin(session: string): void;
  end(session: string, failure: string | undefined): void;
  ran(run: WorkerRun): void;
} {
  const write = (change: Partial<WorkerState>): void =>
    writeWorkerState(file, { ...readWorkerState(file, nodeFiles), ...change }, nodeFiles);
  const { running } = readWorkerState(file, nodeFiles);
  if (running !== undefined) write({ running: undefined, lastFailure: endedEarly(running) });
  return {
    begin: (session) => write({ running: { session, since: Date.now() } }),
    end: (session, failure) =>
      write({
        running: undefined,
        ...(failure === undefined
          ? {}
          : { lastFailure: { time: Date.now(), message: truncate(oneLine(failure), 300), session } }),
      }),
    ran: (lastRun) => write({ lastRun }),
  };
}
