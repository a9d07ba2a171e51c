import { noteReference } from "../../../core/shared/note-reference.ts";
import {
  dreamIfDue,
  type DreamRequest,
  type DreamResult,
  dreamsOf,
  dreamStores,
  undoDream as takeBack,
} from "../../../app/dream/dream.ts";
import { dreamScopes, mayDream } from "../../../app/dream/dream-scopes.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import type { DreamRecord } from "../../../core/dream/dream-log.ts";
import type { DreamOperation } from "../../../core/dream/operation.ts";
import type { DreamOutcome, DreamPhase } from "../../../app/dream/dream-store.ts";
import type { ScopedStore } from "../../../app/workspace/workspace.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint, unknownAction } from "../io.ts";
import { wrap } from "../wrap.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [what] = invocation.positionals;
  if (what === "log") return showLog(invocation);
  if (what === "undo") return undoDream(invocation);
  if (what !== undefined) throw unknownAction(what, ["log", "undo"]);
  const modes = ["apply", "review", "dry-run", "if-due"].filter((name) => invocation.flag(name));
  if (modes.length > 1 && !(modes.length === 2 && modes.includes("if-due") && modes.includes("apply")))
    throw new UsageError(`--${modes.join(" and --")} do not go together`);
  if (invocation.flag("if-due") && (invocation.flag("model") || invocation.option("scope") !== undefined))
    throw new UsageError("--if-due takes no --model and no --scope: it is the automatic run");
  return consolidate(invocation);
}

async function consolidate(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const isScheduled = invocation.flag("if-due");
  const writes = invocation.flag("apply") || invocation.flag("review") || isScheduled;
  mayDream(workspace, writes);
  const results = isScheduled ? await whatIsDue(invocation, workspace) : await asked(invocation, workspace, writes);
  if (invocation.flag("json")) json(io, asJson(results));
  else for (const result of results) print(io, result, writes);
  return results.some(({ kind }) => kind === "busy") ? EXIT.unavailable : EXIT.ok;
}

async function whatIsDue(invocation: Invocation, workspace: OpenWorkspace): Promise<readonly DreamResult[]> {
  // Each scope is changed as a whole.
  invocation.io.ifInterrupted(
    "scopes whose dream is done keep it (`memdir dream log` lists them), the others are as they were",
  );
  const scheduled = await dreamIfDue(workspace);
  return scheduled.flatMap((one): DreamResult[] => {
    if (one.kind !== "not-due") return [one];
    if (!invocation.flag("json"))
      line(invocation.io, `${one.scope}${one.agentType === undefined ? "" : ` (${one.agentType})`}: ${one.message}`);
    return [];
  });
}

async function asked(
  invocation: Invocation,
  workspace: OpenWorkspace,
  writes: boolean,
): Promise<readonly DreamResult[]> {
  const { io } = invocation;
  const isJson = invocation.flag("json");
  const results: DreamResult[] = [];
  io.ifInterrupted(keptAfter(results));
  const wanted = { scope: invocation.option("scope"), writes, model: invocation.flag("model") };
  for await (const result of dreamScopes(workspace, wanted, (scoped) => ({
    // A preview promises what --apply would do, and no more.
    unsigned: invocation.flag("review"),
    ...(wanted.model && { mayAsk: (request) => mayAsk(io, scoped, request, isJson) }),
    ...(invocation.flag("review") && { accept: (operation) => ask(io, scoped, operation) }),
    ...(!isJson && { progress: (phase) => showPhase(io, scoped, phase) }),
  })))
    if (result.kind === "closed") io.err(`memdir: ${result.message}\n`);
    else {
      results.push(result);
      io.ifInterrupted(keptAfter(results));
    }
  return results;
}

