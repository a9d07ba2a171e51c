import { noteKey } from "../../core/notes/names.ts";
import type { LoggedRecall } from "../../core/recall/log-line.ts";
import { recallNotes } from "./recall-notes.ts";
import type { Workspace } from "../workspace/workspace.ts";

export interface ReplayedRecall {
  readonly prompt: string;
  /** When it was last asked (ISO). */
  readonly time: string;
  readonly before: RecallFindings;
  readonly after: RecallFindings;
  readonly difference: RecallDifference;
  /** Why each lost note was not found, by `scope:file`. */
  readonly reasons: Readonly<Record<string, LossReason>>;
}

export type LossReason = "removed" | "superseded" | "not-chosen";

export interface Replay {
  readonly recalls: readonly ReplayedRecall[];
  /** Number of logged recalls that kept only a hash of the prompt. */
  readonly unreadable: number;
}

/** Asks each logged prompt again, once, and compares with its latest logged answer. Counts and logs nothing. */
export function replayRecalls(workspace: Workspace, logged: readonly LoggedRecall[]): Replay {
  const prompts = new Map<string, LoggedRecall>();
  for (const recall of logged) {
    if (recall.prompt === undefined) continue;
    prompts.delete(recall.prompt); // the latest answer to a prompt counts, and sets its position
    prompts.set(recall.prompt, recall);
  }
  return {
    recalls: [...prompts].map(([prompt, recall]) => replayOne(workspace, prompt, recall)),
    unreadable: logged.filter(({ prompt }) => prompt === undefined).length,
  };
}

function replayOne(workspace: Workspace, prompt: string, logged: LoggedRecall): ReplayedRecall {
  const before = foundBefore(logged);
  const outcome = recallNotes(workspace, prompt);
  const after = { shown: outcome.selected.map(noteKey), pointed: outcome.pointed.map(noteKey) };
  const difference = compareRecalls(before, after, (key) => successorOf(workspace, key));
  return {
    prompt,
    time: logged.time,
    before,
    after,
    difference,
    reasons: Object.fromEntries(difference.lost.map((key) => [key, reasonOf(workspace, key)])),
  };
}

/** Notes that were not shown because the session had them, or for lack of room, count as found. */
export function foundBefore({ selected, pointed, candidates, floors }: LoggedRecall): RecallFindings {
  const chosen = candidates.filter(({ fate }) => fate === "surfaced" || fate === "no-room");
  const sure = chosen.filter(({ score }) => score >= floors.whole);
  const plausible = chosen.filter(({ score }) => score < floors.whole);
  return {
    shown: [...new Set([...selected, ...sure].map(noteKey))],
    pointed: [...new Set([...pointed, ...plausible].map(noteKey))],
  };
}

function successorOf(workspace: Workspace, key: string): string | undefined {
  const { scope, file, entry } = look(workspace, key);
  const by = entry?.supersededBy;
  if (by === undefined) return undefined;
  const heir = workspace.stores
    .find((one) => one.scope === scope)
    ?.store.index.entries()
    .find((one) => one.file === by || one.file === `${by}.md` || one.name === by);
  return heir === undefined || heir.file === file ? undefined : `${scope}:${heir.file}`;
}

function reasonOf(workspace: Workspace, key: string): LossReason {
  const { entry } = look(workspace, key);
  if (entry === undefined) return "removed";
  return entry.supersededBy === undefined ? "not-chosen" : "superseded";
}

function look(workspace: Workspace, key: string) {
  const scope = key.slice(0, key.indexOf(":"));
  const file = key.slice(scope.length + 1);
  return { scope, file, entry: workspace.stores.find((one) => one.scope === scope)?.store.index.entry(file) };
}

/** What a recall found, by `scope:file`. */
export interface RecallFindings {
  readonly shown: readonly string[];
  readonly pointed: readonly string[];
}

export interface RecallDifference {
  /** `lost` takes precedence: a note that was shown whole is neither shown nor pointed at. */
  readonly outcome: "same" | "gained" | "moved" | "lost";
  /** Shown now, and neither shown nor pointed at before. */
  readonly gained: readonly string[];
  /** Shown before, not found now. */
  readonly lost: readonly string[];
  /** Shown before, pointed at now; and the reverse. */
  readonly lowered: readonly string[];
  readonly raised: readonly string[];
}

/**
 * Compares what a prompt found before and after a change to the notes or to recall. A note merged into another counts
 * as found when its successor is found; `successor` names that note.
 */
export function compareRecalls(
  before: RecallFindings,
  after: RecallFindings,
  successor: (key: string) => string | undefined = () => undefined,
): RecallDifference {
  const shown = new Set(after.shown);
  const pointed = new Set(after.pointed);
  const findable = (key: string): string => {
    const chain = new Set([key]);
    let now = key;
    for (let next = successor(now); next !== undefined && !chain.has(next) && !shown.has(now); next = successor(now)) {
      chain.add(next);
      now = next;
    }
    return now;
  };
  const successors = new Map(before.shown.map((key) => [key, findable(key)]));
  const known = new Set([...before.shown, ...before.pointed, ...successors.values()]);
  const gained = after.shown.filter((key) => !known.has(key));
  const lost = before.shown.filter(
    (key) => !shown.has(successors.get(key) ?? key) && !pointed.has(successors.get(key) ?? key),
  );
  const lowered = before.shown.filter(
    (key) => !shown.has(successors.get(key) ?? key) && pointed.has(successors.get(key) ?? key),
  );
  const raised = before.pointed.filter((key) => shown.has(key) && !before.shown.includes(key));
  const outcome =
    lost.length > 0 ? "lost" : lowered.length + raised.length > 0 ? "moved" : gained.length > 0 ? "gained" : "same";
  return { outcome, gained, lost, lowered, raised };
}
