import type { Unfinished } from "../checkpoints/unfinished.ts";
import { label } from "../recall/defuse.ts";
import { fenced } from "../recall/fence.ts";

/** One line in its frame; the same task gives the same bytes. */
export function unfinishedText({ id, name, saved, branch, isAutomatic }: Unfinished): string {
  const when = `${saved.slice(0, 16).replace("T", " ")} UTC${branch === undefined ? "" : ` on ${label(branch, 80)}`}`;
  return fenced("unfinished-task", [
    `An earlier session left the task "${label(name, 80)}" unfinished (checkpoint ${id}, saved${isAutomatic ? " by itself" : ""} ${when}). To go on with it: \`memdir checkpoint restore ${id}\`; to hear no more of it: \`memdir checkpoint dismiss ${id}\`.`,
  ]);
}
