import { pipelines } from "../../adapters/shell/pipelines.ts";
import { declaredTexts } from "../../adapters/tree/declared-texts.ts";
import { candidateOf } from "../../core/skills/candidate.ts";
import type { CandidateContext } from "../../core/skills/candidate-gates.ts";
import {
  headsIn,
  type NotebookFile,
  type ReadSession,
  type SeenTask,
  withFinding,
} from "../../core/skills/notebook.ts";
import { everydayIn, headsOf } from "../../core/skills/recipe.ts";
import { tasksOf } from "../../core/skills/tasks.ts";
import type { Candidate, EvidenceEvent, KnownSkill, SkillShelf, Task } from "../../core/skills/types.ts";
import { type SkillUse, usesIn } from "../../core/skills/uses.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { SessionPlace } from "../../core/transcripts/windows.ts";
import { existingNotes } from "../capture/capture-session.ts";
import { instructionsAt } from "../instructions/instruction-text.ts";
import { readOn, type Stretch } from "../past/transcript.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** A session that ended a turn. */
export interface TaughtBy {
  readonly session: string;
  readonly transcript: string;
  /** Its client reported its end. */
  readonly ended: boolean;
}

export interface Learnt {
  readonly tasks: number;
  readonly candidates: number;
  /** Events of evidence that were recorded. */
  readonly events: number;
}

/** A session without a message for this long is over (ms). */
const IDLE_MS = 60 * 60_000;
/** Most open sessions of others that one pass reads. */
const MOST_OTHERS = 3;

/**
 * Learns from the finished tasks of a session and of sessions left open: candidates go into the notebook, results of
 * skills onto the shelf. A task counts once the user's next message, or the end of the session, settles it. Each turn
 * reads the last settled task again, because what follows may undo it, and then what is new.
 */
export async function learnFromSession(
  workspace: OpenWorkspace,
  { shelf, notebook }: { readonly shelf: SkillShelf; readonly notebook: NotebookFile },
  taught: TaughtBy,
): Promise<Learnt> {
  const now = workspace.clock.now();
  const before = notebook.read();
  const others = before.sessions.filter(
    ({ open, session, time }) => open && session !== taught.session && now - time > IDLE_MS,
  );
  const wasSeen = new Set(before.seen.map(({ id }) => id));
  const read = [taught, ...others.slice(0, MOST_OTHERS).map((one) => ({ ...one, ended: true }))].map((one) =>
    readSession(one, before.sessions.find(({ session }) => session === one.session)?.place, now),
  );
  const isFresh = (task: Task): boolean => task.calls.length > 0 && !wasSeen.has(taskId(task));
  const context = {
    isEveryday: everydayIn(headsIn(before)),
    known: shelf.known(),
    ...(read.some(({ settled }) => settled.some(isFresh)) ? await beside(workspace, shelf) : NOTHING_BESIDE),
    isFresh,
    now,
  };
  const found = read.map((one) => findIn(one, context));
  // Evidence first: evidence recorded twice counts once, and a task that was seen is not read again.
  const events = recorded(shelf, found);
  const finding = {
    candidates: found.flatMap(({ candidates }) => candidates),
    seen: found.flatMap(({ seen }) => seen),
    sessions: read.map(({ session }) => session),
  };
  notebook.change((notes) => withFinding(notes, finding, now));
  return { tasks: finding.seen.length, candidates: finding.candidates.length, events };
}

type Beside = Pick<CandidateContext, "notes" | "declared" | "human">;
const NOTHING_BESIDE: Beside = { notes: [], declared: [], human: [] };

/** What a new task is compared with. */
async function beside(workspace: OpenWorkspace, shelf: SkillShelf): Promise<Beside> {
  return {
    notes: (await existingNotes(workspace)).map(({ description, body }) => `${description}\n${body}`),
    declared: [instructionsAt(workspace.locations), ...declaredTexts(workspace.locations.project?.checkout)],
    human: shelf.human(),
  };
}

interface Read {
  readonly tasks: readonly Task[];
  readonly settled: readonly Task[];
  readonly toolTexts: readonly string[];
  readonly session: ReadSession;
}

function readSession({ session, transcript, ended }: TaughtBy, from: SessionPlace | undefined, now: number): Read {
  const stretch = readable(transcript, from);
  if (stretch === undefined)
    return { tasks: [], settled: [], toolTexts: [], session: { session, transcript, time: now, open: false } };
  const tasks = tasksOf(stretch.transcript);
  const { isWhole } = stretch;
  const settled = tasks.filter(({ next, end }) => next !== undefined || (isWhole && (ended || isIdle(end, now))));
  const place = isWhole ? stretch.placeOf((settled.at(-1) ?? tasks[0])?.id) : stretch.placeBehind(tasks.at(-1)?.id);
  const open = !isWhole || settled.length < tasks.length;
  return {
    tasks,
    settled,
    toolTexts: stretch.transcript.toolTexts,
    session: { session, transcript, time: now, open, place },
  };
}

interface FindContext extends Omit<CandidateContext, "parse" | "toolTexts" | "own" | "hasLoaded"> {
  readonly known: readonly KnownSkill[];
  readonly isFresh: (task: Task) => boolean;
  readonly now: number;
}

interface Found {
  readonly candidates: readonly Candidate[];
  readonly seen: readonly SeenTask[];
  readonly events: readonly SkillUse[];
}

function findIn({ tasks, settled, toolTexts }: Read, context: FindContext): Found {
  const uses = settled.map((task) =>
    usesIn(task, context.known, { ...parsing(context), following: after(task, tasks) }),
  );
  const fresh = settled.filter(context.isFresh);
  const own = context.known.map(({ commands }) => ({ commands }));
  return {
    candidates: fresh.flatMap((task) => {
      const hasLoaded = uses[settled.indexOf(task)]?.some(({ events }) => events.length > 0) === true;
      return candidateOf(task, { ...context, ...parsing(context), toolTexts, own, hasLoaded }).candidate ?? [];
    }),
    seen: fresh.map((task) => ({
      id: taskId(task),
      time: Date.parse(task.end ?? "") || context.now,
      heads: headsOf(task, pipelines),
    })),
    events: uses.flat(),
  };
}

function parsing({ isEveryday }: FindContext): Pick<CandidateContext, "parse" | "isEveryday"> {
  return { parse: pipelines, isEveryday };
}

function after(task: Task, tasks: readonly Task[]): Task | undefined {
  return tasks[tasks.indexOf(task) + 1];
}

function isIdle(end: string | undefined, now: number): boolean {
  return end !== undefined && now - Date.parse(end) > IDLE_MS;
}

function taskId({ agent, session, id }: Task): string {
  return sha256(`${agent}:${session}:${id}`).slice(0, 12);
}

/** A missing transcript teaches nothing; its session is closed. */
function readable(file: string, from: SessionPlace | undefined): Stretch | undefined {
  try {
    return readOn(file, from);
  } catch (error) {
    if (error instanceof MemoryError && (error.code === "not-found" || error.code === "invalid-input"))
      return undefined;
    throw error;
  }
}

function recorded(shelf: SkillShelf, found: readonly Found[]): number {
  const bySkill = new Map<string, EvidenceEvent[]>();
  for (const { skill, events } of found.flatMap((one) => one.events))
    bySkill.set(skill, [...(bySkill.get(skill) ?? []), ...events]);
  for (const [skill, events] of bySkill) shelf.record(skill, events);
  return [...bySkill.values()].reduce((sum, events) => sum + events.length, 0);
}
