import type { AnswerCache } from "./cache.ts";
import type { Checkout } from "./checkout.ts";
import type { AskGit } from "./plain-git.ts";

/** One look at a tree: what its parts share. */
export interface Look {
  readonly checkout: Checkout;
  /** Answers nothing where there is no git. */
  readonly git: AskGit;
  /** The commit checked out. */
  readonly head: string | undefined;
  readonly cache: AnswerCache;
  /** How long the whole look may take (ms): a search that did not end in as much time is not begun again. */
  readonly budgetMs: number;
  /** Every tracked file, asked of git once; `undefined` when that could not be told. */
  readonly tracked: () => readonly TrackedFile[] | undefined;
}

export interface TrackedFile {
  readonly path: string;
  /** Left out of the working tree on purpose (sparse checkout). */
  readonly skipped: boolean;
}

/** `git ls-files -t -z` taken apart. */
export function listTracked(git: AskGit): readonly TrackedFile[] | undefined {
  const answer = git(["ls-files", "-t", "-z"]);
  if (answer?.complete !== true) return undefined;
  return answer.text
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => ({ path: entry.slice(2), skipped: entry.startsWith("S") }));
}

/** Kept in the cache for a question that had no answer: the longest time it was given (ms), and how often. */
export interface Tried {
  readonly tried: number;
  readonly times: number;
}

/** A busy machine may do better the next time; a large past never will. */
const MOST_TRIES = 4;

/** What to keep when there was no answer once more. */
export function triedAgain(before: unknown, budgetMs: number): Tried {
  return isTried(before) && before.tried >= budgetMs
    ? { tried: before.tried, times: before.times + 1 }
    : { tried: budgetMs, times: 1 };
}

/** Whether the cache knows that asking again with no more time is in vain. */
export function isInVain(answer: unknown, budgetMs: number): boolean {
  return isTried(answer) && answer.tried >= budgetMs && answer.times >= MOST_TRIES;
}

function isTried(value: unknown): value is Tried {
  return (
    typeof value === "object" &&
    value !== null &&
    "tried" in value &&
    typeof value.tried === "number" &&
    "times" in value &&
    typeof value.times === "number"
  );
}
