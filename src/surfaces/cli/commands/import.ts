import { revokeGuard } from "../../../app/guards/guard-approval.ts";
import { isArchive } from "../../../app/transfer/read-archive.ts";
import { importDays, type ImportedDays } from "../../../app/transfer/import-days.ts";
import { readDb0, readImportSource } from "../../../app/transfer/import-sources.ts";
import type { OpenWorkspace } from "../../../app/workspace/open-workspace.ts";
import {
  IMPORT_KINDS,
  type ImportCandidate,
  type ImportKind,
  type SkippedPiece,
} from "../../../app/transfer/candidate.ts";
import { candidatesIn } from "../../../app/transfer/candidates-in.ts";
import {
  applyImport,
  extrasOf,
  type ImportedNote,
  type ImportStep,
  planImport,
} from "../../../app/transfer/import-notes.ts";
import { shownRef, type Workspace } from "../../../app/workspace/workspace.ts";
import { stripHidden } from "../../../core/shared/hidden.ts";
import { redactTokens } from "../../../core/shared/sanitize.ts";
import { counted, oneLine, truncate } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [name, place] = invocation.positionals;
  const kind = IMPORT_KINDS.find((one) => one === name);
  if (kind === undefined) {
    if (name !== undefined && (isArchive(name) || /[./\\]/u.test(name)))
      return (await import("./import-archive.ts")).run(invocation);
    throw new UsageError(
      `import needs to know from what: ${IMPORT_KINDS.join(", ")}, or an archive that \`memdir export\` wrote${name === undefined ? "" : `; "${name}" is neither`}`,
    );
  }
  const workspace = invocation.workspace();
  io.ifInterrupted("nothing was imported");
  const source =
    kind === "db0" ? await readDb0(workspace.locations, place) : readImportSource(workspace.locations, kind, place);
  const read = candidatesIn(kind, source.files, workspace.codec);
  const steps = await planImport(workspace, kind, read.candidates);
  const days = await importDays(workspace, kind, source.files, false);
  const skipped = [...source.skipped, ...read.skipped, ...days.skipped];
  const plan: ShownPlan = { kind, place: source.place, steps, skipped, days };
  const asJson = invocation.flag("json");
  if (!asJson) printPlan(io, workspace, plan);
  const isNew = steps.some((step) => step.kind !== "refuse") || days.days.length + days.checkpoints.length > 0;
  const agreed = isNew && !invocation.flag("dry-run") && (invocation.flag("yes") || (await agrees(io, asJson)));
  if (agreed) io.ifInterrupted("what was imported by then stays; the same import again adds the rest");
  const done = agreed ? await applyImport(workspace, steps) : [];
  if (agreed) await importDays(workspace, kind, source.files, true);
  const guarded = withoutConsent(workspace, done);
  if (asJson) json(io, planJson(workspace, plan, done));
  else if (done.length > 0)
    line(io, `imported ${counted(done.length, "note")}; \`memdir undo\` undoes them one by one`);
  else if (invocation.flag("dry-run")) line(io, "nothing was imported: --dry-run only shows the plan");
  if (!asJson)
    for (const note of guarded) line(io, `the guard of ${note} is off; \`memdir guard enable ${note}\` enables it`);
  return EXIT.ok;
}

interface ShownPlan {
  readonly kind: ImportKind;
  readonly place: string;
  readonly steps: readonly ImportStep[];
  readonly skipped: readonly SkippedPiece[];
  readonly days: ImportedDays;
}

/** Imported guards need the user's consent here, even if a guard of that name was approved before. */
function withoutConsent(workspace: OpenWorkspace, done: readonly ImportedNote[]): readonly string[] {
  return done
    .filter(({ candidate }) => extrasOf(workspace, candidate).guarded)
    .map(({ ref }) => {
      const place = workspace.locations.stores.find(({ scope }) => scope === ref.scoped.scope);
      if (place !== undefined) revokeGuard(place, ref.file);
      return shownRef(workspace, ref);
    });
}

async function agrees(io: Io, asJson: boolean): Promise<boolean> {
  const answer = asJson ? undefined : await io.confirm("Import them?");
  if (answer === undefined)
    io.err("memdir: nothing was imported; run it again with --yes, or look first with --dry-run\n");
  return answer === true;
}

