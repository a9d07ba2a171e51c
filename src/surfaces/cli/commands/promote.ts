import { nextScope } from "../../../core/memory/move.ts";
import { type Invocation, resolveNote } from "../command.ts";
import { UsageError } from "../exit.ts";
import { moveAndSay } from "./mv.ts";
import { noteScope } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [reference] = invocation.positionals;
  if (reference === undefined) throw new UsageError("promote needs a note: `memdir promote NOTE [--to SCOPE]`");
  const to = noteScope(invocation.option("to")) ?? nextScope(resolveNote(invocation.workspace(), reference).scoped.scope, "promote");
  return moveAndSay(invocation, reference, to);
}
