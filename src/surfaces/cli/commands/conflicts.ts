import { type Conflict, findConflicts, keepBoth, keepNote } from "../../../core/memory/conflicts.ts";
import { shownRef, type Workspace } from "../../../core/memory/workspace.ts";
import { type Invocation, resolveNote } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { json, line } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const [what, reference] = invocation.positionals;
  if (what === undefined) return list(invocation, findConflicts(workspace));
  if (what !== "keep" && what !== "both") throw new UsageError(`conflicts knows keep and both, not "${what}"; without a word it lists them`);
  if (reference === undefined) throw new UsageError(`conflicts ${what} needs a note: \`memdir conflicts ${what} NOTE\``);
  const ref = resolveNote(workspace, reference);
  const others = (what === "keep" ? keepNote : keepBoth)(workspace, ref).map((other) => shownRef(workspace, other));
  const note = shownRef(workspace, ref);
  if (invocation.flag("json")) json(io, { settled: what, note, others });
  else if (what === "keep") line(io, `${note} holds; ${others.join(", ")} ${others.length === 1 ? "is" : "are"} superseded (\`memdir restore ${others[0] ?? ""}\` brings it back)`);
  else line(io, `${note} and ${others.join(", ")} both hold; it is not asked again (\`memdir undo ${note}\` takes that back)`);
  return EXIT.ok;
}

function list({ io, flag }: Invocation, conflicts: readonly Conflict[]): number {
  const named = conflicts.map(({ scoped, newer, older, reason }) => ({ scope: scoped.scope, newer: refOf(scoped, newer), older: refOf(scoped, older), reason }));
  if (flag("json")) json(io, { conflicts: named });
  else if (named.length === 0) line(io, "no notes contradict one another");
  else {
    for (const { newer, older, reason } of named) line(io, `${newer} and ${older}\n  ${reason}`);
    line(io, "\nsettle with `memdir conflicts keep NOTE` (the other is superseded) or `memdir conflicts both NOTE` (it is no conflict)");
  }
  return EXIT.ok;
}

function refOf({ scope }: Workspace["stores"][number], file: string): string {
  return scope === "project" ? file : `${scope}:${file}`;
}
