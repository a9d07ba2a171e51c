import { noteScope } from "../../../app/notes/gate.ts";
import { noteNamed } from "../../../app/notes/find-note.ts";
import { nextScope } from "../../../app/transfer/transfers.ts";
import type { Invocation } from "../command.ts";
import { UsageError } from "../io.ts";
import { moveAndSay } from "./mv.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [reference] = invocation.positionals;
  if (reference === undefined) throw new UsageError("promote needs a note: `memdir promote NOTE [--to SCOPE]`");
  const to =
    noteScope(invocation.option("to")) ??
    nextScope(noteNamed(invocation.workspace(), reference).scoped.scope, "promote");
  return moveAndSay(invocation, reference, to);
}
