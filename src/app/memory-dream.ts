import type { DreamOperation } from "../core/dream/operation.ts";
import type { Scope } from "../core/notes/note.ts";
import { dreamScopes } from "./dream/dream-scopes.ts";
import type { OpenWorkspace } from "./workspace/open-workspace.ts";

export interface DreamCall {
  /** Default false: it says what it would do, and writes nothing. */
  readonly apply?: boolean;
  /** Default: every scope that has notes, but a team's. */
  readonly scope?: Scope;
  /** Lets the chosen model propose beside the rules. Default false. */
  readonly model?: boolean;
}

/** One change, as a person is told of it. */
export interface DreamStep {
  readonly kind: DreamOperation["kind"];
  readonly files: readonly string[];
  readonly reason: string;
}

/** What a dream made of one scope. */
export type DreamtScope =
  | {
      readonly kind: "dreamt";
      readonly scope: Scope;
      /** Live notes that it looked at. */
      readonly notes: number;
      readonly proposed: readonly DreamStep[];
      readonly applied: readonly DreamStep[];
      /** Not done; `why` says so to a person. */
      readonly refused: readonly (DreamStep & { readonly why: string })[];
      /** For a person to decide. */
      readonly told: readonly DreamStep[];
    }
  /** Another process consolidates these notes right now. */
  | { readonly kind: "busy"; readonly scope: Scope; readonly pid: number }
  /** The mode of the scope lets nothing be written. */
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
