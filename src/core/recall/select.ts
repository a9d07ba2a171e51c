/** When a note is shown whole. Calibrated on prompts with hand-chosen answers; see docs of the benchmark. */
export interface SelectionRule {
  /** Least coverage of the prompt, 0 to 1. */
  readonly floor: number;
  /** Least share of the best note's coverage. */
  readonly share: number;
  /** Most notes. */
  readonly most: number;
}

export const SELECTION_RULE: SelectionRule = { floor: 0.15, share: 0.85, most: 3 };

export interface ScoredFile {
  readonly file: string;
  /** Coverage, 0 to 1. */
  readonly score: number;
}

/** The notes to show of a ranking, best first; none when even the best says too little of what was asked. */
export function selectNotes<T extends ScoredFile>(ranked: readonly T[], rule: SelectionRule = SELECTION_RULE): readonly T[] {
  const least = Math.max(rule.floor, (ranked[0]?.score ?? 0) * rule.share);
  return ranked.slice(0, rule.most).filter(({ score }) => score >= least);
}
