import { CALIBRATION } from "./likelihood.ts";

/** When a note is shown whole and when in one line. */
export interface SelectionRule {
  /** Least likelihood to be shown whole, 0 to 1. */
  readonly whole: number;
  /** Least likelihood to be pointed at, 0 to 1. */
  readonly pointer: number;
  /** Most notes shown whole. */
  readonly most: number;
  /** Most notes pointed at. */
  readonly mostPointers: number;
}

export const SELECTION_RULE: SelectionRule = {
  whole: CALIBRATION.whole,
  pointer: CALIBRATION.pointer,
  most: 3,
  mostPointers: 10,
};

/**
 * For a session that has an index: its agent opens what it needs, so a note is shown whole only where that is nearly
 * certain, and the few notes without a line need no floor.
 */
export const BESIDE_INDEX: SelectionRule = {
  ...SELECTION_RULE,
  whole: CALIBRATION.sure,
  pointer: 0,
  mostPointers: 20,
};

export interface ScoredFile {
  readonly file: string;
  /** Coverage, 0 to 1. */
  readonly score: number;
}

export interface Grades<T> {
  /** Sure enough to be shown whole, likeliest first. */
  readonly whole: readonly T[];
  /** Merely plausible: one line each, likeliest first. */
  readonly pointed: readonly T[];
}

/** Two grades of what was judged, the likeliest first; both empty when nothing is even plausible. */
export function gradeNotes<T extends { readonly likelihood: number }>(
  judged: readonly T[],
  rule: SelectionRule = SELECTION_RULE,
  mayPoint: (note: T) => boolean = () => true,
): Grades<T> {
  const whole = judged.slice(0, rule.most).filter(({ likelihood }) => likelihood >= rule.whole);
  const pointed = judged
    .slice(whole.length)
    .filter((note) => note.likelihood >= rule.pointer && mayPoint(note))
    .slice(0, rule.mostPointers);
  return { whole, pointed };
}
