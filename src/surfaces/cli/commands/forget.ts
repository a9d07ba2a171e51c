import { noteInTime } from "../../../app/notes/find-note.ts";
import { forgetNote, otherNames } from "../../../app/care/forget.ts";
import { wordsStay } from "../../../app/notes/log-entry.ts";
import { shownRef } from "../../../app/workspace/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line } from "../io.ts";
import { counted, receiptId } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const [reference] = invocation.positionals;
  if (reference === undefined)
    throw new UsageError("forget needs a note: `memdir forget NOTE`; `memdir list` lists the names");
  const ref = noteInTime(workspace, reference); // a removed note still has a past to purge
  const others = otherNames(workspace, ref);
  if (!invocation.flag("yes")) {
    io.ifInterrupted("nothing was forgotten");
    const answer = await io.confirm(
      `Purge ${[shownRef(workspace, ref), ...others].join(" and ")} everywhere, its history included? This cannot be undone.`,
    );
    if (answer === undefined) throw new UsageError("forget cannot be undone: add --yes to agree without a terminal");
    if (!answer) {
      line(io, "nothing forgotten");
      return EXIT.ok;
    }
  }
  const elsewhere = wordsStay(workspace, ref);
  const receipt = forgetNote(workspace, ref);
  const told = [
    ...(others.length > 0 ? [`With it went ${others.join(", ")}, which was merged with it.`] : []),
    ...(receipt.waiting ?? []).map(
      (scope) => `The ${scope} scope is read-only; memdir purges what it holds of the note when its mode allows that.`,
    ),
    ...(elsewhere === undefined ? [] : [elsewhere]),
  ];
  const [id = receipt.id, ...joined] = receipt.lineages?.map(receiptId) ?? [];
  const ids = [id, ...joined].join(", ");
  if (invocation.flag("json")) json(io, { ...receipt, elsewhere });
  else
    line(
      io,
      `forgotten: receipt ${ids} (${counted(receipt.purged.versions, "version")} purged). The agent's own transcripts are not memdir's and stay as they are.${told.map((sentence) => ` ${sentence}`).join("")}`,
    );
  return EXIT.ok;
}
