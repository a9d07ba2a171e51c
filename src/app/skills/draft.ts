import { MemoryError } from "../../core/shared/errors.ts";
import { parseJson } from "../../core/shared/json.ts";
import { parseProposal } from "../../core/skills/proposal.ts";
import type { DraftVerdict, SkillScope } from "../../core/skills/types.ts";
import type { OpenShelf } from "./shelf.ts";
import { candidatesOf } from "./skills.ts";

/** A draft as an agent or a person hands it in: JSON of one form, always only a draft. @throws MemoryError `invalid-input` */
export function draftFrom(
  shelf: OpenShelf,
  text: string,
  { scope, candidate }: { readonly scope: SkillScope; readonly candidate: string | undefined },
): Promise<DraftVerdict> {
  const parsed = parseProposal(parseJson(text), {
    author: "host-agent",
    scope,
    from: evidenceOf(shelf, candidate),
    candidate,
  });
  if (!parsed.ok) throw new MemoryError("invalid-input", parsed.problem);
  return shelf.propose(parsed.proposal);
}

/** The task that a candidate was noted from. @throws MemoryError `not-found` */
function evidenceOf(shelf: OpenShelf, id: string | undefined): readonly string[] {
  if (id === undefined) return [];
  const found = candidatesOf(shelf).find((one) => one.id === id);
  if (found === undefined)
    throw new MemoryError("not-found", `there is no candidate ${id}; \`memdir skill candidates\` lists them`);
  const { agent, session, task } = found;
  return [`${agent}:${session}:${task}`];
}