function printPlan(io: Io, workspace: Workspace, { place, steps, skipped, days }: ShownPlan): void {
  const of = (kind: ImportStep["kind"]): number => steps.filter((step) => step.kind === kind).length;
  line(
    io,
    `${place}: ${of("add")} to add, ${of("merge")} to merge, ${of("refuse")} refused${skipped.length === 0 ? "" : `, ${skipped.length} skipped`}`,
  );
  for (const step of steps) {
    const { candidate } = step;
    const width = Math.max(40, io.width - 14);
    if (step.kind === "refuse")
      line(
        io,
        `  ${paint(io, "yellow", "refused")}  ${truncate(shown(candidate.name), 50)}: ${truncate(step.why, width)}`,
      );
    else
      line(
        io,
        `  ${paint(io, "green", step.kind === "add" ? "add    " : "merge  ")}  ${paint(io, "dim", candidate.type)}  ${truncate(shown(candidate.description), width)}${step.kind === "merge" ? ` (${counted(step.lines.length, "line")} into ${shownRef(workspace, step.into)})` : extrasText(workspace, candidate)}`,
      );
  }
  const logs = days.days.length === 0 ? [] : [`logs of ${counted(days.days.length, "day")}`];
  const tasks = days.checkpoints.length === 0 ? [] : [counted(days.checkpoints.length, "checkpoint")];
  if (logs.length + tasks.length > 0) line(io, `  also ${[...logs, ...tasks].join(" and ")}`);
  const passed = bySource(skipped);
  for (const { path, lines, why } of passed.slice(0, SKIPPED_SHOWN))
    line(
      io,
      `  ${paint(io, "yellow", "skipped")}  ${shown(path)}${lines.length === 0 ? "" : `, ${lines.length === 1 ? "line" : "lines"} ${someOf(lines)}`}: ${why}`,
    );
  if (passed.length > SKIPPED_SHOWN)
    line(io, paint(io, "dim", `  and ${passed.length - SKIPPED_SHOWN} more; --json lists all`));
}

function extrasText(workspace: Workspace, candidate: ImportCandidate): string {
  const { pinned, guarded } = extrasOf(workspace, candidate);
  const extras = [...(pinned ? ["pinned"] : []), ...(guarded ? ["with a guard, off until you enable it"] : [])];
  return extras.length === 0 ? "" : ` (${extras.join(", ")})`;
}

/** One entry per file and reason. */
function bySource(
  skipped: readonly SkippedPiece[],
): readonly { readonly path: string; readonly why: string; readonly lines: readonly number[] }[] {
  const found = new Map<string, { path: string; why: string; lines: number[] }>();
  for (const { path, line: at, why } of skipped) {
    const one = found.get(`${path}\n${why}`) ?? { path, why, lines: [] };
    found.set(`${path}\n${why}`, one);
    if (at !== undefined) one.lines.push(at);
  }
  return [...found.values()];
}

/** `3, 7, 9 and 20 more`. */
function someOf(lines: readonly number[]): string {
  return `${lines.slice(0, LINES_SHOWN).join(", ")}${lines.length > LINES_SHOWN ? ` and ${lines.length - LINES_SHOWN} more` : ""}`;
}

const LINES_SHOWN = 10;
/** A repository's directory may hold thousands of files that are not notes. */
const SKIPPED_SHOWN = 20;

function planJson(
  workspace: Workspace,
  { kind, place, steps, skipped, days }: ShownPlan,
  done: readonly ImportedNote[],
): unknown {
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
      ...extrasOf(workspace, step.candidate),
    })),
    days: days.days,
    checkpoints: days.checkpoints.map(shown),
    skipped: skipped.map((one) => ({ ...one, path: shown(one.path) })),
    imported: done.map(({ kind: action, ref }) => ({ action, file: shownRef(workspace, ref) })),
  };
}

/** Refused text is shown too, without its secrets and hidden characters. */
function shown(text: string): string {
  return redactTokens(stripHidden(oneLine(text)));
}
