import { shownText } from "../../core/notes/shown-note.ts";
import type { ReviewEntry } from "../../core/capture/review-queue.ts";
import { contentVersion } from "../../core/shared/content-version.ts";
import { targetFile } from "../capture/apply-capture.ts";
import { entryText, lapsedSentence, ruleWords, staleness } from "../capture/review.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import type { ReviewItem, ReviewView } from "./activity-shapes.ts";
import { idOf, type Reading, storeOf } from "./reading.ts";

/** What waits for a person, and the rules that were made. Looking does not count as being told of what lapsed. */
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

/** Names a proposal as it is now. */
export function entryVersion(entry: ReviewEntry): string {
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
