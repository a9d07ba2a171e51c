import { sha256 } from "../shared/hash.ts";
import { isRecord, parseJson } from "../shared/json.ts";
import { type CandidateContext, gatesOf } from "./candidate-gates.ts";
import { judgeOutcome, verdictOf, ORDERED, WISHED } from "./outcome.ts";
import { isSameProcedure, recipeOf, uncommonOf } from "./recipe.ts";
import type { Candidate, Outcome, Recipe, Task, Want } from "./types.ts";

export const CANDIDATE_LIMITS = { lines: 500, days: 30, calls: 5, uncommon: 2 } as const;
const DAY_MS = 86_400_000;

/**
 * The candidate made from a finished task, if any. The task must have ended well by checkable facts and contain more
 * than everyday commands: two uncommon ones, a recovered error, or the user's wish.
 */
export function candidateOf(
  task: Task,
  context: CandidateContext,
): { readonly outcome: Outcome; readonly candidate: Candidate | undefined } {
  const outcome = judgeOutcome(task, context.parse);
  if (outcome.kind !== "good" || task.calls.length < CANDIDATE_LIMITS.calls) return { outcome, candidate: undefined };
  const recipe = recipeOf(task, context.parse, context.isEveryday);
  const wants = wantsOf(task, recipe);
  const isWorth = uncommonOf(recipe).length >= CANDIDATE_LIMITS.uncommon || wants.length > 0;
  if (!isWorth || recipe.steps.length === 0) return { outcome, candidate: undefined };
  const { agent, session, id, end, time, calls } = task;
  return {
    outcome,
    candidate: {
      id: `c${sha256(`${agent}:${session}:${id}`).slice(0, 8)}`,
      agent,
      session,
      task: id,
      time: Date.parse(end ?? time ?? "") || 0,
      calls: calls.length,
      outcome,
      recipe,
      wants,
      refused: gatesOf(task, recipe, context),
    },
  };
}

/** Reasons for a draft within one task; recurrence depends on other tasks. */
function wantsOf(task: Task, recipe: Recipe): readonly Want[] {
  const asks = (text: string | undefined): boolean =>
    text !== undefined && WISHED.some((pattern) => pattern.test(text));
  const isDictated = verdictOf(task.prompt) === "corrected" && ORDERED.some((pattern) => pattern.test(task.prompt));
  return [
    ...(recipe.pitfalls.length > 0 ? ["recovered" as const] : []),
    ...(asks(task.prompt) || asks(task.next) ? ["asked" as const] : []),
    ...(isDictated ? ["dictated" as const] : []),
  ];
}

/** Merges candidates: each task once, the newest data wins, drafts are kept, those over 30 days old are removed. */
export function withCandidates(
  known: readonly Candidate[],
  found: readonly Candidate[],
  now: number,
): readonly Candidate[] {
  const all = new Map(known.map((one) => [one.id, one]));
  for (const one of found) {
    const before = all.get(one.id);
    all.set(one.id, {
      ...one,
      time: one.time === 0 ? (before?.time ?? now) : one.time,
      refused: [...new Set([...(before?.refused ?? []), ...one.refused])],
      ...(before?.askedAt !== undefined && { askedAt: before.askedAt }),
      ...(before?.draft !== undefined && { draft: before.draft }),
      ...(before?.writer !== undefined && { writer: before.writer }),
    });
  }
  const fresh = [...all.values()]
    .filter(({ time }) => time > now - CANDIDATE_LIMITS.days * DAY_MS)
    .toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
    .slice(-CANDIDATE_LIMITS.lines);
  return fresh.map((one) => ({ ...one, wants: withRecurrence(one, fresh) }));
}

/** Adds `recurs` if another session has the same procedure. */
function withRecurrence(one: Candidate, all: readonly Candidate[]): readonly Want[] {
  const others = all.filter((other) => other.session !== one.session && isSameProcedure(one.recipe, other.recipe));
  const wants = one.wants.filter((want) => want !== "recurs");
  return others.length > 0 ? [...wants, "recurs"] : wants;
}

/**
 * Candidates that may become a draft now, the most wanted first, and only the newest for each procedure. For a `writer`
 * this includes candidates that so far have only a bare recipe.
 */
export function draftable(candidates: readonly Candidate[], by: "recipe" | "writer" = "recipe"): readonly Candidate[] {
  const isDone = ({ draft, writer }: Candidate): boolean =>
    draft !== undefined && (by === "recipe" || writer !== "recipe");
  const taken = candidates.filter(isDone);
  const ripe = candidates
    .filter((one) => one.wants.length > 0 && one.refused.length === 0 && !isDone(one))
    .filter((one) => !taken.some((other) => isSameProcedure(one.recipe, other.recipe)))
    // An existing draft is rewritten instead of adding a second one.
    .toSorted(
      (a, b) => Number(b.draft !== undefined) - Number(a.draft !== undefined) || rank(b) - rank(a) || b.time - a.time,
    );
  return ripe.filter((one, at) => !ripe.slice(0, at).some((before) => isSameProcedure(one.recipe, before.recipe)));
}

/** The number of sessions with this procedure. */
export function sessionsOf(one: Candidate, all: readonly Candidate[]): number {
  return new Set(all.filter((other) => isSameProcedure(one.recipe, other.recipe)).map(({ session }) => session)).size;
}

function rank({ wants }: Candidate): number {
  return (
    (wants.includes("asked") ? 8 : 0) +
    (wants.includes("recurs") ? 4 : 0) +
    (wants.includes("dictated") ? 2 : 0) +
    (wants.includes("recovered") ? 1 : 0)
  );
}

/** One line of candidates.jsonl; `undefined` for an incomplete line or one of a newer memdir. */
export function parseCandidate(line: string): Candidate | undefined {
  const value = parseJson(line);
  return isCandidate(value) ? value : undefined;
}

function isCandidate(value: unknown): value is Candidate {
  if (!isRecord(value)) return false;
  const { id, session, task, time, recipe, wants, refused, outcome, calls } = value;
  return (
    [id, session, task].every((one) => typeof one === "string") &&
    typeof time === "number" &&
    typeof calls === "number" &&
    Array.isArray(wants) &&
    Array.isArray(refused) &&
    isRecord(outcome) &&
    isRecord(recipe) &&
    typeof recipe["description"] === "string" &&
    [recipe["steps"], recipe["pitfalls"], recipe["signature"]].every(Array.isArray)
  );
}
