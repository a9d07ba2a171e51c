import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { identifyProject } from "../../core/notes/project.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { groupLocation, type Locations } from "./locations.ts";
import { countNotes } from "./note-count.ts";
import { checkName, groupOf, readScopeSettings, writeGroups } from "./scope-settings.ts";

export interface ListedGroup {
  readonly name: string;
  readonly directory: string;
  readonly projects: readonly string[];
  readonly notes: number;
}

export function listGroups({ memdirHome }: Locations): readonly ListedGroup[] {
  return readScopeSettings(memdirHome).groups.map(({ name, projects }) => {
    const { directory } = groupLocation(memdirHome, name);
    return { name, projects, directory, notes: countNotes(directory) };
  });
}

/**
 * Puts projects into a group or takes them out; none given is the present one for `add`, all for `remove`.
 * @throws MemoryError `conflict` for a project that is in another group, `not-found` for what is not there.
 */
export function changeGroup(
  locations: Locations,
  what: "add" | "remove",
  name: string,
  directories: readonly string[],
): void {
  const { memdirHome } = locations;
  const settings = readScopeSettings(memdirHome);
  checkName(name, "the name of a group");
  const known = settings.groups.find((group) => group.name === name);
  const others = settings.groups.filter((group) => group.name !== name);
  if (what === "remove") {
    if (known === undefined)
      throw new MemoryError("not-found", `there is no group ${name}; \`memdir group list\` shows them`);
    const gone = new Set(directories.map((directory) => rootOf(locations, directory, false)));
    const stay = directories.length === 0 ? [] : known.projects.filter((project) => !gone.has(project));
    if (directories.length > 0 && stay.length === known.projects.length)
      throw new MemoryError("not-found", `${[...gone].join(", ")} is not in the group ${name}`);
    writeGroups(memdirHome, stay.length === 0 ? others : [...others, { name, projects: stay }]);
    return;
  }
  const added =
    directories.length === 0
      ? [ownRoot(locations)]
      : directories.map((directory) => rootOf(locations, directory, true));
  for (const root of added) {
    const other = groupOf({ ...settings, groups: others }, root);
    if (other !== undefined)
      throw new MemoryError(
        "conflict",
        `${root} is in the group ${other.name}; take it out first: \`memdir group remove ${other.name} '${root}'\``,
      );
  }
  writeGroups(
    memdirHome,
    [...others, { name, projects: [...new Set([...(known?.projects ?? []), ...added])].toSorted() }].toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    ),
  );
}

function ownRoot({ project }: Locations): string {
  if (project === undefined)
    throw new MemoryError("invalid-input", "groups are of projects; they have no meaning with --dir");
  return project.root;
}

function rootOf({ pathRules }: Locations, directory: string, mustExist: boolean): string {
  if (!fs.existsSync(directory)) {
    if (!mustExist) return directory; // a project that is gone can still leave its group
    throw new MemoryError("not-found", `${directory} is not a directory`);
  }
  return identifyProject(fs.realpathSync(path.resolve(directory)), nodeFiles, pathRules).root;
}
