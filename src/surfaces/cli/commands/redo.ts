import { noteInTime } from "../../../app/notes/find-note.ts";
import { lastChangedStore, redo } from "../../../app/transfer/undo.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { json } from "../io.ts";
import { exitOf, printUndo } from "./undo.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const [reference] = invocation.positionals;
  const ref = reference === undefined ? undefined : noteInTime(workspace, reference);
  const scoped = ref?.scoped ?? lastChangedStore(workspace);
  if (scoped === undefined) throw new MemoryError("not-found", "no notes here, so nothing to redo");
  const result = redo(workspace, scoped, ref?.file);
  if (invocation.flag("json")) json(io, result.outcome === "undone" ? { ...result, outcome: "redone" } : result);
  else printUndo(io, scoped, result, "redone");
  return exitOf(result);
}
