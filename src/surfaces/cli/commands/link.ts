import { linkStore } from "../../../app/workspace/aliases.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [target] = invocation.positionals;
  if (target === undefined)
    throw new UsageError(
      "link needs the directory of the notes to use: `memdir link DIR`; `memdir status` shows candidates",
    );
  const { locations } = invocation.workspace();
  if (!invocation.flag("yes")) {
    const answer = await io.confirm(
      `Use the notes in ${target} for ${locations.project?.root ?? "this project"}? memdir puts a link in the place of this project's notes.`,
    );
    if (answer === undefined)
      throw new UsageError("link changes where this project's notes are: add --yes to agree without a terminal");
    if (!answer) return EXIT.ok;
  }
  const link = linkStore(locations, target);
  if (invocation.flag("json")) json(io, link);
  else line(io, `linked: ${link.link} -> ${link.directory}`);
  return EXIT.ok;
}
