import { oneLine, truncate } from "../shared/text.ts";
import { writtenPaths } from "../transcripts/tool-calls.ts";
import { outputOf } from "../transcripts/result.ts";
import { type ParsePipelines, type Ran, edits, ranIn, EVERYDAY, LOOKING, SUBCOMMANDS, TRANSIENT } from "./commands.ts";
import type { Pitfall, Recipe, RecipeStep, Task } from "./types.ts";

const MOST_STEPS = 12;
const MOST_PITFALLS = 8;
const MOST_EDITS = 8;
const DESCRIPTION_LENGTH = 160;
const LINE_LENGTH = 120;
/** A head in a larger share of a project's tasks is everyday there; with fewer tasks than the minimum no head is. */
const EVERYDAY_SHARE = 0.15;
const LEAST_TASKS = 12;

/** The heads in each task of a project, one set per task. */
export type SeenHeads = readonly (readonly string[])[];

/** Returns a test for heads that do not help to identify a procedure. */
export function everydayIn(seen: SeenHeads): (head: string) => boolean {
  const counts = new Map<string, number>();
  for (const heads of seen) for (const head of new Set(heads)) counts.set(head, (counts.get(head) ?? 0) + 1);
  const most = Math.max(5, seen.length * EVERYDAY_SHARE);
  return (head) =>
    EVERYDAY.has(head) || LOOKING.has(head) || (seen.length >= LEAST_TASKS && (counts.get(head) ?? 0) > most);
}

/** Heads in a task that do something; the share above counts these. */
export function headsOf(task: Task, parse: ParsePipelines): readonly string[] {
  return [
    ...new Set(
      ranIn(task.calls, parse)
        .filter(({ looks }) => !looks)
        .map(({ head }) => head),
    ),
  ];
}

/**
 * The recipe in a task's calls, made without a model: its commands in order with session values replaced, what failed
 * and what then worked, and the check. A skeleton for a writer, never offered as it is.
 */
export function recipeOf(task: Task, parse: ParsePipelines, isEveryday: (head: string) => boolean): Recipe {
  const ran = ranIn(task.calls, parse);
  const plain = (command: string): string => parameterised(command, task);
  const last = lastCheck(task, ran, parse);
  const check = last === undefined ? undefined : plain(last.command);
  const steps = stepsOf(ran, plain).filter(({ command }) => command !== check);
  const kept = new Set(steps.map(({ call }) => call));
  const uncommon = unique(
    ran
      .filter(
        ({ call, looks, head, result }) => kept.has(call.id) && !looks && result !== "failed" && !isEveryday(head),
      )
      .map(({ head }) => head),
  );
  const checkHead = last === undefined ? [] : [last.head];
  return {
    description: describe(task.prompt),
    steps: steps.slice(-MOST_STEPS),
    edits: unique(task.calls.flatMap(writtenPaths).map((path) => plain(`edit ${path}`).slice("edit ".length))).slice(
      0,
      MOST_EDITS,
    ),
    pitfalls: pitfallsOf(task, ran, { plain, parse }),
    check,
    signature: [...uncommon.filter((head) => !checkHead.includes(head)), ...checkHead],
  };
}

/** The uncommon heads of a signature: all except the check's, which comes last if there is a check. */
export function uncommonOf({ signature, check }: Recipe): readonly string[] {
  return check === undefined ? signature : signature.slice(0, -1);
}

/** Whether two recipes are the same procedure: the same signature, or two shared uncommon commands. */
export function isSameProcedure(one: Recipe, other: Recipe): boolean {
  const [a, b] = [uncommonOf(one), uncommonOf(other)];
  const shared = a.filter((head) => b.includes(head)).length;
  if (shared >= 2) return shared * 2 >= Math.min(a.length, b.length);
  return shared === 1 && a.length === 1 && b.length === 1 && one.signature.at(-1) === other.signature.at(-1);
}

/** Commands that worked after the last failure of the same head, each once. */
function stepsOf(ran: readonly Ran[], plain: (command: string) => string): readonly RecipeStep[] {
  const lastFailure = new Map<string, number>();
  for (const { head, result, at, call } of ran)
    if (result === "failed" || call.result?.status === "failed") lastFailure.set(head, at);
  const steps = new Map<string, RecipeStep>();
  for (const { head, at, looks, call, command, result } of ran) {
    const isOver = at <= (lastFailure.get(head) ?? -1);
    if (looks || isOver || result === "failed" || call.result?.status === "rejected") continue;
    const step = plain(command);
    if (!steps.has(step)) steps.set(step, { command: step, call: call.id });
  }
  return [...steps.values()];
}

