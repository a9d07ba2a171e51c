import { noteScope } from "../../../app/notes/gate.ts";
import { noteNamed } from "../../../app/notes/find-note.ts";
import { nextScope } from "../../../app/transfer/transfers.ts";
import type { Invocation } from "../command.ts";
import { UsageError } from "../io.ts";
import { moveAndSay } from "./mv.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [reference] = invocation.positionals;
  if (reference === undefined) throw new UsageError("demote needs a note: `memdir demote NOTE [--to SCOPE]`");
  const to =
    noteScope(invocation.option("to")) ??
    nextScope(noteNamed(invocation.workspace(), reference).scoped.scope, "demote");
  return moveAndSay(invocation, reference, to);
}
