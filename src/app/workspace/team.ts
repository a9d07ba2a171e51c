import fs from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { yamlFrontmatter } from "../../adapters/yaml/frontmatter.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { shownNote } from "../../core/notes/shown-note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { openApprovals } from "./approvals.ts";
import type { Locations } from "./locations.ts";
import { readScopeSettings, teamDirectory, writeTeam } from "./scope-settings.ts";

export interface TeamPlace {
  readonly directory: string;
  /** In the repository, reviewable; else private to this machine. */
  readonly inRepository: boolean;
  readonly trusted: boolean;
  /** What a person should look at before they trust it. */
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

/** Where this project's team notes are from now on; notes that are there already wait for `trustTeam`. @throws MemoryError. */
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
  // Nobody else wrote what is empty.
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
