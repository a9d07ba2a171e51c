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
  /** Default: from the settings. */
  readonly bounds?: CaptureBounds;
  /** Ends the process when it cannot end itself. Tests omit it. */
  readonly watchdog?: (deadline: number) => Watchdog;
}

/** How long to wait for another worker that is just ending (ms). */
const LOCK_WAIT_MS = 2_000;
/** How far a job or a run may exceed its limit before the watchdog ends everything (ms). */
const GRACE_MS = 10_000;
/** How long a handed-over conversation is kept that could not be captured (ms): fourteen days. */
const HANDED_OVER_MS = 14 * 86_400_000;
/** A record is given up after it brought a worker down this many times. */
const MOST_ATTEMPTS = 3;

/** Captures the waiting sessions one by one, within its limits. `undefined` when another worker is running. */
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
    // If something such as an open connection still keeps the process alive, the watchdog ends it by then.
    watchdog?.watch(Date.now() + GRACE_MS);
    lock.release();
  }
}

/** Runs the detached process from start to end: starts its watchdog and handles a request to end. */
export async function runDetachedWorker(
  locations: Pick<Locations, "memdirHome" | "environment">,
): Promise<WorkerRun | undefined> {
  // Handlers of `exit` end the agents that were started. The record stays for the next worker.
  process.once("SIGTERM", () => process.exit(143));
  return runCaptureWorker(locations, { watchdog: startWatchdog });
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
      // From here on, a process that leaves a record sees no worker and starts one.
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
  /** `left`: not to be started again in this run. */
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

/** Errors of the machine, not of the record: the record stays until it can be processed. */
const EXCUSED: ReadonlySet<MemoryErrorCode> = new Set(["locked", "disk-full", "permission", "io", "unavailable"]);

async function attempt(taken: TakenJob, work: Work, deadline: number): Promise<Result> {
  const { job } = taken;
  const end = (): void => {
    // The copy that a program handed over is no longer needed.
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

/** `undefined` when memory may not be written. */
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

/** The notes that were written without a request. */
function keptIn(notes: FileCapture["outcome"]["notes"]): Parameters<typeof leaveKept>[1] {
  return notes.flatMap(({ kind, file, scoped: { scope } }) =>
    kind === "retire" || file === undefined ? [] : [{ scope, file }],
  );
}

/** A session is captured even when its checkpoint fails. */
async function keepCheckpoint(workspace: OpenWorkspace, job: CaptureJob): Promise<void> {
  try {
    await saveCheckpointItself(workspace, job);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** Adds what the user typed to the history of prompts. A failed write does not stop the capture. */
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
 * When no model read a session, its own agent is reminded of a rule that it did not save, and the next session's agent
 * is asked. What that agent does not save waits for the user.
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
    // What was captured is on disk; a question is not worth another attempt.
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** Lets the user's own agent read sessions that are over, if that is allowed. */
async function judgeItself(workspace: OpenWorkspace, signal: AbortSignal): Promise<void> {
  try {
    const judge = await openJudge(workspace, signal);
    if (judge !== undefined) leaveKept(workspace.locations, keptIn(await judgeSessions(workspace, judge, Date.now())));
  } catch (error) {
    // The transcript is gone or the disk is full: the next session's agent is asked instead.
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** A dream that fails says so in its own log. What was captured stays. */
async function consolidate(workspace: OpenWorkspace, deadline: number): Promise<void> {
  try {
    await dreamIfDue(workspace, { deadline });
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** Larger sessions are not read whole into memory (bytes). */
const LARGEST_FOR_NOTES = 32 << 20;

/** Uses rules only: the model is for what outlives the session. */
async function renewSessionNotes(workspace: OpenWorkspace, job: CaptureJob, signal: AbortSignal): Promise<void> {
  if (isTooLarge(job)) return;
  const { transcript, session } = job;
  try {
    await updateSessionNotes(workspace, { ...readTranscriptFile(transcript), session }, { signal });
  } catch (error) {
    // What was captured is on disk; notes for a compaction are not worth another attempt.
    if (!(error instanceof MemoryError)) throw error;
  }
}

function isTooLarge({ transcript }: CaptureJob): boolean {
  return (statSync(transcript, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_FOR_NOTES;
}

/**
 * An API key alone starts no model in the background: unless the user chose a model, rules do the work. The user's own
 * agent is slow and expensive to start, so it reads a session only once, after its end.
 */
async function chosenExtractor(workspace: OpenWorkspace, cancel: AbortSignal): Promise<Extractor | undefined> {
  if (!isModelNamed(workspace.locations)) return undefined;
  const choice = chooseModel(workspace.locations);
  return choice.kind === "chosen" && !isAgentCli(choice.name.provider)
    ? openExtractor(workspace, { signal: cancel })
    : undefined;
}

/** Clients write their transcripts with a delay, so a file that has just changed is given time to settle (ms). */
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

/** The state file during a run: shows what began, ended and failed. A capture clears the previous failure. */
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
