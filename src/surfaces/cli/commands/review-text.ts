import { ruleWords, staleness } from "../../../app/capture/review.ts";
import type { ReviewEntry, ReviewRule } from "../../../core/capture/review-queue.ts";
import type { Workspace } from "../../../app/workspace/workspace.ts";
import { type Io, line, paint } from "../io.ts";
import { paragraph } from "../wrap.ts";

export function entryJson({
  id,
  time,
  scope,
  operation,
  reason,
  doubtful,
  by,
  evidence,
  quote,
  saidAs,
}: ReviewEntry): Readonly<Record<string, unknown>> {
  const { kind } = operation;
  return {
    id,
    time,
    scope,
    kind,
    reason,
    doubtful,
    by,
    evidence,
    quote,
    saidAs,
    ...(operation.kind !== "create" && { note: operation.file }),
    ...(operation.kind !== "retire" && {
      type: operation.draft.type,
      name: operation.draft.name,
      description: operation.draft.description,
      text: operation.draft.body,
    }),
  };
}

const WANTS = { create: "write a new note", revise: "change", supersede: "replace", retire: "retire" } as const;

/** One entry as a person decides on it. */
export function printEntry(io: Io, workspace: Workspace, entry: ReviewEntry): void {
  const { id, time, operation, reason, by, evidence, quote } = entry;
  const target = operation.kind === "create" ? "" : ` ${operation.file}`;
  const what = operation.kind === "retire" ? "" : `  ${operation.draft.type} note, ${entry.scope} scope`;
  line(
    io,
    `${paint(io, "cyan", id)}  ${paint(io, "bold", `${WANTS[operation.kind]}${target}`)}${paint(io, "dim", what)}`,
  );
  if (operation.kind !== "retire") {
    paragraph(io, paint(io, "bold", operation.draft.description), "  ", "  ");
    for (const text of operation.draft.body.trim().split("\n"))
      if (text.trim() !== "") paragraph(io, text, "    ", "    ");
  }
  paragraph(io, paint(io, "dim", `you said: "${quote}"`), "  ", "  ");
  paragraph(
    io,
    paint(io, "dim", `${reason}; found by ${by}${placeOf(evidence)}, ${time.slice(0, 16).replace("T", " ")} UTC`),
    "  ",
    "  ",
  );
  const stale = staleness(workspace, entry);
  if (stale !== undefined)
    paragraph(io, paint(io, "yellow", `stale: ${stale}; it can no longer be accepted`), "  ", "  ");
}

export function printRules(io: Io, rules: readonly ReviewRule[]): void {
  if (rules.length === 0) line(io, "no rules: you have not used always or never yet");
  for (const rule of rules)
    line(io, `${paint(io, "cyan", rule.id)}  ${ruleWords(rule)}  ${paint(io, "dim", rule.time.slice(0, 10))}`);
}

/** Nothing where it was said outside of a session. */
function placeOf({ session, message }: ReviewEntry["evidence"]): string {
  if (session === "") return "";
  return ` in session ${session}${message === "" ? "" : `, message ${message}`}`;
}
