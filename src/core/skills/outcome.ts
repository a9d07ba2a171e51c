import { ranIn, edits, type ParsePipelines, type Ran } from "./commands.ts";
import type { Outcome, OutcomeReason, Task } from "./types.ts";
import data from "./outcome-words.json" with { type: "json" };

/** What people say about work that was done: rules over words of several languages, kept as data. */

type Rule = (typeof data.goOn)[number];

function rules(list: readonly Rule[]): readonly RegExp[] {
  return list.map(({ pattern, flags }) => new RegExp(pattern, flags));
}

/** Whole prompts that only let the agent go on. */
export const GO_ON = rules(data.goOn);
/** The beginning of a prompt that undoes or corrects what was done. */
const CORRECTED = rules(data.corrected);
/** A prompt that brings an error along. */
const ERROR_PASTED = rules(data.errorPasted);
/** A person is content. */
const THANKED = rules(data.thanked);
/** The agent says that it could not. */
const GAVE_UP = rules(data.gaveUp);
/** "Next time do it like this": the person asks to keep a procedure. */
export const WISHED = rules(data.wished);
/** Words that put steps in order. */
export const ORDERED = rules(data.ordered);

/** Words that say nothing about what a prompt is for, and those that a name can do without. */
export const FILLERS: ReadonlySet<string> = new Set(data.fillers.ofTriggers);
export const NAME_FILLERS: ReadonlySet<string> = new Set(data.fillers.ofNames);

/** What of a prompt is read as a verdict on the task before (characters): further down it is about something else. */
const VERDICT_LENGTH = 280;

/**
 * How a task ended, by what can be checked: verification read from output, commits, the person's next words. Without
 * edit, verification or commit it is unknown unless the person praises it: reviews and questions teach no procedure.
 */
export function judgeOutcome(task: Task, parse: ParsePipelines): Outcome {
  const commands = ranIn(task.calls, parse);
  const lastEdit = task.calls.findLastIndex((call) => edits(call, parse));
  const words = verdictOf(task.next);
  const bad: OutcomeReason[] = [];
  const good: OutcomeReason[] = [];
  if (task.interrupted) bad.push("interrupted");
  if (words !== undefined) (words === "thanked" ? good : bad).push(words);
  const check = lastVerification(commands, lastEdit);
  if (check === "failed") bad.push("check-failed");
  if (check === "passed") good.push("check-passed");
  if (check !== "failed" && lastCallsFailed(task)) bad.push("calls-failed");
  if (GAVE_UP.some((pattern) => pattern.test(lastParagraph(task.answer)))) bad.push("gave-up");
  for (const { head, at, result } of commands) {
    if (at < lastEdit || result !== "passed") continue;
    if (head === "git commit") good.push("committed");
    if (head === "git push" || head === "gh pr create") good.push("pushed");
  }
  return verdict(good, bad);
}

/** The person's word outweighs whatever else there is; then what speaks against. */
function verdict(good: readonly OutcomeReason[], bad: readonly OutcomeReason[]): Outcome {
  const isContent = good.includes("thanked") && !bad.includes("interrupted");
  // That the agent doubts its own work counts only where no check says otherwise.
  const against = good.length > 0 ? bad.filter((reason) => reason !== "gave-up") : bad;
  if (isContent) return { kind: "good", reasons: unique(good) };
  if (against.length > 0) return { kind: "bad", reasons: unique(against) };
  return good.length > 0
    ? { kind: "good", reasons: unique(good) }
    : { kind: "unknown", reasons: ["nothing-checkable"] };
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

/** What the next prompt says of the task before it. */
export function verdictOf(next: string | undefined): "thanked" | "corrected" | "error-pasted" | undefined {
  if (next === undefined) return undefined;
  const start = next.trim().slice(0, VERDICT_LENGTH);
  if (CORRECTED.some((pattern) => pattern.test(start))) return "corrected";
  if (ERROR_PASTED.some((pattern) => pattern.test(next.slice(0, 4_000)))) return "error-pasted";
  return THANKED.some((pattern) => pattern.test(start)) ? "thanked" : undefined;
}

/** The result of the last verification at or after the last edit; an earlier one says nothing about what came later. */
function lastVerification(commands: readonly Ran[], lastEdit: number): "passed" | "failed" | undefined {
  const after = commands.filter(({ verifies, at }) => verifies && at > lastEdit);
  // Each kind of check has its own last word: passing lint after failing tests is not a pass.
  const last = new Map(after.filter(({ result }) => result !== "unknown").map(({ head, result }) => [head, result]));
  const results = [...last.values()];
  if (results.includes("failed")) return "failed";
  return results.includes("passed") ? "passed" : undefined;
}

function lastCallsFailed({ calls }: Task): boolean {
  const lastTwo = calls.slice(-2);
  return lastTwo.length === 2 && lastTwo.every(({ result }) => result?.status === "failed");
}

function lastParagraph(answer: string): string {
  return answer.slice(0, 300) + answer.slice(-500);
}
