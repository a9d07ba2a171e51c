import { noteReference } from "../../../core/shared/note-reference.ts";
import { noteInTime } from "../../../app/notes/find-note.ts";
import { lastChangedStore, undoAnywhere, undoSteps } from "../../../app/transfer/undo.ts";
import {
  lastUndo,
  nextStep,
  originOf,
  type UndoResult,
  undoingOf,
  versionRef,
  versionsOf,
} from "../../../app/notes/versions.ts";
import type { ChangeOutcome } from "../../../core/notes/store.ts";
import type { NoteRef, ScopedStore } from "../../../app/workspace/workspace.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line } from "../io.ts";
import { noteOrVersion, storeOfVersion, countOption } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const wanted = noteOrVersion(invocation);
  const ref = wanted.reference === undefined ? undefined : noteInTime(workspace, wanted.reference);
  const isBare = ref === undefined && wanted.id === undefined;
  const scoped = isBare ? lastChangedStore(workspace) : storeOfVersion(workspace, ref, wanted);
  if (scoped === undefined) throw new MemoryError("not-found", "no notes here, so nothing to undo");
  const steps = stepsOf(invocation, wanted.id);
  const results =
    steps === undefined
      ? [undoAnywhere(workspace, scoped, ref?.file, wanted.id)]
      : undoSteps(workspace, scoped, ref?.file, steps);
  if (invocation.flag("json")) json(io, steps === undefined ? results[0] : { steps: results });
  else {
    for (const result of results) printUndo(io, scoped, result);
    if (results.at(-1)?.outcome === "undone") printNext(io, scoped, ref, results.length);
  }
  return exitOf(results.at(-1));
}

function stepsOf(invocation: Invocation, id: string | undefined): number | undefined {
  const steps = countOption(invocation, "steps");
  if (steps !== undefined && id !== undefined) throw new UsageError("give a version or --steps, not both");
  return steps;
}

/** What the same command would do next, so that the user need not guess its direction. */
function printNext(io: Io, scoped: ScopedStore, ref: NoteRef | undefined, count: number): void {
  const note = ref === undefined ? "" : ` ${noteReference({ scope: scoped.scope, file: ref.file })}`;
  const before = nextStep(scoped, ref?.file);
  const further =
    before === undefined
      ? ""
      : `; \`memdir undo${note} --steps 1\` goes on to version ${versionRef(scoped, before)} (${before.reason})`;
  const isUndone = lastUndo(scoped, ref?.file) !== undefined;
  const next = isUndone
    ? `\`memdir redo${note}\`${count === 1 ? " (or undo again)" : ""} redoes it`
    : `\`memdir undo${note}\` undoes it again`;
  line(io, `next: ${next}${isUndone ? further : ""}`);
}

/** Prints the outcome of an undo or a redo. */
export function printUndo(io: Io, scoped: ScopedStore, result: UndoResult, verb?: string): void {
  if (result.outcome === "nothing") io.err(`memdir: ${result.message}\n`);
  else if (result.outcome === "conflict")
    io.err(
      `memdir: ${result.files.join(", ")} changed again since version ${versionRef(scoped, result.version)}; nothing was undone. \`memdir diff\` shows what, \`memdir show NOTE --version ID\` an older text\n`,
    );
  else {
    const versions = versionsOf(scoped);
    const origin = originOf(versions, result.version);
    const isRedo = verb === undefined && undoingOf(versions, result.version).again;
    line(
      io,
      isRedo
        ? `redone: version ${versionRef(scoped, origin)} (its undo, version ${versionRef(scoped, result.version)}, was undone)`
        : `${verb ?? "undone"}: version ${versionRef(scoped, origin)} (${origin.reason})`,
    );
    for (const change of result.changes) line(io, `  ${fate(scoped, change, isRedo || verb !== undefined)}`);
  }
}

/** What became of a note: a change that was made again may have put it out of force again. */
function fate({ store }: ScopedStore, change: ChangeOutcome, again: boolean): string {
  const { outcome, file } = change;
  if (outcome === "kept-both") return `both kept: ${file} and ${change.conflict}`;
  if (outcome === "deleted") return `${file}: removed`;
  if (!again) return `${file}: as before`;
  if (outcome === "created") return `${file}: there again`;
  return `${file}: ${store.index.entry(file)?.supersededBy === undefined ? "changed again" : "superseded again"}`;
}

export function exitOf(result: UndoResult | undefined): number {
  if (result === undefined || result.outcome === "undone") return EXIT.ok;
  return result.outcome === "conflict" ? EXIT.conflict : EXIT.notFound;
}
