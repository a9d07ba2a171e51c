import { MemoryError } from "../../core/shared/errors.ts";
import { parseJson } from "../../core/shared/json.ts";
import { parseProposal } from "../../core/skills/proposal.ts";
import type { DraftVerdict, SkillScope } from "../../core/skills/types.ts";
import { projectNotebook } from "./candidates.ts";
import { draftFromCandidate, type WriterBrief, writerBrief } from "./drafts.ts";
import type { OpenShelf } from "./shelf.ts";

interface HandedIn {
  readonly scope: SkillScope;
  readonly candidate: string | undefined;
}

/** A draft as an agent or a person hands it in: JSON of one form, always only a draft. @throws MemoryError `invalid-input`, `not-found` */
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
