import type { CaptureOperation, Refusal } from "../../core/capture/plan.ts";
import type { Scope } from "../../core/notes/note.ts";
import type { Transcript } from "../../core/transcripts/turn.ts";
import { scopeOf } from "./apply-capture.ts";
import { captureFate, modeIn } from "../workspace/modes.ts";
import { formOf, type ProposedOperation, quoteFor, ruleFor } from "./review.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Scopes that capture writes new notes to. */
export const CAPTURED_SCOPES: readonly Scope[] = ["project", "user"];

type AskedBy = "person" | "itself";

/** Whether capture has anything to do here: where not, nothing is read and no model is asked. */
export function mayCapture({ modes, scopes }: Workspace, askedBy: AskedBy): boolean {
  return CAPTURED_SCOPES.some(
    (scope) => scopes.includes(scope) && captureFate(modeIn(modes, scope).mode, askedBy) !== "nothing",
  );
}

export interface SortedOperations {
  readonly write: readonly CaptureOperation[];
  readonly propose: readonly ProposedOperation[];
  readonly refused: readonly Refusal[];
}

/** What a session yielded. `proposed`: operations that must never be done without a person, each with its reason. */
export interface SortInput {
  readonly operations: readonly CaptureOperation[];
  readonly proposed?: readonly Pick<ProposedOperation, "operation" | "reason">[];
}

/** What is done at once, what waits for a person, and what neither: by the mode of each operation's scope and the rules of review. */
export function sortOperations(
  workspace: Workspace,
  transcript: Transcript,
  { operations, proposed: doubtful = [] }: SortInput,
  askedBy: AskedBy,
): SortedOperations {
  const write: CaptureOperation[] = [];
  const proposed: ProposedOperation[] = [];
  const refused: Refusal[] = [];
  const wanted = [
    ...operations.map((operation) => ({ operation, doubt: undefined })),
    ...doubtful.map(({ operation, reason }) => ({ operation, doubt: reason })),
  ];
  const rules = wanted.length === 0 ? [] : workspace.review.rules();
  for (const { operation, doubt } of wanted) {
    const fate = captureFate(modeIn(workspace.modes, scopeOf(workspace, operation)).mode, askedBy);
    const rule =
      rules.length === 0 ? undefined : ruleFor(rules, operation, formOf(quoteFor(transcript, operation), operation));
    if (fate === "nothing") refused.push(refusalOf(operation, "mode-forbids"));
    else if (rule?.verdict === "never") refused.push(refusalOf(operation, "never-like-this"));
    else if (doubt !== undefined) proposed.push({ operation, reason: doubt, doubtful: true });
    else if (fate === "write" || rule?.verdict === "always") write.push(operation);
    else proposed.push({ operation, reason: "confirm mode: capture writes nothing unseen", doubtful: false });
  }
  return { write, propose: proposed, refused };
}

/** An operation that is not done, in its own words. */
export function refusalOf(operation: CaptureOperation, reason: Refusal["reason"]): Refusal {
  if (operation.kind === "retire") return { reason, text: `retire ${operation.file}`, evidence: operation.evidence };
  return {
    reason,
    text: operation.draft.description,
    evidence: operation.draft.evidence ?? { session: "", message: "" },
  };
}
