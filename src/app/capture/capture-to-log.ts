import { planLog } from "../../core/capture/plan-log.ts";
import type { ExistingNote, Refusal } from "../../core/capture/plan.ts";
import { dayOf, type LogEntry, type NewLogEntry, offsetIn } from "../../core/notes/daily-log.ts";
import type { Transcript, Turn } from "../../core/transcripts/turn.ts";
import { openLogs } from "../notes/log-entry.ts";
import { pause } from "../workspace/pause.ts";
import { captureFate, modeIn } from "../workspace/modes.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What went to the logs of a person's days instead of into notes. */
export interface LogCapture {
  /** `number` 0 where nothing was written: a dry run. */
  readonly entries: readonly LogEntry[];
  readonly refused: readonly Refusal[];
}

/** Days back from the oldest new message whose entries are taken for recalled text when they are said again word for word. */
const RECALLED_DAYS = 7;

/**
 * Whether what is captured goes to the log: where a person chose that, and the user's scope lets capture write. In confirm
 * mode nothing is written unseen, so that what capture finds waits as notes for review, as ever.
 */
export function capturesToLog({ captureTo, modes, scopes }: Workspace, askedBy: "person" | "itself"): boolean {
  return captureTo === "log" && scopes.includes("user") && captureFate(modeIn(modes, "user").mode, askedBy) === "write";
}

/** Adds what the person said to the log of the day on which it was said. What a message said is logged once. */
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
  // A message that is captured again is no recalled text.
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

/** The days of these moments and of the week before them, each once. */
function daysAround(times: readonly number[], timeZone: string | undefined): readonly string[] {
  const days = new Set<string>();
  for (const time of times)
    for (let back = 0; back <= RECALLED_DAYS; back++)
      days.add(dayOf({ time: time - back * 86_400_000, offset: offsetIn(timeZone, time) }));
  return [...days];
}
