import type { Scope } from "../../core/notes/note.ts";
import { requireModel } from "../capture/extractor.ts";
import { mayWrite, modeIn, refusedByMode } from "../workspace/modes.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import { dream, type DreamRequest, type DreamResult, dreamStores } from "./dream.ts";

/** A request; without `writes` it is a dry run. */
export interface ScopesToDream {
  readonly scope?: string | undefined;
  readonly writes: boolean;
  /** Whether the chosen model makes proposals in addition to the rules. */
  readonly model: boolean;
}

export type ScopeDream = { readonly scope: Scope } & (
  | DreamResult
  /** The scope's mode does not allow writing. */
  | { readonly kind: "closed"; readonly message: string }
);

/** Consolidates the requested scopes one by one. @throws MemoryError `refused` if the mode forbids it. */
export async function* dreamScopes(
  workspace: OpenWorkspace,
  { scope, writes, model }: ScopesToDream,
  requestFor: (scoped: ScopedStore) => Omit<DreamRequest, "dryRun" | "model">,
): AsyncGenerator<ScopeDream> {
  mayDream(workspace, writes);
  const asked = model ? await requireModel(workspace) : undefined;
  for (const scoped of dreamStores(workspace, scope)) {
    const choice = modeIn(workspace.modes, scoped.scope);
    if (writes && !mayWrite(choice.mode)) {
      const { message } = refusedByMode(`memory of the ${scoped.scope} scope`, choice);
      yield { kind: "closed", scope: scoped.scope, message };
      continue;
    }
    const request = { ...requestFor(scoped), dryRun: !writes, ...(asked !== undefined && { model: asked }) };
    yield { scope: scoped.scope, ...(await dream(workspace, scoped, request)) };
  }
}

/** @throws MemoryError `refused` if no scope may be read, or written when `writes`. */
export function mayDream({ mode, locations }: OpenWorkspace, writes: boolean): void {
  if (mode === "off" || (writes && !mayWrite(mode)))
    throw refusedByMode("memory", { mode, reason: locations.modeReason });
}
