import { restore } from "../../../core/memory/supersede.ts";
import { shownRef } from "../../../core/memory/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { json, line } from "../io.ts";
import { noteInTime } from "./note-in-time.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [reference] = invocation.positionals;
  if (reference === undefined) throw new UsageError("restore needs a note: `memdir restore NOTE`; `memdir list --all` shows superseded ones, `memdir history` removed ones");
  const workspace = invocation.workspace();
  const ref = noteInTime(workspace, reference);
  const result = restore(workspace, ref);
  if (invocation.flag("json")) json(invocation.io, result);
  else line(invocation.io, result.outcome === "unchanged" ? `${shownRef(workspace, ref)} is in force; there is nothing to restore` : `restored ${shownRef(workspace, ref)}, which was ${result.was}`);
  return EXIT.ok;
}
