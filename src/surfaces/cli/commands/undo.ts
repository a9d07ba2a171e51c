import { undo } from "../../../core/memory/versions.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT } from "../exit.ts";
import { json, line } from "../io.ts";
import { noteInTime, noteOrVersion } from "./note-in-time.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const { reference, id } = noteOrVersion(invocation);
  const ref = reference === undefined ? undefined : noteInTime(workspace, reference);
  const scoped = ref?.scoped ?? workspace.stores[0];
  if (scoped === undefined) throw new MemoryError("not-found", "there are no notes here, so nothing to undo");
  const result = undo(workspace, scoped, ref?.file, id);
  if (invocation.flag("json")) json(io, result);
  switch (result.outcome) {
    case "nothing":
      if (!invocation.flag("json")) io.err(`memdir: ${result.message}\n`);
      return EXIT.notFound;
    case "conflict":
      if (!invocation.flag("json")) io.err(`memdir: ${result.files.join(", ")} changed again since version ${result.version.id}; nothing was undone. \`memdir diff\` shows what, \`memdir show NOTE --version ID\` an older text\n`);
      return EXIT.conflict;
    case "undone":
      if (!invocation.flag("json")) {
        line(io, `undone: version ${result.version.id} (${result.version.reason})`);
        for (const change of result.changes) line(io, `  ${change.outcome === "kept-both" ? `both kept: ${change.file} and ${change.conflict}` : `${change.file}: ${change.outcome === "deleted" ? "taken away" : "as before"}`}`);
      }
      return EXIT.ok;
  }
}
