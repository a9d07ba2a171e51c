import { noteInTime } from "../../../app/notes/find-note.ts";
import { restore } from "../../../app/notes/supersede.ts";
import { shownRef } from "../../../app/workspace/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [reference] = invocation.positionals;
  if (reference === undefined)
    throw new UsageError(
      "restore needs a note; `memdir list --all` shows superseded notes, `memdir history` removed ones",
    );
  const workspace = invocation.workspace();
  const ref = noteInTime(workspace, reference);
  const result = restore(workspace, ref);
  if (invocation.flag("json")) json(invocation.io, result);
  else
    line(
      invocation.io,
      result.outcome === "unchanged"
        ? `${shownRef(workspace, ref)} is current; nothing to restore`
        : `restored ${shownRef(workspace, ref)}, which was ${result.was}`,
    );
  return EXIT.ok;
}
