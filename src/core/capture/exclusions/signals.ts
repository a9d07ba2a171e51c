import type { WordTable } from "../word-table.ts";
import * as excluded from "./words-excluded.ts";
import * as shapes from "./words-shapes.ts";

/** How much a kind of words speaks for (above 0) or against that a sentence is no note. */
export interface Signal {
  readonly words: WordTable;
  /** What the sentence is, as far as these words tell. */
  readonly of?: "code-structure" | "git-history" | "debugging-recipe" | "task-at-hand";
  readonly weight: number;
}

/*
 * Those against first, then the heaviest. The weights are those of a logistic regression over the sentences in bench/facts/cases that no rule of `KEPT` keeps,
 * rounded; the last author's were left out of it, so that they can tell how well it does on sentences nobody looked at.
 */
export const SIGNALS: readonly Signal[] = [
  { words: shapes.BEYOND_CODE, weight: -1.6 },
  { words: excluded.HABIT, weight: -1.1 },
  { words: excluded.ORDER, weight: -0.7 },
  { words: excluded.REMEDY, of: "debugging-recipe", weight: 3.8 },
  { words: excluded.THIS_TASK, of: "task-at-hand", weight: 3.3 },
  { words: excluded.IN_PROGRESS, of: "task-at-hand", weight: 2.5 },
  { words: shapes.BUILT, of: "code-structure", weight: 2.4 },
  { words: excluded.FOR_NOW, of: "task-at-hand", weight: 2.4 },
  { words: shapes.PROGRESS, of: "task-at-hand", weight: 2.3 },
  { words: shapes.PAST_WHEN, of: "git-history", weight: 2 },
  { words: excluded.CHANGED, of: "git-history", weight: 1.9 },
  { words: shapes.PUT_RIGHT, of: "debugging-recipe", weight: 1.9 },
  { words: shapes.LAST_CHANGE, of: "git-history", weight: 1.6 },
  { words: shapes.RECODED, of: "git-history", weight: 1.2 },
  { words: excluded.ONE_OFF, of: "task-at-hand", weight: 1.2 },
  { words: excluded.PIECE, of: "code-structure", weight: 1.1 },
  { words: excluded.HAS, of: "code-structure", weight: 1.1 },
  { words: excluded.RELATION, of: "code-structure", weight: 0.9 },
  { words: excluded.ARCHITECTURE, of: "code-structure", weight: 0.8 },
  { words: shapes.BUILT_OF_CODE, of: "code-structure", weight: 0.8 },
  { words: shapes.PART, of: "code-structure", weight: 0.8 },
  { words: excluded.HISTORY, of: "git-history", weight: 0.7 },
  { words: excluded.PLACE, of: "code-structure", weight: 0.6 },
  { words: excluded.SYMPTOM, of: "debugging-recipe", weight: 0.5 },
  { words: shapes.ALTERED, of: "git-history", weight: 0.4 },
];

/** What is so without any signal: most sentences are notes. */
export const NO_SIGNAL = -2.1;
/** The form of the sentence: few words, a number in it, a name in it, a known thing or the past to begin with. */
export const FORM = { short: -1.6, number: -1.1, name: -0.7, known: 0.6, past: 1 } as const;
/** As much as it takes: at 0 either would be as likely. */
export const ENOUGH = 0.7;
