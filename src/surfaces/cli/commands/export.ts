import path from "node:path";
import { exportAll } from "../../../app/transfer/export.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { json, line } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [target] = invocation.positionals;
  if (target === undefined || target.trim() === "")
    throw new UsageError("export needs a place: `memdir export notes.tar.gz`, or a directory");
  const workspace = invocation.workspace();
  const done = exportAll(workspace, path.resolve(workspace.locations.cwd, target), { all: invocation.flag("all") });
  if (invocation.flag("json")) json(invocation.io, done);
  else {
    for (const { scope, name, notes, versions } of done.stores)
      line(invocation.io, `${scope} ${name}: ${counted(notes, "note")}, ${counted(versions, "version")}`);
    line(invocation.io, `exported ${counted(done.files, "file")}, ${done.bytes} bytes: ${done.path}`);
  }
  return EXIT.ok;
}
