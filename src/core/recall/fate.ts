import type { ScoredFile, SelectionRule } from "./select.ts";

/**
 * What became of a note that recall considered. `surfaced`: this session has it already, unchanged. `no-room`:
 * chosen, but the budget was used up. `below-floor`: covers too little of the prompt. `below-best`: too far behind
 * the best note. `too-many`: good enough, but as many as are shown at once came before it.
 */
export const FATES = ["shown", "pointed", "surfaced", "no-room", "below-floor", "below-best", "too-many"] as const;
export type Fate = (typeof FATES)[number];

/** What is known after a recall, by `scope:file`. */
export interface Verdicts {
  readonly shown: ReadonlySet<string>;
  readonly pointed: ReadonlySet<string>;
  readonly surfaced: ReadonlySet<string>;
  /** Chosen, whether there was room or not. */
  readonly selected: ReadonlySet<string>;
  /** Score of the best note, 0 to 1. */
  readonly best: number;
  readonly rule: SelectionRule;
}

export function fateOf(key: string, score: ScoredFile["score"], verdicts: Verdicts): Fate {
  if (verdicts.shown.has(key)) return "shown";
  if (verdicts.surfaced.has(key)) return "surfaced";
  if (verdicts.selected.has(key)) return "no-room";
  if (verdicts.pointed.has(key)) return "pointed";
  if (score < verdicts.rule.floor) return "below-floor";
  return score < verdicts.best * verdicts.rule.share ? "below-best" : "too-many";
}
