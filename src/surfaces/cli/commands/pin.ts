import { pin } from "../../../app/notes/revise.ts";
import { type Invocation, requireNote } from "../command.ts";
import { reportChange } from "./note-lines.ts";

export async function run(invocation: Invocation): Promise<number> {
  const ref = requireNote(invocation, "pin");
  const pinned = !invocation.flag("off");
  return reportChange(
    invocation.io,
    invocation.flag("json"),
    pin(invocation.workspace(), ref, pinned),
    pinned ? "pinned" : "unpinned",
  );
}
