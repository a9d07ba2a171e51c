import path from "node:path";
import { changeGroup, listGroups } from "../../../app/workspace/groups.ts";
import type { Invocation } from "../command.ts";
import { shellWord } from "../../../core/shared/shell-word.ts";
import { EXIT, UsageError, json, line, paint, unknownAction } from "../io.ts";
import { keepWhole, paragraph } from "../wrap.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const [what, name, ...directories] = invocation.positionals;
  const { locations } = invocation.workspace();
  const before = listGroups(locations).find((group) => group.name === name);
  if (what === "add" || what === "remove") {
    if (name === undefined) throw new UsageError(`group ${what} needs a name: \`memdir group ${what} NAME [DIR…]\``);
    const isWhole = what === "remove" && directories.length === 0;
    if (isWhole && !invocation.flag("yes")) {
      const answer = await io.confirm(`Take every project out of the group ${name}? Its notes stay where they are.`);
      if (answer === undefined)
        throw new UsageError(
          "this takes every project out of the group: add --yes to do it without a terminal, or name directories",
        );
      if (!answer) return EXIT.ok;
    }
    changeGroup(
      locations,
      what,
      name,
      directories.map((directory) => path.resolve(locations.cwd, directory)),
    );
  } else if (what !== undefined && what !== "list") throw unknownAction(what, ["list", "add", "remove"]);
  const groups = listGroups(locations);
  const left =
    before !== undefined && before.notes > 0 && !groups.some((group) => group.name === before.name)
      ? { directory: before.directory, notes: before.notes }
      : undefined;
  if (invocation.flag("json")) json(io, { groups, ...(left && { left }) });
  else if (groups.length === 0) line(io, "no groups; `memdir group add NAME` puts this project into one");
  else
    for (const group of groups) {
      line(io, `${group.name}  ${group.directory}  ${counted(group.notes, "note")}`);
      for (const project of group.projects) line(io, `  ${project}`);
    }
  if (left && !invocation.flag("json"))
    paragraph(
      io,
      paint(
        io,
        "yellow",
        `${counted(left.notes, "note")} in ${keepWhole(left.directory, [left.directory])} ${left.notes === 1 ? "stays" : "stay"} there and ${left.notes === 1 ? "is" : "are"} no longer read; \`memdir group add ${shellWord(before?.name ?? "")}\` reads them again`,
      ),
    );
  return EXIT.ok;
}
