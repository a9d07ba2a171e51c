import { ranIn, edits, type ParsePipelines, type Ran } from "./commands.ts";
import type { Outcome, OutcomeReason, Task } from "./types.ts";
import data from "./outcome-words.json" with { type: "json" };

/** What people say about finished work: patterns for several languages, kept as data. */

type Rule = (typeof data.goOn)[number];

function rules(list: readonly Rule[]): readonly RegExp[] {
  return list.map(({ pattern, flags }) => new RegExp(pattern, flags));
}

/** Whole prompts that only tell the agent to go on. */
export const GO_ON = rules(data.goOn);
/** The beginning of a prompt that undoes or corrects the work. */
const CORRECTED = rules(data.corrected);
/** A prompt with a pasted error. */
const ERROR_PASTED = rules(data.errorPasted);
/** The user is content. */
const THANKED = rules(data.thanked);
/** The agent says that it failed. */
const GAVE_UP = rules(data.gaveUp);
/** "Next time do it like this": the user asks to keep a procedure. */
export const WISHED = rules(data.wished);
/** Words that order steps. */
export const ORDERED = rules(data.ordered);

/** Words that say nothing about a prompt's purpose, and words that a name can omit. */
export const FILLERS: ReadonlySet<string> = new Set(data.fillers.ofTriggers);
export const NAME_FILLERS: ReadonlySet<string> = new Set(data.fillers.ofNames);

/** How much of a prompt is read as a verdict on the previous task (characters); later text is about something else. */
const VERDICT_LENGTH = 280;

/**
 * Judges a task by what can be checked: verification output, commits, the user's next words. Without an edit, a
 * verification or a commit the outcome is unknown unless the user praises it: reviews and questions teach no procedure.
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

/** The user's praise outweighs everything else; after it, the evidence against. */
function verdict(good: readonly OutcomeReason[], bad: readonly OutcomeReason[]): Outcome {
  const isContent = good.includes("thanked") && !bad.includes("interrupted");
  // The agent's doubts about its work count only if no check contradicts them.
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

/** The next prompt's verdict on the task before it. */
export function verdictOf(next: string | undefined): "thanked" | "corrected" | "error-pasted" | undefined {
  if (next === undefined) return undefined;
  const start = next.trim().slice(0, VERDICT_LENGTH);
  if (CORRECTED.some((pattern) => pattern.test(start))) return "corrected";
  if (ERROR_PASTED.some((pattern) => pattern.test(next.slice(0, 4_000)))) return "error-pasted";
  return THANKED.some((pattern) => pattern.test(start)) ? "thanked" : undefined;
}

/** The result of the last verification at or after the last edit; earlier ones say nothing about later changes. */
function lastVerification(commands: readonly Ran[], lastEdit: number): "passed" | "failed" | undefined {
  const after = commands.filter(({ verifies, at }) => verifies && at > lastEdit);
  // Each kind of check is judged by its own last result: passing lint after failing tests is not a pass.
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
