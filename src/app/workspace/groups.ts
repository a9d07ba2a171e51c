import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { identifyProject } from "../../core/notes/project.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { groupLocation, type Locations } from "./locations.ts";
import { countNotes } from "./note-count.ts";
import { checkName, groupOf, readScopeSettings, teamDirectory, writeGroups, writeTeam } from "./scope-settings.ts";
import { yamlFrontmatter } from "../../adapters/yaml/frontmatter.ts";
import { parseNote, shownNote } from "../../core/notes/parse-note.ts";
import { openApprovals } from "./approvals.ts";

export interface TeamPlace {
  readonly directory: string;
  /** In the repository, so reviewable; otherwise private to this machine. */
  readonly inRepository: boolean;
  readonly trusted: boolean;
  /** What the user should review before trusting it. */
  readonly notes: readonly { readonly file: string; readonly description: string }[];
}

export function teamPlace(locations: Locations): TeamPlace {
  const { project, memdirHome, untrustedTeam, stores } = locations;
  const given = project === undefined ? undefined : teamDirectory(readScopeSettings(memdirHome), project.root);
  const directory = untrustedTeam ?? stores.find(({ scope }) => scope === "team")?.directory ?? "";
  return {
    directory,
    inRepository: given !== undefined,
    trusted: untrustedTeam === undefined,
    notes: notesIn(directory),
  };
}

/** Sets the directory of this project's team notes; notes already there wait for `trustTeam`. @throws MemoryError. */
export function useTeamDirectory(locations: Locations, given: string | undefined, approvedAt: string): void {
  const { project, memdirHome } = locations;
  if (project === undefined)
    throw new MemoryError("invalid-input", "a team belongs to a project; it has no meaning with --dir");
  if (given === undefined) {
    writeTeam(memdirHome, project.root, undefined);
    return;
  }
  const directory = path.resolve(project.root, given);
  if (directory === project.root)
    throw new MemoryError(
      "invalid-input",
      "the root of the project cannot hold the notes: all of its Markdown would be notes; use a directory such as .memdir/team",
    );
  if (fs.existsSync(directory) && !fs.statSync(directory).isDirectory())
    throw new MemoryError("invalid-input", `${directory} is a file; a directory of notes is needed`);
  const isNew = notesIn(directory).length === 0;
  nodeFiles.makeDirectory(directory);
  const relative = path.relative(project.root, directory);
  writeTeam(memdirHome, project.root, relative.startsWith("..") ? directory : relative);
  // An empty directory has no notes of others.
  if (isNew) openApprovals(memdirHome, project.root).approve(fs.realpathSync(directory), approvedAt);
}

export function trustTeam({ project, memdirHome, untrustedTeam }: Locations, approvedAt: string): void {
  if (project !== undefined && untrustedTeam !== undefined)
    openApprovals(memdirHome, project.root).approve(untrustedTeam, approvedAt);
}

export function revokeTeam({ project, memdirHome, stores }: Locations): boolean {
  const directory = stores.find(({ scope, inRepository }) => scope === "team" && inRepository === true)?.directory;
  return project !== undefined && directory !== undefined && openApprovals(memdirHome, project.root).revoke(directory);
}

function notesIn(directory: string): TeamPlace["notes"] {
  const entries = directory === "" ? [] : (nodeFiles.list(directory) ?? []);
  return entries
    .filter(({ name, kind }) => kind === "file" && /\.md$/iu.test(name))
    .map(({ name }) => {
      const bytes = nodeFiles.read(path.join(directory, name)) ?? new Uint8Array();
      return { file: name, description: shownNote(parseNote(name, bytes, yamlFrontmatter)).description };
    })
    .filter(({ file }) => file.toUpperCase() !== "MEMORY.MD")
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

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
 * Adds projects to a group or removes them. Default: the current project for `add`, all for `remove`.
 * @throws MemoryError `conflict` for a project that is in another group, `not-found` for something missing.
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
    if (!mustExist) return directory; // a deleted project can still be removed from its group
    throw new MemoryError("not-found", `${directory} is not a directory`);
  }
  return identifyProject(fs.realpathSync(path.resolve(directory)), nodeFiles, pathRules).root;
}
