import { undoAnywhere, undoSteps } from "../../../compose/undo.ts";
import { type UndoResult, versionRef } from "../../../core/memory/versions.ts";
import type { ScopedStore } from "../../../core/memory/workspace.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { type Io, json, line } from "../io.ts";
import { noteInTime, noteOrVersion, storeOfVersion } from "./note-in-time.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const wanted = noteOrVersion(invocation);
  const ref = wanted.reference === undefined ? undefined : noteInTime(workspace, wanted.reference);
  const scoped = storeOfVersion(workspace, ref, wanted);
  if (scoped === undefined) throw new MemoryError("not-found", "there are no notes here, so nothing to undo");
  const steps = stepsOf(invocation, wanted.id);
  const results = steps === undefined ? [undoAnywhere(workspace, scoped, ref?.file, wanted.id)] : undoSteps(workspace, scoped, ref?.file, steps);
  if (invocation.flag("json")) json(io, steps === undefined ? results[0] : { steps: results });
  else for (const result of results) print(io, scoped, result);
  return exitOf(results.at(-1));
}

function stepsOf(invocation: Invocation, id: string | undefined): number | undefined {
  const given = invocation.option("steps");
  if (given === undefined) return undefined;
  const steps = Number(given);
  if (!Number.isInteger(steps) || steps < 1) throw new UsageError("--steps takes a whole number from 1 on");
  if (id !== undefined) throw new UsageError("give a version or --steps, not both");
  return steps;
}

function print(io: Io, scoped: ScopedStore, result: UndoResult): void {
  if (result.outcome === "nothing") io.err(`memdir: ${result.message}\n`);
  else if (result.outcome === "conflict") io.err(`memdir: ${result.files.join(", ")} changed again since version ${versionRef(scoped, result.version)}; nothing was undone. \`memdir diff\` shows what, \`memdir show NOTE --version ID\` an older text\n`);
  else {
    line(io, `undone: version ${versionRef(scoped, result.version)} (${result.version.reason})`);
    for (const change of result.changes) line(io, `  ${change.outcome === "kept-both" ? `both kept: ${change.file} and ${change.conflict}` : `${change.file}: ${change.outcome === "deleted" ? "taken away" : "as before"}`}`);
  }
}

function exitOf(result: UndoResult | undefined): number {
  if (result === undefined || result.outcome === "undone") return EXIT.ok;
  return result.outcome === "conflict" ? EXIT.conflict : EXIT.notFound;
}
