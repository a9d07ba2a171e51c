import { wordsStay } from "../../../core/memory/log-entry.ts";
import { forget } from "../../../core/memory/revise.ts";
import { shownRef } from "../../../core/memory/workspace.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { json, line } from "../io.ts";
import { noteInTime } from "./note-in-time.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const [reference] = invocation.positionals;
  if (reference === undefined) throw new UsageError("forget needs a note: `memdir forget NOTE`, with a name from `memdir list`");
  const ref = noteInTime(workspace, reference); // a removed note still has a past to purge
  if (!invocation.flag("yes")) {
    const answer = await io.confirm(`Purge ${shownRef(workspace, ref)} everywhere, its history included? This cannot be undone.`);
    if (answer === undefined) throw new UsageError("forget cannot be undone: add --yes to do it without a terminal");
    if (!answer) {
      line(io, "nothing was forgotten");
      return EXIT.ok;
    }
  }
  const elsewhere = wordsStay(workspace, ref);
  const receipt = forget(workspace, ref);
  if (receipt === undefined) throw new MemoryError("not-found", `there is no note ${ref.file}`);
  if (invocation.flag("json")) json(io, { ...receipt, ...(elsewhere !== undefined && { elsewhere }) });
  else line(io, `forgotten: receipt ${receipt.id} (${counted(receipt.purged.versions, "version")} purged). Transcripts that the agent itself keeps are not memdir's and are not touched.${elsewhere === undefined ? "" : ` ${elsewhere}`}`);
  return EXIT.ok;
}
