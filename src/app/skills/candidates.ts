import { openNotebook } from "../../adapters/files/skill-candidates.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import type { NotebookFile } from "../../core/skills/notebook.ts";
import type { Candidate } from "../../core/skills/types.ts";
import type { Locations } from "../workspace/locations.ts";
import { skillsPlace } from "../workspace/skills-mode.ts";

/** The project's notebook of finished tasks; `undefined` where there is no project to learn about. */
export function notebookOf(locations: Locations): NotebookFile | undefined {
  const { root, project } = skillsPlace(locations);
  if (project === undefined) return undefined;
  const file = openNotebook(project, createSqliteLock(`${root}/candidates.lock`));
  return {
    read: file.read,
    change(work) {
      nodeFiles.makeDirectory(root);
      return file.change(work);
    },
  };
}

/** @throws MemoryError `not-found` where there is no project. */
export function projectNotebook(locations: Locations): NotebookFile {
  const notebook = notebookOf(locations);
  if (notebook === undefined)
    throw new MemoryError("not-found", "there is no project here, so there are no candidates");
  return notebook;
}

/** Candidates of the project, the oldest first. */
export function listCandidates(locations: Locations): readonly Candidate[] {
  return notebookOf(locations)?.read().candidates ?? [];
}
