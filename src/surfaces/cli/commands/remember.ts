import { remember } from "../../../core/memory/remember.ts";
import { shownRef } from "../../../core/memory/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT } from "../exit.ts";
import { json, line } from "../io.ts";
import { headroomLine } from "./note-lines.ts";
import { noteScope, noteType } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const type = noteType(invocation.option("type"));
  const scope = noteScope(invocation.option("scope"));
  const name = invocation.option("name");
  const description = invocation.option("description");
  const words = invocation.positionals.join(" ");
  const body = words === "" || words === "-" ? await io.readInput() : words;
  const workspace = invocation.workspace();
  const result = await remember(workspace, { body, ...(type && { type }), ...(scope && { scope }), ...(name !== undefined && { name }), ...(description !== undefined && { description }), ...(invocation.flag("force") && { insist: true }) });
  if (result.outcome === "refused") {
    if (invocation.flag("json")) json(io, result);
    else io.err(`memdir: refused: ${result.message}\n`);
    return EXIT.refused;
  }
  const { file, scoped } = result.ref;
  const shown = shownRef(workspace, result.ref);
  if (result.outcome === "similar") {
    if (invocation.flag("json")) json(io, { file, scope: scoped.scope, outcome: result.outcome, says: result.says });
    else io.err(`memdir: ${shown} says nearly this: "${result.says}"; nothing was written. Change it with \`memdir edit ${shown}\`, or write a second note with --force or a --name of its own\n`);
    return EXIT.conflict;
  }
  if (invocation.flag("json")) json(io, { file, scope: scoped.scope, outcome: result.outcome, ...(result.outcome === "created" && { headroom: result.headroom }) });
  else if (result.outcome === "known") line(io, `remembered already: ${shown} (\`memdir edit ${shown}\` changes it, --force writes a second note)`);
  else line(io, `remembered: ${shown} (${headroomLine(result.headroom)})`);
  return EXIT.ok;
}
