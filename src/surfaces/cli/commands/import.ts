import { isArchive } from "../../../compose/import-archive.ts";
import { readImportSource } from "../../../compose/import-sources.ts";
import { IMPORT_KINDS, type ImportKind } from "../../../core/imports/candidate.ts";
import { candidatesIn } from "../../../core/imports/sources.ts";
import { applyImport, type ImportedNote, type ImportStep, planImport } from "../../../core/memory/import-notes.ts";
import { shownRef, type Workspace } from "../../../core/memory/workspace.ts";
import { stripHidden } from "../../../core/shared/hidden.ts";
import { redactTokens } from "../../../core/shared/redact.ts";
import { oneLine, truncate } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { type Io, json, line, paint } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [name, place] = invocation.positionals;
  const kind = IMPORT_KINDS.find((one) => one === name);
  if (kind === undefined) {
    if (name !== undefined && (isArchive(name) || /[./\\]/u.test(name))) return (await import("./import-archive.ts")).run(invocation);
    throw new UsageError(`import needs to know from what: ${IMPORT_KINDS.join(", ")}, or an archive that \`memdir export\` wrote${name === undefined ? "" : `; "${name}" is neither`}`);
  }
  const workspace = invocation.workspace();
  const source = readImportSource(workspace.locations, kind, place);
  const steps = await planImport(workspace, kind, candidatesIn(kind, source.files, workspace.codec));
  const asJson = invocation.flag("json");
  if (!asJson) printPlan(io, workspace, source.place, steps);
  const isWanted = steps.some((step) => step.kind !== "refuse") && !invocation.flag("dry-run");
  const done = isWanted && (invocation.flag("yes") || (await agrees(io, asJson))) ? applyImport(workspace, kind, steps) : [];
  if (asJson) json(io, planJson(workspace, kind, source.place, steps, done));
  else if (done.length > 0) line(io, `imported ${count(done.length, "note")}; \`memdir undo\` takes them back one by one`);
  return EXIT.ok;
}

async function agrees(io: Io, asJson: boolean): Promise<boolean> {
  const answer = asJson ? undefined : await io.confirm("Import them?");
  if (answer === undefined) io.err("memdir: nothing was imported; run it again with --yes, or with --dry-run to look only\n");
  return answer === true;
}

function printPlan(io: Io, workspace: Workspace, place: string, steps: readonly ImportStep[]): void {
  const of = (kind: ImportStep["kind"]): number => steps.filter((step) => step.kind === kind).length;
  line(io, `${place}: ${of("add")} to add, ${of("merge")} to merge, ${of("refuse")} refused`);
  for (const step of steps) {
    const { candidate } = step;
    const width = Math.max(40, io.width - 14);
    if (step.kind === "refuse") line(io, `  ${paint(io, "yellow", "refused")}  ${truncate(shown(candidate.name), 50)}: ${truncate(step.why, width)}`);
    else line(io, `  ${paint(io, "green", step.kind === "add" ? "add    " : "merge  ")}  ${paint(io, "dim", candidate.type)}  ${truncate(shown(candidate.description), width)}${step.kind === "merge" ? ` (${count(step.lines.length, "line")} into ${shownRef(workspace, step.into)})` : ""}`);
  }
}

function planJson(workspace: Workspace, kind: ImportKind, place: string, steps: readonly ImportStep[], done: readonly ImportedNote[]): unknown {
  return {
    from: kind,
    place,
    plan: steps.map((step) => ({
      action: step.kind,
      origin: shown(step.candidate.origin),
      type: step.candidate.type,
      name: shown(step.candidate.name),
      description: shown(step.candidate.description),
      ...(step.kind === "refuse" ? { reason: step.reason, why: step.why } : {}),
      ...(step.kind === "merge" ? { into: shownRef(workspace, step.into), lines: step.lines.length } : {}),
    })),
    imported: done.map(({ kind: action, ref }) => ({ action, file: shownRef(workspace, ref) })),
  };
}

/** What is refused is shown too: without its secrets, and as a reader sees it. */
function shown(text: string): string {
  return redactTokens(stripHidden(oneLine(text)));
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