/** At the end of its dream a scope is changed as a whole, or not at all. */
function keptAfter(results: readonly DreamResult[]): string {
  const done = results.flatMap((one) => (one.kind === "dreamt" && one.outcome.version !== undefined ? [one] : []));
  if (done.length === 0) return "no note was changed";
  const scopes = done.map(({ outcome }) => outcome.scope);
  return `the dream of ${scopes.join(" and ")} is done and stays (\`memdir dream undo\` undoes it), nothing else was changed`;
}

type ModelQuestion = Parameters<NonNullable<DreamRequest["mayAsk"]>>[0];

/** At a terminal, asks before anything is spent; without one, --model counts as consent. */
async function mayAsk(
  io: Io,
  { scope }: ScopedStore,
  { model, notes, groups, tokens }: ModelQuestion,
  isJson: boolean,
): Promise<boolean> {
  const what = `${scope}: ${counted(notes, "note")} in ${counted(groups, "group")}, about ${tokens} tokens, go to ${model}; notes with secrets do not`;
  if (isJson) return true;
  io.err(`${what}\n`);
  return (await io.confirm("Send them?")) ?? true;
}

const PHASES: Readonly<Record<DreamPhase, string>> = {
  orient: "reading notes and checking them against the working tree",
  gather: "reading dates and the daily log",
  consolidate: "comparing notes",
  prune: "keeping within limits",
  check: "checking that recall loses nothing",
  apply: "writing one version",
};

function showPhase(io: Io, { scope }: ScopedStore, phase: DreamPhase): void {
  io.err(paint(io, "dim", `${scope}: ${PHASES[phase]}\n`));
}

async function ask(io: Io, { scope }: ScopedStore, operation: DreamOperation): Promise<boolean> {
  printOperation(io, scope, operation);
  const answer = await io.confirm("Apply this?");
  if (answer === undefined)
    throw new UsageError(
      "--review asks at a terminal; without one, look with --dry-run and apply what is safe with --apply",
    );
  return answer;
}

function asJson(results: readonly DreamResult[]): unknown {
  const outcomes = results.flatMap((result) => (result.kind === "dreamt" ? [result.outcome] : []));
  const said = ({ kind, files, reason }: DreamOperation, { scope }: DreamOutcome) => ({ kind, files, reason, scope });
  return {
    operations: outcomes.flatMap((outcome) => outcome.operations.map((operation) => said(operation, outcome))),
    applied: outcomes.flatMap((outcome) => outcome.applied.map((operation) => said(operation, outcome))),
    refused: outcomes.flatMap((outcome) =>
      outcome.refused.map(({ operation, reason, message }) => ({
        ...said(operation, outcome),
        refused: reason,
        message,
      })),
    ),
    ...(results.some(({ kind }) => kind === "busy") && { busy: true }),
  };
}

function print(io: Io, result: DreamResult, wrote: boolean): void {
  if (result.kind === "busy") {
    io.err(
      `memdir: process ${result.pid} is consolidating these notes; nothing was done. Try again when it is finished\n`,
    );
    return;
  }
  const { scope, notes, operations, applied, refused, told, version, model } = result.outcome;
  const doable = wrote
    ? applied
    : operations.filter(
        (operation) => operation.edits.length > 0 && !refused.some((one) => one.operation === operation),
      );
  line(
    io,
    `${scope}: ${counted(notes, "note")} looked at in ${(result.ms / 1000).toFixed(1)} s; ${doable.length === 0 ? "nothing to consolidate" : `${counted(doable.length, "operation")}${wrote ? " applied" : ""}`}`,
  );
  if (result.outcome.log !== undefined && result.outcome.log.entries > 0)
    line(io, paint(io, "dim", `  ${counted(result.outcome.log.entries, "new entry", "new entries")} of daily logs`));
  if (model !== undefined)
    line(
      io,
      paint(
        io,
        "dim",
        `  ${model.id} saw ${counted(model.notes, "note")}${model.inputTokens > 0 ? `, ${model.inputTokens} tokens in and ${model.outputTokens} out` : ""}${model.failure === undefined ? "" : `; ${model.failure}`}`,
      ),
    );
  for (const operation of doable) printOperation(io, scope, operation);
  const forPerson = told.filter((operation) => !doable.includes(operation));
  if (forPerson.length > 0) line(io, paint(io, "bold", "For you to decide:"));
  for (const operation of forPerson) printOperation(io, scope, operation);
  const others = refused.filter(({ operation, reason }) => reason !== "unsigned" && !forPerson.includes(operation));
  if (others.length > 0) line(io, paint(io, "bold", "Not done:"));
  for (const { operation, message } of others)
    printOperation(io, scope, { ...operation, reason: `${operation.reason}; ${message}` });
  if (!wrote && doable.length > 0)
    line(io, "nothing changed; `memdir dream --apply` makes these changes, `--review` asks about each");
  if (version !== undefined) line(io, "`memdir dream undo` undoes this dream");
}

