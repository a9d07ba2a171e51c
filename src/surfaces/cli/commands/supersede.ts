import { supersede } from "../../../core/memory/supersede.ts";
import { shownRef } from "../../../core/memory/workspace.ts";
import { type Invocation, resolveNote } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { json, line } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [first, second] = invocation.positionals;
  if (first === undefined || second === undefined) throw new UsageError("supersede needs the old note and the new one: `memdir supersede OLD NEW`");
  const workspace = invocation.workspace();
  const old = resolveNote(workspace, first);
  const by = resolveNote(workspace, second);
  supersede(workspace, old, by);
  if (invocation.flag("json")) json(invocation.io, { superseded: shownRef(workspace, old), by: shownRef(workspace, by) });
  else line(invocation.io, `${shownRef(workspace, old)} is superseded by ${shownRef(workspace, by)}: it keeps its text and leaves recall (\`memdir restore ${shownRef(workspace, old)}\` brings it back)`);
  return EXIT.ok;
}
