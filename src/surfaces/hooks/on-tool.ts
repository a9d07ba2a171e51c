import { type ApprovedGuard, approvedGuards, noteState, testPatterns } from "../../compose/guard-registry.ts";
import { takeRefinedText } from "../../compose/hook-memory.ts";
import type { Locations } from "../../compose/locations.ts";
import { guardContext, guardReason } from "../../core/memory/guard-words.ts";
import { matchGuards, strongest } from "../../core/guards/judge-call.ts";
import { type HookAnswer, type HookEvent, MOST_CHARACTERS } from "./event.ts";

export type ToolEvent = Extract<HookEvent, { readonly kind: "before-tool" | "after-tool" }>;

export interface ToolAnswer extends HookAnswer {
  /** Names of guards whose pattern took too long; their calls went on. */
  readonly tooSlow: readonly string[];
}

/**
 * What is said to a tool call: approved guards that match it, and a refined recall that came late. Opens no index.
 * `recheck` tells whether a note that changed since still says the guard that was approved.
 */
export function answerTool(locations: Locations, event: ToolEvent, recheck: (guard: ApprovedGuard) => boolean, now: number): ToolAnswer {
  const { matched, tooSlow } = matchGuards(approvedGuards(locations), event, testPatterns);
  const valid = matched.filter((guard) => isValid(guard, recheck));
  const action = strongest(valid);
  const slow = tooSlow.map(({ name }) => name);
  if (event.kind === "before-tool" && (action === "deny" || action === "ask")) return { decision: { kind: action, reason: guardReason(valid, action) }, tooSlow: slow };
  const warnings = valid.filter(({ guard }) => guard.action === "warn");
  const late = event.inSubAgent ? undefined : takeRefinedText(locations, event.session, event.turn, now);
  const texts = [warnings.length === 0 ? "" : guardContext(warnings), late ?? ""].filter((text) => text !== "");
  const context = texts.join("\n").length <= MOST_CHARACTERS ? texts.join("\n") : (texts[0] ?? "");
  return { ...(context !== "" && { context }), tooSlow: slow };
}

function isValid(guard: ApprovedGuard, recheck: (guard: ApprovedGuard) => boolean): boolean {
  const state = noteState(guard);
  return state === "same" || (state === "changed" && recheck(guard));
}
