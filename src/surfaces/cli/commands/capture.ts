import { instructionText, openExtractor } from "../../../compose/extractor.ts";
import { readTranscriptFile } from "../../../compose/transcript.ts";
import { explainDoubt, explainRefusal } from "../../../core/capture/explain-refusal.ts";
import { type CaptureOutcome, captureSession } from "../../../core/memory/capture-session.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { oneLine, truncate } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { type Io, json, line, paint } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [path] = invocation.positionals;
  if (path === undefined) throw new UsageError("capture needs a session transcript: `memdir capture FILE.jsonl`");
  const transcript = readTranscriptFile(path);
  const workspace = invocation.workspace();
  if (workspace.mode !== "auto") throw new MemoryError("refused", `memory is ${workspace.mode} (${workspace.locations.modeReason ?? ""}); nothing was captured`);
  const extractor = invocation.flag("model") ? await openExtractor(workspace) : undefined;
  const outcome = await captureSession(workspace, transcript, { dryRun: invocation.flag("dry-run"), instructions: () => instructionText(workspace), ...(extractor === undefined ? {} : { extractor }) });
  if (outcome.modelFailure !== undefined) io.err(`memdir: the model gave no answer (${outcome.modelFailure}); rules did the work instead\n`);
  if (invocation.flag("json")) json(io, captureJson(outcome));
  else printCapture(io, outcome, invocation.flag("dry-run"));
  for (const { line: number, reason } of transcript.problems.slice(0, 3)) io.err(`memdir: ${path} line ${number}: ${reason}\n`);
  return EXIT.ok;
}

function captureJson({ notes, refused, proposed, headroom, by, modelFailure }: CaptureOutcome): unknown {
  return {
    notes: notes.map(({ kind, file, scoped, type, name, description, text, evidence, superseded }) => ({ kind, file: file ?? null, scope: scoped.scope, type, name, description, text, evidence, ...(superseded !== undefined && { superseded }) })),
    refused: refused.map(({ reason, text, evidence }) => ({ reason, text, evidence })),
    proposed: proposed.map(({ operation, reason }) => ({ kind: operation.kind, reason, ...(operation.kind !== "create" && { file: operation.file }), ...(operation.kind !== "retire" && { text: operation.draft.body }) })),
    headroom,
    by,
    ...(modelFailure !== undefined && { modelFailure }),
  };
}

/** Refused because a note says it already. */
const KNOWN: ReadonlySet<string> = new Set(["duplicate", "recalled-text"]);

export function printCapture(io: Io, { notes, refused, proposed }: CaptureOutcome, dryRun: boolean): void {
  const known = refused.filter(({ reason }) => KNOWN.has(reason)).length;
  const stopped = refused.filter(({ reason }) => !KNOWN.has(reason));
  if (notes.length === 0) line(io, known > 0 ? "nothing new" : "nothing in this session asks to be remembered");
  else line(io, `${notes.length} ${notes.length === 1 ? "note" : "notes"}${dryRun ? " would be written" : ""}:`);
  for (const { kind, file, type, description, superseded, name } of notes) {
    line(io, `  ${paint(io, "green", file ?? name)}  ${paint(io, "dim", kind === "retire" ? "retired" : kind === "revise" ? "revised" : type ?? "")}`);
    line(io, `    ${truncate(description, io.width - 6)}`);
    if (superseded !== undefined) line(io, paint(io, "dim", `    retires ${superseded}`));
  }
  if (known > 0) line(io, `${known} known already`);
  if (stopped.length > 0) line(io, `${stopped.length} refused:`);
  for (const { reason, text } of stopped) {
    line(io, `  ${paint(io, "yellow", reason)}  ${truncate(oneLine(text), io.width - reason.length - 6)}`);
    line(io, paint(io, "dim", `    ${explainRefusal(reason)}`));
  }
  if (proposed.length > 0) line(io, `${proposed.length} for you to decide, not done:`);
  for (const { operation, reason } of proposed) {
    line(io, `  ${paint(io, "yellow", operation.kind)}  ${operation.kind === "create" ? operation.draft.name : operation.file}`);
    line(io, paint(io, "dim", `    ${explainDoubt(reason)}`));
  }
}
