import { noteReference } from "../../../core/shared/note-reference.ts";
import { noteNamed } from "../../../app/notes/find-note.ts";
import { checkLine } from "../../../app/recall/verify-notes.ts";
import type { Check } from "../../../core/notes/claims/claim.ts";
import { type VerifiedNote, verifyNotes } from "../../../app/recall/verify-notes.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, type Io, json, line, paint } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

const COLORS = { gone: "red", renamed: "yellow", holds: "green", unchecked: "dim" } as const;

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const [reference] = invocation.positionals;
  const result = verifyNotes(workspace, reference === undefined ? undefined : noteNamed(workspace, reference));
  if (result === undefined)
    throw new MemoryError(
      "not-found",
      "the current directory no longer exists, so memdir cannot check notes against a working tree; change to the project and try again",
    );
  const stale = result.notes.filter(({ checks }) => checks.some(isStale));
  const counts = countVerdicts(result.notes);
  if (invocation.flag("json")) {
    json(io, { notes: result.notes, stale: stale.map(({ scope, file }) => ({ scope, file })), counts });
    return EXIT.ok;
  }
  const all = invocation.flag("all");
  for (const note of all ? result.notes : stale) printNote(io, note, all ? note.checks : note.checks.filter(isStale));
  const { gone, renamed, holds, unchecked } = counts;
  line(
    io,
    `${counted(result.count, "note")}, ${counted(gone + renamed + holds + unchecked, "claim")}: ${gone} gone, ${renamed} renamed, ${holds} hold, ${unchecked} unchecked${all || unchecked + holds === 0 ? "" : "; `--all` shows all"}`,
  );
  return EXIT.ok;
}

function isStale({ verdict }: Check): boolean {
  return verdict === "gone" || verdict === "renamed";
}

function countVerdicts(notes: readonly VerifiedNote[]): Readonly<Record<Check["verdict"], number>> {
  const counts = { gone: 0, renamed: 0, holds: 0, unchecked: 0 };
  for (const { checks } of notes) for (const { verdict } of checks) counts[verdict]++;
  return counts;
}

function printNote(io: Io, note: VerifiedNote, checks: readonly Check[]): void {
  line(io, paint(io, "bold", noteReference(note)));
  for (const check of checks) line(io, `  ${paint(io, COLORS[check.verdict], checkLine(check))}`);
}
