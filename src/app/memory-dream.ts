import type { DreamOperation } from "../core/dream/operation.ts";
import type { Scope } from "../core/notes/note.ts";
import { dreamScopes } from "./dream/dream-scopes.ts";
import type { OpenWorkspace } from "./workspace/open-workspace.ts";

export interface DreamCall {
  /** Default false: reports what it would do and writes nothing. */
  readonly apply?: boolean;
  /** Default: every scope that has notes, except a team's. */
  readonly scope?: Scope;
  /** Lets the chosen model propose changes in addition to the rules. Default false. */
  readonly model?: boolean;
}

/** One change, as reported to the user. */
export interface DreamStep {
  readonly kind: DreamOperation["kind"];
  readonly files: readonly string[];
  readonly reason: string;
}

/** The outcome of a dream for one scope. */
export type DreamtScope =
  | {
      readonly kind: "dreamt";
      readonly scope: Scope;
      /** How many live notes were read. */
      readonly notes: number;
      readonly proposed: readonly DreamStep[];
      readonly applied: readonly DreamStep[];
      /** Not done; `why` gives the reason to the user. */
      readonly refused: readonly (DreamStep & { readonly why: string })[];
      /** For the user to decide. */
      readonly told: readonly DreamStep[];
    }
  /** Another process is consolidating these notes. */
  | { readonly kind: "busy"; readonly scope: Scope; readonly pid: number }
  /** The scope's mode does not allow writing. */
  | { readonly kind: "closed"; readonly scope: Scope; readonly message: string };

export async function dreamOf(
  workspace: OpenWorkspace,
  { apply = false, scope, model = false }: DreamCall = {},
): Promise<readonly DreamtScope[]> {
  const scopes: DreamtScope[] = [];
  for await (const result of dreamScopes(workspace, { scope, writes: apply, model }, () => ({ unsigned: false }))) {
    if (result.kind !== "dreamt") {
      scopes.push(result);
      continue;
    }
    const { outcome } = result;
    scopes.push({
      kind: "dreamt",
      scope: outcome.scope,
      notes: outcome.notes,
      proposed: outcome.operations.map(stepOf),
      applied: outcome.applied.map(stepOf),
      refused: outcome.refused.map(({ operation, message }) => ({ ...stepOf(operation), why: message })),
      told: outcome.told.map(stepOf),
    });
  }
  return scopes;
}

function stepOf({ kind, files, reason }: DreamOperation): DreamStep {
  return { kind, files, reason };
}