function lastCheck(task: Task, ran: readonly Ran[], parse: ParsePipelines): Ran | undefined {
  const lastEdit = task.calls.findLastIndex((call) => edits(call, parse));
  const after = ran.filter(({ verifies, at }) => verifies && at > lastEdit);
  const failed = new Set(after.filter(({ result }) => result === "failed").map(({ head }) => head));
  return (
    after.findLast(({ result, head }) => result === "passed" && !failed.has(head)) ??
    after.findLast(({ result }) => result === "passed")
  );
}

/** A failed command, and a different one of the same program that then worked without an edit in between. */
function pitfallsOf(
  task: Task,
  ran: readonly Ran[],
  { plain, parse }: { readonly plain: (command: string) => string; readonly parse: ParsePipelines },
): readonly Pitfall[] {
  const found = new Map<string, Pitfall>();
  for (const [index, bad] of ran.entries()) {
    if (bad.looks || bad.verifies || bad.call.result?.status !== "failed" || bad.result !== "failed") continue;
    const good = ran
      .slice(index + 1)
      .find(({ head, at, result }) => at > bad.at && head === bad.head && result === "passed");
    if (good === undefined || task.calls.slice(bad.at + 1, good.at).some((call) => edits(call, parse))) continue;
    const [failed, worked] = [plain(bad.command), plain(good.command)];
    if (failed === worked || found.has(failed)) continue;
    const error = firstError(outputOf(bad.call.result));
    if (TRANSIENT.test(outputOf(bad.call.result))) continue;
    found.set(failed, { failed: cut(failed), error: cut(plain(error)), worked: cut(worked) });
  }
  return [...found.values()].slice(0, MOST_PITFALLS);
}

function firstError(output: string): string {
  const lines = output
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^(?:Exit code|Command:|Directory:|Output:)/iu.test(line));
  return oneLine(
    lines.find((line) => /\b(?:error|fatal|fail|denied|invalid|unknown|missing|cannot|required|must)/iu.test(line)) ??
      lines[0] ??
      "",
  );
}

function cut(text: string): string {
  return truncate(oneLine(text), LINE_LENGTH);
}

/** The prompt's first sentence. */
function describe(prompt: string): string {
  const sentence = oneLine(prompt).split(/(?<=[.!?。！？])\s/u)[0] ?? "";
  return truncate(sentence, DESCRIPTION_LENGTH);
}

const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu, "<id>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gu, "<hash>"],
  [/\b20\d\d-[01]\d-[0-3]\d(?:[T_ ]\d\d[:-]?\d\d(?:[:-]?\d\d)?Z?)?\b|\b20\d\d[01]\d[0-3]\d(?:\d{6})?\b/gu, "<date>"],
  [/(?<![\w.])v?\d+\.\d+\.\d+(?:-[\w.]+)?\b/gu, "<version>"],
  [/(?<=\s-m\s+|--message[= ]|--title[= ]|--body[= ])(?:"[^"]*"|'[^']*')/gu, "<message>"],
  [/(?<=\b(?:checkout -b|switch -c|push(?: -u)? origin|checkout -B) )[\w./-]+/gu, "<branch>"],
  [/(?<=\s|=|#|:)\d{3,}\b/gu, "<number>"],
  [/(?:\/private)?\/(?:tmp|var\/folders)\/[^\s"';|&]+/gu, "<temporary>"],
];

/** A command with session values replaced: the project's root, ids, dates, versions, names from the prompt. */
export function parameterised(command: string, { cwd, prompt }: Pick<Task, "cwd" | "prompt">): string {
  let text = command.trim();
  if (cwd !== undefined && cwd.length > 1) text = text.replaceAll(`${cwd}/`, "./").replaceAll(cwd, ".");
  for (const [pattern, placeholder] of SHAPES) text = text.replace(pattern, placeholder);
  const named = new Set(
    (prompt.match(/[\p{L}\p{N}][\p{L}\p{N}_.-]{2,}/gu) ?? []).map((word) => word.replace(/[.-]+$/u, "")),
  );
  const [program = "", ...rest] = text.split(/(\s+)/u);
  let isFirst = program in SUBCOMMANDS;
  const words = rest.map((word) => {
    if (word.trim() === "" || word.startsWith("-") || word.includes("<")) return word;
    // The word after the program says what it does and stays; a path or a value may be named in the prompt.
    const isSubcommand = isFirst && /^[a-z][a-z:-]*$/u.test(word);
    isFirst = false;
    return isSubcommand
      ? word
      : word.replace(/[\p{L}\p{N}][\p{L}\p{N}_-]{2,}/gu, (part) =>
          named.has(part) && !COMMON.has(part.toLowerCase()) ? "<name>" : part,
        );
  });
  return [program, ...words].join("");
}

/** Words of prompts that also occur in commands. */
const COMMON: ReadonlySet<string> = new Set(
  "test tests build lint run src lib app docs main master release deploy the for and all check generate client server api web dev prod migrate migration schema types".split(
    " ",
  ),
);

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}
