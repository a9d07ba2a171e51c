import path from "node:path";
import { counted } from "../../core/shared/text.ts";
import { isClaudeHere, type Locations } from "../workspace/locations.ts";
import { countNotes } from "../workspace/note-count.ts";

export interface ProjectFinding {
  readonly kind: "two-stores" | "stayed-behind" | "no-checkout" | "slugs-collide";
  readonly message: string;
  readonly remedy: string;
}

/** Notes in memdir's own directory of a project for which Claude Code has a directory. */
export function stayedFinding({
  notes,
  directory,
}: {
  readonly notes: number;
  readonly directory: string;
}): ProjectFinding {
  return {
    kind: "stayed-behind",
    message: `${counted(notes, "note")} stayed in ${directory} when Claude Code arrived; memdir uses them, Claude Code does not see them`,
    remedy: `memdir project merge '${directory}'`,
  };
}

/** Notes of the current project that stayed in memdir's own directory although Claude Code is installed. */
export function stayedBehind(locations: Locations): ProjectFinding | undefined {
  const own = locations.stores.find(({ scope }) => scope === "project")?.directory;
  const ours =
    locations.project === undefined
      ? undefined
      : path.join(locations.memdirHome, "projects", locations.project.slug, "memory");
  if (own === undefined || ours === undefined || !isClaudeHere(locations.environment, locations.configDirectory))
    return undefined;
  const notes = countNotes(ours);
  if (notes === 0) return undefined;
  if (own === ours) return stayedFinding({ directory: ours, notes });
  return {
    kind: "stayed-behind",
    message: `${counted(notes, "note")} of this project stayed in ${ours} when Claude Code arrived and are not read`,
    remedy: `memdir project merge '${ours}'`,
  };
}
