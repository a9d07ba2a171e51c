import { remove } from "../../../app/notes/revise.ts";
import { type Invocation, requireNote } from "../command.ts";
import { reportChange } from "./note-lines.ts";

export async function run(invocation: Invocation): Promise<number> {
  const ref = requireNote(invocation, "remove");
  return reportChange(
    invocation.io,
    invocation.flag("json"),
    remove(ref),
    "removed",
    " (`memdir undo` brings it back)",
  );
}