const COLORS = {
  distil: "green",
  merge: "cyan",
  supersede: "yellow",
  correct: "green",
  retire: "yellow",
  conflict: "red",
  flag: "dim",
} as const;

function printOperation(io: Io, scope: string, { kind, files, reason }: DreamOperation): void {
  const named = files.map((file) => noteReference({ scope, file })).join(" ← ");
  line(io, `  ${paint(io, COLORS[kind], kind.padEnd(9))}  ${named}`);
  for (const row of wrap(reason, io.width, "             ", "             ")) line(io, row);
}

function showLog(invocation: Invocation): number {
  const { io } = invocation;
  const dreams = dreamStores(invocation.workspace(), invocation.option("scope"))
    .flatMap((scoped) => dreamsOf(scoped))
    .toSorted((a, b) => (a.time < b.time ? 1 : -1));
  if (invocation.flag("json")) {
    json(io, dreams);
    return EXIT.ok;
  }
  if (dreams.length === 0) line(io, "no dreams yet");
  for (const one of dreams) printRecord(io, one);
  return EXIT.ok;
}

function printRecord(
  io: Io,
  { time, scope, notes, applied, refused, told, saidAgain, version, failure }: DreamRecord,
): void {
  if (failure !== undefined) {
    line(io, `${time.slice(0, 16).replace("T", " ")}  ${scope}  failed, nothing changed: ${failure}`);
    return;
  }
  line(
    io,
    `${time.slice(0, 16).replace("T", " ")}  ${scope}  ${counted(notes, "note")}, ${applied.length} applied, ${refused.length + (saidAgain?.refused ?? 0)} refused, ${told.length + (saidAgain?.told ?? 0)} for you${version === undefined ? "" : `, version ${version}`}`,
  );
  for (const { kind, files, reason } of applied) line(io, `  ${kind}  ${files.join(" ← ")}: ${reason}`);
  // In confirm mode a dream leaves only these.
  if (applied.length === 0)
    for (const { kind, files, reason } of told) line(io, `  for you: ${kind}  ${files.join(" ← ")}: ${reason}`);
}

function undoDream(invocation: Invocation): number {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const undone = takeBack(workspace, dreamStores(workspace, invocation.option("scope")));
  if (undone === undefined) throw new MemoryError("not-found", "no dream to undo");
  const { result, record, scoped } = undone;
  if (invocation.flag("json")) json(io, result);
  else if (result.outcome === "undone") {
    line(
      io,
      `undone: the dream of ${record.time.slice(0, 16).replace("T", " ")} (${scoped.scope}, ${counted(result.changes.length, "note")} as before)`,
    );
    for (const change of result.changes)
      if (change.outcome === "kept-both")
        line(
          io,
          `  ${change.file} has newer changes in the same lines, so it stays; the earlier text is in ${change.conflict}`,
        );
  } else if (result.outcome === "conflict")
    io.err(
      `memdir: ${result.files.join(", ")} changed again since the dream; nothing was undone. \`memdir undo NOTE\` undoes one change\n`,
    );
  return result.outcome === "undone" ? EXIT.ok : EXIT.conflict;
}
