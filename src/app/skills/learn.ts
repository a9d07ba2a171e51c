import { pipelines } from "../../adapters/shell/pipelines.ts";
import { declaredTexts } from "../../adapters/tree/declared-texts.ts";
import { candidateOf } from "../../core/skills/candidate.ts";
import type { CandidateContext } from "../../core/skills/candidate-gates.ts";
import { type Finding, headsIn, type NotebookFile, withFinding } from "../../core/skills/notebook.ts";
import { everydayIn, headsOf } from "../../core/skills/recipe.ts";
import { tasksOf } from "../../core/skills/tasks.ts";
import type { EvidenceEvent, KnownSkill, SkillShelf, Task } from "../../core/skills/types.ts";
import { usesIn } from "../../core/skills/uses.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { Transcript } from "../../core/transcripts/turn.ts";
import { existingNotes } from "../capture/capture-session.ts";
import { instructionsAt } from "../instructions/instruction-text.ts";
import { readTranscriptFile } from "../past/transcript.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** A session that ended a turn. */
export interface TaughtBy {
  readonly session: string;
  readonly transcript: string;
  /** Its client said that it is over. */
  readonly ended: boolean;
}

export interface Learnt {
  readonly tasks: number;
  readonly candidates: number;
  /** Events of evidence that were recorded. */
  readonly events: number;
}

/** A session without a word for so long is over (ms). */
const IDLE_MS = 60 * 60_000;
/** Sessions left open by others that one pass looks at. */
const MOST_OTHERS = 3;

/**
 * Learns from the finished tasks of a session, and of those that were left open: candidates into the notebook, what became
 * of skills onto the shelf. A task counts once the person's next words, or the end of the session, settled it.
 */
export async function learnFromSession(
  workspace: OpenWorkspace,
  { shelf, notebook }: { readonly shelf: SkillShelf; readonly notebook: NotebookFile },
  taught: TaughtBy,
): Promise<Learnt> {
  const now = workspace.clock.now();
  const before = notebook.read();
  const known = shelf.known();
  const context = {
    isEveryday: everydayIn(headsIn(before)),
    notes: (await existingNotes(workspace)).map(({ description, body }) => `${description}\n${body}`),
    declared: [instructionsAt(workspace.locations), ...declaredTexts(workspace.locations.project?.checkout)],
    human: shelf.human(),
    known,
  };
  const others = before.open.filter(({ session, time }) => session !== taught.session && now - time > IDLE_MS);
  const wasSeen = new Set(before.seen.map(({ id }) => id));
  const found = [taught, ...others.slice(0, MOST_OTHERS).map((one) => ({ ...one, ended: true }))].map((one) =>
    findIn(one, { ...context, wasSeen, now }),
  );
  // Evidence first: what was recorded twice counts once, and a task that was seen is not looked at again.
  const events = recorded(shelf, found);
  const finding: Finding = {
    candidates: found.flatMap(({ candidates }) => candidates),
    seen: found.flatMap(({ seen }) => seen),
    open: found.flatMap(({ open }) => open),
    closed: found.flatMap(({ closed }) => closed),
  };
  notebook.change((notes) => withFinding(notes, finding, now));
  return { tasks: finding.seen.length, candidates: finding.candidates.length, events };
}

interface FindContext extends Omit<CandidateContext, "parse" | "toolTexts" | "own" | "hasLoaded"> {
  readonly known: readonly KnownSkill[];
  readonly wasSeen: ReadonlySet<string>;
  readonly now: number;
}

interface Found extends Finding {
  readonly events: readonly { readonly skill: string; readonly events: readonly EvidenceEvent[] }[];
}

function findIn(taught: TaughtBy, context: FindContext): Found {
  const transcript = readable(taught.transcript);
  const tasks = transcript === undefined ? [] : tasksOf(transcript);
  const settled = tasks.filter((task) => task.next !== undefined || taught.ended || isIdle(task, context.now));
  const uses = settled.map((task) =>
    usesIn(task, context.known, { ...parsing(context), following: after(task, tasks) }),
  );
  const fresh = settled.filter((task) => task.calls.length > 0 && !context.wasSeen.has(taskId(task)));
  const isOpen = transcript !== undefined && settled.length < tasks.length;
  const { session } = taught;
  return {
    candidates: fresh.flatMap((task) => {
      const hasLoaded = uses[settled.indexOf(task)]?.some(({ events }) => events.length > 0) === true;
      const own = context.known.map(({ commands }) => ({ commands }));
      const toolTexts = transcript?.toolTexts ?? [];
      return candidateOf(task, { ...context, ...parsing(context), toolTexts, own, hasLoaded }).candidate ?? [];
    }),
    seen: fresh.map((task) => ({
      id: taskId(task),
      time: Date.parse(task.end ?? "") || context.now,
      heads: headsOf(task, pipelines),
    })),
    open: isOpen ? [{ session, transcript: taught.transcript, time: context.now }] : [],
    closed: isOpen ? [] : [session],
    events: uses.flat(),
  };
}

function parsing({ isEveryday }: FindContext): Pick<CandidateContext, "parse" | "isEveryday"> {
  return { parse: pipelines, isEveryday };
}

function after(task: Task, tasks: readonly Task[]): Task | undefined {
  return tasks[tasks.indexOf(task) + 1];
}

function isIdle({ end }: Task, now: number): boolean {
  return end !== undefined && now - Date.parse(end) > IDLE_MS;
}

function taskId({ agent, session, id }: Task): string {
  return sha256(`${agent}:${session}:${id}`).slice(0, 12);
}

/** A transcript that is gone teaches nothing; its session is closed. */
function readable(file: string): Transcript | undefined {
  try {
    return readTranscriptFile(file);
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
