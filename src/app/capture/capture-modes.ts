import type { CaptureOperation, ExistingNote, Refusal } from "../../core/capture/plan.ts";
import type { Scope } from "../../core/notes/note.ts";
import type { Transcript, Turn } from "../../core/transcripts/turn.ts";
import { scopeOf } from "./apply-capture.ts";
import { captureFate, modeIn } from "../workspace/modes.ts";
import { formOf, type ProposedOperation, quoteFor, ruleFor } from "./review.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { planLog } from "../../core/capture/plan-log.ts";
import { dayOf, type LogEntry, type NewLogEntry, offsetIn } from "../../core/notes/daily-log.ts";
import { openLogs } from "../notes/log-entry.ts";
import { pause } from "../workspace/pause.ts";

/** What went to the user's daily logs instead of into notes. */
interface LogCapture {
  /** `number` is 0 when nothing was written (dry run). */
  readonly entries: readonly LogEntry[];
  readonly refused: readonly Refusal[];
}

/** Entries of this many days before the oldest new message count as recalled text when repeated word for word. */
const RECALLED_DAYS = 7;

/**
 * Whether captures go to the log: the user chose it, and the mode of the user's scope lets capture write. In confirm
 * mode nothing is written unseen, so captures wait for review as notes, as usual.
 */
export function capturesToLog({ captureTo, modes, scopes }: Workspace, askedBy: "person" | "itself"): boolean {
  return captureTo === "log" && scopes.includes("user") && captureFate(modeIn(modes, "user").mode, askedBy) === "write";
}

/** Adds what the user said to the log of the day on which it was said. Each message is logged only once. */
export async function captureToLog(
  workspace: Workspace,
  transcript: Transcript,
  existing: readonly ExistingNote[],
  {
    turns = transcript.turns,
    dryRun,
    instructions,
  }: { readonly turns?: readonly Turn[] | undefined; readonly dryRun: boolean; readonly instructions: string },
): Promise<LogCapture> {
  const writable = dryRun ? undefined : openLogs(workspace);
  const logs = writable ?? workspace.logs;
  const { timeZone } = workspace.clock;
  const timeOf = (time: string | undefined): number =>
    Math.floor((Date.parse(time ?? "") || workspace.clock.now()) / 1000) * 1000;
  const known = daysAround(
    turns.map(({ time }) => timeOf(time)),
    timeZone,
  ).flatMap((day) => logs?.store.day(day) ?? []);
  const isKnown = (message: string): boolean =>
    known.some((entry) => entry.session === transcript.session && entry.message === message);
  // A message that is captured again does not count as recalled text.
  const fresh = turns.filter(({ role, id }) => role === "assistant" || !isKnown(id));
  const said = known
    .filter(({ session }) => session !== transcript.session)
    .map(({ text }): ExistingNote => ({ file: "", type: undefined, name: "", description: "", body: text }));
  const plan = await planLog({ ...transcript, turns: fresh }, [...existing, ...said], {
    secrets: workspace.secrets,
    instructions,
    pause,
  });
  const entries = plan.turns.map(({ text, time, evidence }): NewLogEntry => ({
    time: timeOf(time),
    offset: offsetIn(timeZone, timeOf(time)),
    project: logs?.project,
    ...evidence,
    text,
  }));
  if (writable === undefined || entries.length === 0)
    return {
      entries: entries.map((entry) => ({ ...entry, day: dayOf(entry), number: 0, key: "" })),
      refused: plan.refused,
    };
  return { entries: writable.store.append(entries), refused: plan.refused };
}

/** The days of these times and of the week before each, without duplicates. */
function daysAround(times: readonly number[], timeZone: string | undefined): readonly string[] {
  const days = new Set<string>();
  for (const time of times)
    for (let back = 0; back <= RECALLED_DAYS; back++)
      days.add(dayOf({ time: time - back * 86_400_000, offset: offsetIn(timeZone, time) }));
  return [...days];
}

/** Scopes that capture writes new notes to. */
export const CAPTURED_SCOPES: readonly Scope[] = ["project", "user"];

type AskedBy = "person" | "itself";

/** Whether capture can do anything here; if not, nothing is read and no model is asked. */
export function mayCapture({ modes, scopes }: Workspace, askedBy: AskedBy): boolean {
  return CAPTURED_SCOPES.some(
    (scope) => scopes.includes(scope) && captureFate(modeIn(modes, scope).mode, askedBy) !== "nothing",
  );
}

export interface SortedOperations {
  readonly write: readonly CaptureOperation[];
  readonly propose: readonly ProposedOperation[];
  readonly refused: readonly Refusal[];
}

/** What a session yielded. `proposed`: operations that always need the user's decision, each with its reason. */
export interface SortInput {
  readonly operations: readonly CaptureOperation[];
  readonly proposed?: readonly Pick<ProposedOperation, "operation" | "reason">[];
}

/** Sorts operations into those done at once, waiting and refused, by scope mode and review rules. */
export function sortOperations(
  workspace: Workspace,
  transcript: Transcript,
  { operations, proposed: doubtful = [] }: SortInput,
  askedBy: AskedBy,
): SortedOperations {
  const write: CaptureOperation[] = [];
  const proposed: ProposedOperation[] = [];
  const refused: Refusal[] = [];
  const wanted = [
    ...operations.map((operation) => ({ operation, doubt: undefined })),
    ...doubtful.map(({ operation, reason }) => ({ operation, doubt: reason })),
  ];
  const rules = wanted.length === 0 ? [] : workspace.review.rules();
  for (const { operation, doubt } of wanted) {
    const fate = captureFate(modeIn(workspace.modes, scopeOf(workspace, operation)).mode, askedBy);
    const rule =
      rules.length === 0 ? undefined : ruleFor(rules, operation, formOf(quoteFor(transcript, operation), operation));
    if (fate === "nothing") refused.push(refusalOf(operation, "mode-forbids"));
    else if (rule?.verdict === "never") refused.push(refusalOf(operation, "never-like-this"));
    else if (doubt !== undefined) proposed.push({ operation, reason: doubt, doubtful: true });
    else if (fate === "write" || rule?.verdict === "always") write.push(operation);
    else proposed.push({ operation, reason: "held for you in confirm mode", doubtful: false });
  }
  return { write, propose: proposed, refused };
}

/** The refusal of an operation, with its own text. */
export function refusalOf(operation: CaptureOperation, reason: Refusal["reason"]): Refusal {
  if (operation.kind === "retire") return { reason, text: `retire ${operation.file}`, evidence: operation.evidence };
  return {
    reason,
    text: operation.draft.description,
    evidence: operation.draft.evidence ?? { session: "", message: "" },
  };
}
