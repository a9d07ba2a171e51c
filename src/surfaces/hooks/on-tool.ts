import { type ApprovedGuard, guardsMeeting, noteState } from "../../app/guards/guard-registry.ts";
import { notesForCall } from "../../app/recall/note-triggers.ts";
import { takeRefinedText } from "../../app/background/hook-memory.ts";
import type { Locations } from "../../app/workspace/locations.ts";
import { guardContext, guardReason, strongestAction } from "../../app/guards/guard-words.ts";
import type { CallJudge } from "../../core/guards/judge-call.ts";
import { type HookAnswer, type HookEvent, MOST_CHARACTERS } from "./event.ts";

export type ToolEvent = Extract<HookEvent, { readonly kind: "before-tool" | "after-tool" }>;

export interface ToolAnswer extends HookAnswer {
  /** Names of guards whose pattern took too long; they did not stop the call. */
  readonly tooSlow: readonly string[];
  /** Call this once the answer was delivered. */
  readonly delivered?: () => void;
}

export interface ToolParts {
  readonly judge: CallJudge;
  /** Whether a note that has changed still contains the approved guard. */
  readonly recheck: (guard: ApprovedGuard) => boolean;
  /** The event of a call at which the client accepts context for its agent. */
  readonly takesContext: "before" | "after";
  /** Milliseconds. */
  readonly now: number;
}

/** Answers a tool call: with approved guards that match it, and a refined recall that came late. Opens no index. */
export function answerTool(
  locations: Locations,
  event: ToolEvent,
  { judge, recheck, takesContext, now }: ToolParts,
): ToolAnswer {
  const { matched, tooSlow } = guardsMeeting(locations, event, judge);
  const valid = matched.filter((guard) => isValid(guard, recheck));
  const action = strongestAction(valid);
  const slow = tooSlow.map(({ name }) => name);
  if (event.kind === "before-tool" && (action === "deny" || action === "ask"))
    return { decision: { kind: action, reason: guardReason(valid, action) }, tooSlow: slow };
  const warnings = valid.filter(({ guard }) => guard.action === "warn");
  const late = event.inSubAgent ? undefined : takeRefinedText(locations, event.session, event.turn, now);
  const isAnswered = event.kind === (takesContext === "after" ? "after-tool" : "before-tool");
  const met = event.inSubAgent || !isAnswered ? undefined : notesForCall(locations, event.session, event, judge);
  const texts = [warnings.length === 0 ? "" : guardContext(warnings), met?.text ?? "", late ?? ""].filter(
    (text) => text !== "",
  );
  const isWhole = texts.join("\n").length <= MOST_CHARACTERS;
  const context = isWhole ? texts.join("\n") : (texts[0] ?? "");
  return {
    ...(context !== "" && { context }),
    tooSlow: slow,
    ...(met !== undefined && isWhole && { delivered: met.delivered }),
  };
}

function isValid(guard: ApprovedGuard, recheck: (guard: ApprovedGuard) => boolean): boolean {
  const state = noteState(guard);
  return state === "same" || (state === "changed" && recheck(guard));
}
