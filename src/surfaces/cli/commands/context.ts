import { sessionContext } from "../../../core/memory/context.ts";
import type { Invocation } from "../command.ts";
import { EXIT } from "../exit.ts";
import { json, line, paint } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const sections = sessionContext(workspace);
  if (invocation.flag("json")) {
    json(io, { mode: workspace.mode, sections });
    return EXIT.ok;
  }
  if (sections.length === 0) line(io, workspace.mode === "off" ? `memory is off (${workspace.locations.modeReason ?? ""})` : "nothing yet: no notes in any scope");
  for (const { scope, kind, path, text } of sections) {
    line(io, paint(io, "bold", `# ${kind === "index" ? "Memory index" : "Pinned note"} (${scope}): ${path}`));
    line(io, `${text}\n`);
  }
  return EXIT.ok;
}
