import { shownText } from "../../core/notes/parse-note.ts";
import type { ReviewEntry } from "../../core/capture/review-queue.ts";
import { contentVersion } from "../../core/shared/hash.ts";
import { targetFile } from "../capture/apply-capture.ts";
import {
  acceptEntry,
  editEntry,
  entryText,
  lapsedSentence,
  rejectEntry,
  ruleOf,
  ruleWords,
  staleness,
} from "../capture/review.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import type { ReviewItem, ReviewView } from "./activity-shapes.ts";
import { idOf, type Reading, storeOf } from "./note-list.ts";
import { shellWord } from "../../core/shared/shell-word.ts";
import { mayWrite, modeIn, refusedByMode } from "../workspace/modes.ts";
import { shownRef } from "../workspace/workspace.ts";
import type { Changed } from "./changes.ts";
import type { TextHash } from "./shapes.ts";

/** What waits for the user, and the rules in force. Reading it does not mark lapsed proposals as seen. */
export function reviewView({ workspace }: Reading): ReviewView {
  for (const { store } of workspace.stores) store.reconcile("full");
  const { review } = workspace;
  const lapsed = review.lapsed();
  return {
    waiting: review.entries().map((entry) => reviewItem(workspace, entry)),
    rules: review.rules().map((rule) => ({
      id: rule.id,
      verdict: rule.verdict,
      says: ruleWords(rule),
      time: rule.time,
    })),
    ...(lapsed !== undefined && { lapsed: lapsedSentence(lapsed) }),
    damaged: review.damaged(),
  };
}

/** A hash that identifies a proposal in its current state. */
function entryVersion(entry: ReviewEntry): string {
  return contentVersion(JSON.stringify([entry.operation, entry.reason, entry.seen]));
}

function reviewItem(workspace: OpenWorkspace, entry: ReviewEntry): ReviewItem {
  const { id, time, scope, operation, reason, doubtful, by, quote, evidence } = entry;
  const stale = staleness(workspace, entry);
  const text = entryText(workspace, entry);
  return {
    id,
    version: entryVersion(entry),
    time,
    scope,
    kind: operation.kind,
    ...(operation.kind !== "create" && { target: targetOf(workspace, scope, targetFile(operation.file)) }),
    ...(operation.kind === "retire" && operation.by !== undefined && { by: operation.by }),
    ...(operation.kind !== "retire" && {
      type: operation.draft.type,
      name: operation.draft.name,
      description: operation.draft.description,
      body: operation.draft.body,
    }),
    ...(text !== undefined && { text }),
    reason,
    doubtful,
    source: by,
    quote,
    evidence,
    ...(stale !== undefined && { stale }),
  };
}

function targetOf(workspace: OpenWorkspace, scope: string, file: string): NonNullable<ReviewItem["target"]> {
  const scoped = storeOf(workspace.stores, scope);
  const bytes = scoped?.store.read(file);
  const id = `${scope}:${file}`;
  if (scoped === undefined || bytes === undefined) return { id };
  return { id: idOf(scoped, file), text: shownText(bytes) };
}

/** A proposal, and the version that the user saw. */
interface SeenEntry {
  readonly id: string;
  readonly seen: TextHash;
}

/** @throws MemoryError `refused` when the project's memory may not be written. */
function entrySeen(
  workspace: OpenWorkspace,
  { id, seen }: SeenEntry,
): ReviewEntry | Exclude<Changed, { kind: "done" }> {
  const choice = modeIn(workspace.modes, "project");
  if (!mayWrite(choice.mode)) throw refusedByMode("memory of the project scope", choice);
  const entry = workspace.review.entries().find((one) => one.id === id);
  if (entry === undefined) return { kind: "not-found", says: "this proposal is gone: someone decided already" };
  if (entryVersion(entry) === seen) return entry;
  return { kind: "refused", code: "stale", says: "this proposal was edited meanwhile; nothing was decided" };
}

function isRefused(
  found: ReviewEntry | Exclude<Changed, { kind: "done" }>,
): found is Exclude<Changed, { kind: "done" }> {
  return "says" in found;
}

export async function acceptSeen(workspace: OpenWorkspace, seen: SeenEntry, always: boolean): Promise<Changed> {
  const entry = entrySeen(workspace, seen);
  if (isRefused(entry)) return entry;
  if (always && entry.doubtful)
    return { kind: "refused", code: "stale", says: `${entry.reason}: proposals of this kind always wait for you` };
  const result = await acceptEntry(workspace, seen.id);
  if (result.outcome === "stale") return { kind: "refused", code: "stale", says: `not saved: ${result.why}` };
  if (result.outcome === "refused") return { kind: "refused", code: "secret", says: result.message };
  if (result.outcome === "gone") return { kind: "not-found", says: "this proposal is gone: someone decided already" };
  const rule = always ? addRule(workspace, entry, "always") : "";
  if (result.outcome === "known")
    return { kind: "done", outcome: "known", says: `${result.file} says it already${rule}` };
  const ref = { scoped: result.note.scoped, file: result.note.file ?? "" };
  return {
    kind: "done",
    outcome: "accepted",
    says: `saved as ${ref.file}${rule}`,
    id: idOf(ref.scoped, ref.file),
    undo: `memdir undo ${shellWord(shownRef(workspace, ref))}`,
  };
}

export function rejectSeen(workspace: OpenWorkspace, seen: SeenEntry, never: boolean): Changed {
  const entry = entrySeen(workspace, seen);
  if (isRefused(entry)) return entry;
  if (!rejectEntry(workspace, seen.id))
    return { kind: "not-found", says: "this proposal is gone: someone decided already" };
  return {
    kind: "done",
    outcome: "rejected",
    says: `rejected${never ? addRule(workspace, entry, "never") : ""}`,
  };
}

export async function editSeen(workspace: OpenWorkspace, seen: SeenEntry, text: string): Promise<Changed> {
  const entry = entrySeen(workspace, seen);
  if (isRefused(entry)) return entry;
  const result = await editEntry(workspace, seen.id, text);
  if (result.outcome === "gone") return { kind: "not-found", says: "this proposal is gone, or has no text to edit" };
  if (result.outcome === "refused") return { kind: "refused", code: "secret", says: result.message };
  return { kind: "done", outcome: "edited", says: "the proposal is changed; it still waits" };
}

export function dropRule(workspace: OpenWorkspace, rule: string): Changed {
  const choice = modeIn(workspace.modes, "project");
  if (!mayWrite(choice.mode)) throw refusedByMode("memory of the project scope", choice);
  return workspace.review.removeRule(rule)
    ? { kind: "done", outcome: "dropped", says: "the rule no longer applies" }
    : { kind: "not-found", says: `there is no rule ${rule}` };
}

function addRule({ review, clock }: OpenWorkspace, entry: ReviewEntry, verdict: "always" | "never"): string {
  const rule = ruleOf(entry, verdict, clock.now());
  review.addRule(rule);
  return `; from now on: ${ruleWords(rule)}`;
}
