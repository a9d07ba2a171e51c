import { openNotebook } from "../../adapters/files/skill-store.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import type { NotebookFile } from "../../core/skills/notebook.ts";
import type { Candidate, DraftVerdict, SkillScope } from "../../core/skills/types.ts";
import type { Locations } from "../workspace/locations.ts";
import { skillsPlace } from "../workspace/skills-mode.ts";
import { parseJson } from "../../core/shared/json.ts";
import { parseProposal } from "../../core/skills/writing.ts";
import { draftFromCandidate, type WriterBrief, writerBrief } from "./drafts.ts";
import type { OpenShelf } from "./shelf.ts";

/** The project's notebook of finished tasks; `undefined` outside a project. */
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

/** @throws MemoryError `not-found` outside a project. */
export function projectNotebook(locations: Locations): NotebookFile {
  const notebook = notebookOf(locations);
  if (notebook === undefined)
    throw new MemoryError("not-found", "there is no project here, so there are no candidates");
  return notebook;
}

/** Candidates of the project, oldest first. */
export function listCandidates(locations: Locations): readonly Candidate[] {
  return notebookOf(locations)?.read().candidates ?? [];
}

interface HandedIn {
  readonly scope: SkillScope;
  readonly candidate: string | undefined;
}

/** Proposes a draft of an agent or the user, as JSON. @throws MemoryError `invalid-input`, `not-found` */
export function draftFrom(shelf: OpenShelf, text: string, { scope, candidate }: HandedIn): Promise<DraftVerdict> {
  const { locations, clock } = shelf.skills;
  const value = parseJson(text);
  if (candidate !== undefined)
    return draftFromCandidate({ notebook: projectNotebook(locations), shelf, now: clock.now() }, candidate, {
      value,
      author: "host-agent",
      scope,
    });
  const parsed = parseProposal(value, { author: "host-agent", scope, from: [], candidate });
  if (!parsed.ok) throw new MemoryError("invalid-input", parsed.problem);
  return shelf.propose(parsed.proposal);
}

/** What the writer of a candidate's draft needs. @throws MemoryError `not-found`, `refused` */
export function briefFor({ skills }: OpenShelf, candidate: string): WriterBrief {
  return writerBrief(projectNotebook(skills.locations), candidate);
}
