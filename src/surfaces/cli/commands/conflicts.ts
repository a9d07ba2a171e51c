import { noteReference } from "../../../core/shared/note-reference.ts";
import { noteNamed } from "../../../app/notes/find-note.ts";
import { type CopyConflict, findCopies, hasCopies, keepText } from "../../../app/sync/conflict-copies.ts";
import { type Conflict, findConflicts, keepBoth, keepNote } from "../../../app/dream/conflicts.ts";
import { type NoteRef, shownRef, type Workspace } from "../../../app/workspace/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line, unknownAction } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const [what, reference] = invocation.positionals;
  if (what === undefined) return list(invocation, findConflicts(workspace), findCopies(workspace));
  if (what !== "keep" && what !== "both") throw unknownAction(what, ["keep", "both"]);
  if (reference === undefined)
    throw new UsageError(`conflicts ${what} needs a note: \`memdir conflicts ${what} NOTE\``);
  const ref = noteNamed(workspace, reference);
  if (hasCopies(ref)) return settleCopies(invocation, workspace, ref, what);
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

/** Of several texts of one note, only one can keep its name. */
function settleCopies({ io, flag }: Invocation, workspace: Workspace, ref: NoteRef, what: "keep" | "both"): number {
  const note = shownRef(workspace, ref);
  if (what === "both")
    throw new UsageError(
      `${note} and its conflict copy are two texts of one note: \`memdir conflicts keep NOTE\`, or give the copy a name of its own with \`memdir mv COPY NAME\``,
    );
  const others = keepText(workspace, ref).map((other) => shownRef(workspace, other));
  if (flag("json")) json(io, { settled: what, note, others });
  else line(io, `the text of ${note} holds; ${others.join(", ")}: settled (\`memdir undo\` takes it back)`);
  return EXIT.ok;
}

/** Conflicts listed at once; settling some shows the next ones. */
const MOST_LISTED = 100;

function list({ io, flag }: Invocation, conflicts: readonly Conflict[], found: readonly CopyConflict[]): number {
  const copies = found.map(({ scoped: { scope }, note, copy, isAlone }) => ({
    scope,
    note: noteReference({ scope, file: note }),
    copy: noteReference({ scope, file: copy }),
    alone: isAlone,
  }));
  const named = conflicts.slice(0, MOST_LISTED).map(({ scoped: { scope }, newer, older, reason, others, more }) => ({
    scope,
    newer: noteReference({ scope, file: newer }),
    older: noteReference({ scope, file: older }),
    reason,
    ...(others.length > 0 && { others: others.map((file) => noteReference({ scope, file })), more }),
  }));
  const left = conflicts.length - named.length;
  if (flag("json")) json(io, { conflicts: named, omitted: left, copies });
  else if (named.length + copies.length === 0) line(io, "no notes contradict each other");
  else {
    printCopies(io, copies);
    if (named.length === 0) return EXIT.ok;
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

function printCopies(
  io: Invocation["io"],
  copies: readonly { readonly note: string; readonly copy: string; readonly alone: boolean }[],
): void {
  for (const { note, copy, alone } of copies) {
    line(io, `${note} and ${copy}`);
    line(
      io,
      alone
        ? "  the note was removed; the copy is the other text of it"
        : "  two texts of one note: both sides changed the same lines",
    );
  }
  if (copies.length > 0)
    line(
      io,
      "\nread both with `memdir show`, then settle with `memdir conflicts keep NOTE` or `keep COPY` (this text holds, the other goes), or edit the note and run `memdir remove COPY`\n",
    );
}
