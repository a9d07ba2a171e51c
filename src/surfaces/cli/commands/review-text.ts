import { ruleWords, staleness } from "../../../app/capture/review.ts";
import type { ReviewEntry, ReviewRule } from "../../../core/capture/review-queue.ts";
import type { Workspace } from "../../../app/workspace/workspace.ts";
import { type Io, line, paint } from "../io.ts";
import { paragraph } from "../wrap.ts";
import { explainRefusal } from "../../../app/capture/given-turn.ts";
import type { CaptureOutcome } from "../../../app/capture/capture-session.ts";
import { entryRef } from "../../../app/notes/log-entry.ts";
import type { LogEntry } from "../../../core/notes/daily-log.ts";
import { counted, oneLine, truncate } from "../../../core/shared/text.ts";

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

/** Prints one entry for the user to decide on. */
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

/** Empty if it was said outside a session. */
function placeOf({ session, message }: ReviewEntry["evidence"]): string {
  if (session === "") return "";
  return ` in session ${session}${message === "" ? "" : `, message ${message}`}`;
}

/** Reports progress at most once a second, and only if reading takes longer than that. */
export function progressOf(io: Io, name: string): (bytes: number, of: number) => void {
  let told = performance.now();
  return (bytes, of) => {
    if (performance.now() - told < 1_000 || bytes >= of) return;
    told = performance.now();
    io.err(`memdir: ${name}: ${(bytes / 1e6).toFixed(0)} of ${(of / 1e6).toFixed(0)} MB\n`);
  };
}

export function captureJson({ notes, logged, refused, queued, headroom, by, modelFailure }: CaptureOutcome): object {
  return {
    notes: notes.map(({ kind, file, scoped, type, name, description, text, evidence, superseded }) => ({
      kind,
      file: file ?? null,
      scope: scoped.scope,
      type,
      name,
      description,
      text,
      evidence,
      ...(superseded !== undefined && { superseded }),
    })),
    refused: refused.map(({ reason, text, evidence }) => ({ reason, text, evidence })),
    queued: queued.map(entryJson),
    ...(logged !== undefined && {
      logged: logged.map((entry) => ({
        id: entry.number === 0 ? null : entryRef(entry),
        day: entry.day,
        project: entry.project ?? null,
        text: entry.text,
      })),
    }),
    headroom,
    by,
    ...(modelFailure !== undefined && { modelFailure }),
  };
}

/** Refused because a note already says it. */
const KNOWN: ReadonlySet<string> = new Set(["duplicate", "recalled-text"]);

export function printCapture(io: Io, { notes, logged, refused, queued }: CaptureOutcome, dryRun: boolean): void {
  const known = refused.filter(({ reason }) => KNOWN.has(reason)).length;
  const stopped = refused.filter(({ reason }) => !KNOWN.has(reason));
  if (logged !== undefined) printLogged(io, logged, dryRun);
  else if (notes.length === 0 && queued.length === 0) line(io, known > 0 ? "nothing new" : "found nothing to remember");
  else if (notes.length > 0) line(io, `${counted(notes.length, "note")}${dryRun ? " would be saved" : ""}:`);
  for (const { kind, file, type, description, superseded, name } of notes) {
    line(
      io,
      `  ${paint(io, "green", file ?? name)}  ${paint(io, "dim", kind === "retire" ? "retired" : kind === "revise" ? "revised" : (type ?? ""))}`,
    );
    line(io, `    ${truncate(description, io.width - 6)}`);
    if (superseded !== undefined) line(io, paint(io, "dim", `    retires ${superseded}`));
  }
  if (queued.length > 0)
    line(
      io,
      `${queued.length} ${dryRun ? "would wait" : queued.length === 1 ? "waits" : "wait"} for \`memdir review\`:`,
    );
  for (const { id, operation, reason } of queued)
    line(
      io,
      `  ${paint(io, "cyan", dryRun ? operation.kind : id)}  ${truncate(operation.kind === "retire" ? `retire ${operation.file}` : operation.draft.description, io.width - 14)}\n    ${paint(io, "dim", reason)}`,
    );
  if (known > 0) line(io, `${known} already known`);
  if (stopped.length > 0) line(io, `${stopped.length} refused:`);
  for (const { reason, text } of stopped) {
    line(io, `  ${paint(io, "yellow", reason)}  ${truncate(oneLine(text), io.width - reason.length - 6)}`);
    line(io, paint(io, "dim", `    ${explainRefusal(reason)}`));
  }
}

function printLogged(io: Io, logged: readonly LogEntry[], dryRun: boolean): void {
  line(
    io,
    logged.length === 0
      ? "nothing new for the daily log"
      : `${counted(logged.length, "entry", "entries")}${dryRun ? " would go" : ""} to the daily log:`,
  );
  for (const entry of logged)
    line(
      io,
      `  ${paint(io, "green", dryRun ? entry.day : entryRef(entry))}\n    ${truncate(oneLine(entry.text), io.width - 6)}`,
    );
}
