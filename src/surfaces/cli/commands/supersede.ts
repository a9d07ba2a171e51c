import { noteNamed } from "../../../app/notes/find-note.ts";
import { supersede } from "../../../app/notes/supersede.ts";
import { shownRef } from "../../../app/workspace/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [first, second] = invocation.positionals;
  if (first === undefined || second === undefined)
    throw new UsageError("supersede needs the old note and the new one: `memdir supersede OLD NEW`");
  const workspace = invocation.workspace();
  const old = noteNamed(workspace, first);
  const by = noteNamed(workspace, second);
  supersede(workspace, old, by);
  if (invocation.flag("json"))
    json(invocation.io, { superseded: shownRef(workspace, old), by: shownRef(workspace, by) });
  else
    line(
      invocation.io,
      `${shownRef(workspace, old)} is superseded by ${shownRef(workspace, by)}: it stays in history and leaves recall (\`memdir restore ${shownRef(workspace, old)}\` brings it back)`,
    );
  return EXIT.ok;
}
