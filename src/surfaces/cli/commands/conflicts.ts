import { noteNamed } from "../../../app/notes/find-note.ts";
import { type Conflict, findConflicts, keepBoth, keepNote } from "../../../app/dream/conflicts.ts";
import { shownRef, type Workspace } from "../../../app/workspace/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const [what, reference] = invocation.positionals;
  if (what === undefined) return list(invocation, findConflicts(workspace));
  if (what !== "keep" && what !== "both")
    throw new UsageError(`unknown action "${what}"; use keep or both, or nothing to list conflicts`);
  if (reference === undefined)
    throw new UsageError(`conflicts ${what} needs a note: \`memdir conflicts ${what} NOTE\``);
  const ref = noteNamed(workspace, reference);
  const others = (what === "keep" ? keepNote : keepBoth)(workspace, ref).map((other) => shownRef(workspace, other));
  const note = shownRef(workspace, ref);
  if (invocation.flag("json")) json(io, { settled: what, note, others });
  else if (what === "keep")
    line(
      io,
      `${note} holds; ${others.join(", ")} ${others.length === 1 ? "is" : "are"} superseded (\`memdir restore ${others[0] ?? ""}\` brings it back)`,
    );
  else
    line(
      io,
      `${note} and ${others.join(", ")} both hold; memdir will not ask again (\`memdir undo ${note}\` takes it back)`,
    );
  return EXIT.ok;
}

/** So many are listed at once; settling some shows the next. */
const MOST_LISTED = 100;

function list({ io, flag }: Invocation, conflicts: readonly Conflict[]): number {
  const named = conflicts.slice(0, MOST_LISTED).map(({ scoped, newer, older, reason, others, more }) => ({
    scope: scoped.scope,
    newer: refOf(scoped, newer),
    older: refOf(scoped, older),
    reason,
    ...(others.length > 0 && { others: others.map((file) => refOf(scoped, file)), more }),
  }));
  const left = conflicts.length - named.length;
  if (flag("json")) json(io, { conflicts: named, omitted: left });
  else if (named.length === 0) line(io, "no notes contradict each other");
  else {
    for (const { newer, older, reason, others = [], more = 0 } of named) {
      line(io, `${newer} and ${older}\n  ${reason}`);
      if (others.length > 0) line(io, `  also ${others.join(", ")}${more === 0 ? "" : ` and ${more} more`}`);
    }
    if (left > 0) line(io, `\nand ${counted(left, "conflict")} more, shown when you settle some of these`);
    line(
      io,
      "\nsettle with `memdir conflicts keep NOTE` (the other is superseded) or `memdir conflicts both NOTE` (they do not conflict)",
    );
  }
  return EXIT.ok;
}

function refOf({ scope }: Workspace["stores"][number], file: string): string {
  return scope === "project" ? file : `${scope}:${file}`;
}
