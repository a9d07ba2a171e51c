import { findHidden } from "../shared/hidden.ts";
import { findSecrets } from "../shared/secrets/find-secrets.ts";
import { writtenPaths } from "../transcripts/tool-calls.ts";
import { type ParsePipelines, ranIn } from "./commands.ts";
import { FILLERS } from "./outcome.ts";
import { uncommonOf } from "./recipe.ts";
import { dangersIn, isPassing } from "./refused-words.ts";
import type { Recipe, SkillGate, Task } from "./types.ts";

/** What the gates compare a candidate with. */
export interface CandidateContext {
  readonly parse: ParsePipelines;
  readonly isEveryday: (head: string) => boolean;
  /** Text that tools returned in the session. */
  readonly toolTexts: readonly string[];
  /** Notes that recall may have shown. */
  readonly notes: readonly string[];
  /** Instructions, package scripts and CI jobs of the project: what they contain need not be learnt. */
  readonly declared: readonly string[];
  /** Skills written by people, in any client's folder. */
  readonly human: readonly { readonly name: string; readonly description: string }[];
  /** Commands of memdir's own skills. */
  readonly own: readonly { readonly commands: readonly string[] }[];
  /** A skill was loaded in this task, so its steps are not a new procedure. */
  readonly hasLoaded: boolean;
}

/** A command this long (in characters) is not on a page by chance; one with an address may be shorter. */
const QUOTED = 40;
const QUOTED_ADDRESS = 20;
const MOST_VALUES = 1 / 3;
const MOST_OWN_FILES = 3;

/** The gates that refuse a draft from this task; the tests hold a planted case for each. */
export function gatesOf(task: Task, recipe: Recipe, context: CandidateContext): readonly SkillGate[] {
  const lines = linesOf(recipe);
  const ran = ranIn(task.calls, context.parse);
  const raw = ran.filter(({ looks }) => !looks).map(({ command }) => command);
  const gates: readonly (readonly [SkillGate, boolean])[] = [
    ["secret", [...lines, ...raw].some((line) => findSecrets(line).length > 0)],
    ["hidden-characters", [...lines, ...raw].some((line) => findHidden(line).length > 0)],
    ["injected", isInjected(task, raw, context)],
    ["recalled", isQuoted(raw, context.notes)],
    ["from-a-skill", context.hasLoaded],
    ["dangerous", [...lines, ...ran.map(({ command }) => command)].some((line) => dangersIn(line).length > 0)],
    ["derivable", isDerivable(recipe, raw, context)],
    ["too-specific", isTooSpecific(task, recipe)],
    ["transient", isTransient(recipe)],
    ["human-exists", context.human.some((skill) => answersSamePrompt(skill, recipe))],
    ["duplicate", context.own.some(({ commands }) => hasSameCommands(commands, recipe))],
  ];
  return gates.flatMap(([gate, refuses]) => (refuses ? [gate] : []));
}

function linesOf({ description, steps, edits = [], pitfalls, check }: Recipe): readonly string[] {
  return [
    description,
    ...steps.map(({ command }) => command),
    ...edits,
    ...pitfalls.flatMap(({ failed, error, worked }) => [failed, error, worked]),
    ...(check === undefined ? [] : [check]),
  ];
}

/** Whether a command first appeared in a tool's output: a page, a file or an issue told the agent to run it. */
function isInjected(task: Task, raw: readonly string[], { toolTexts, parse }: CandidateContext): boolean {
  const texts = toolTexts.map(flat);
  return ranIn(task.calls, parse).some(({ command, looks, call }) => {
    const words = flat(command);
    const least = /:\/\/|\|\s*\w*sh\b/u.test(command) ? QUOTED_ADDRESS : QUOTED;
    if (looks || words.length < least || flat(task.prompt).includes(words)) return false;
    const own = flat(`${call.result?.head ?? ""} ${call.result?.tail ?? ""}`);
    return !own.includes(words) && raw.includes(command) && texts.some((text) => text.includes(words));
  });
}

function isQuoted(raw: readonly string[], texts: readonly string[]): boolean {
  const known = texts.map(flat);
  return raw.some(
    (command) => flat(command).length >= QUOTED_ADDRESS && known.some((text) => text.includes(flat(command))),
  );
}

function flat(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** Nothing but everyday commands, or a list that the project already contains. */
function isDerivable(recipe: Recipe, raw: readonly string[], { declared, isEveryday }: CandidateContext): boolean {
  if (recipe.signature.every(isEveryday) && recipe.pitfalls.length === 0) return true;
  const steps = recipe.steps.map(({ call: _, command }) => flat(command));
  return (
    steps.length > 0 &&
    raw.length > 0 &&
    declared.some((text) => {
      const known = flat(text);
      return steps.every((step) => known.includes(step));
    })
  );
}

/** Too many values of this session, or too many files that only this task made. */
function isTooSpecific(task: Task, { steps }: Recipe): boolean {
  const tokens = steps.flatMap(({ command }) => command.split(/\s+/u));
  const values = tokens.filter((token) => /<(?!name>)\w+>|^(?:\/(?!dev\/null)|~\/)/u.test(token));
  const made = new Set(
    task.calls
      .filter(({ name }) => /write|create/iu.test(name))
      .flatMap(writtenPaths)
      .map((path) => path.split("/").at(-1) ?? path),
  );
  const named = [...made].filter((file) => steps.some(({ command }) => command.includes(file)));
  return (tokens.length > 0 && values.length > tokens.length * MOST_VALUES) || named.length > MOST_OWN_FILES;
}

/** Says only that something does not work, without an alternative that does. */
function isTransient({ description, steps, pitfalls }: Recipe): boolean {
  return isPassing(description) && steps.length < 2 && pitfalls.length === 0;
}

function answersSamePrompt({ name, description }: CandidateContext["human"][number], recipe: Recipe): boolean {
  const theirs = wordsOf(`${name} ${description}`);
  const ours = wordsOf(recipe.description);
  if (ours.size < 2) return false;
  const shared = [...ours].filter((word) => theirs.has(word)).length;
  const heads = uncommonOf(recipe).filter((head) => `${name} ${description}`.includes(head)).length;
  return shared / ours.size >= 0.6 || heads >= 2;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
      .filter((word) => !FILLERS.has(word))
      .map((word) => word.replace(/(?:ing|ed|es|e|s)$/u, "")),
  );
}

/** Compares commands as sets: with half in common it is the same skill, to be revised instead of duplicated. */
function hasSameCommands(commands: readonly string[], { steps }: Recipe): boolean {
  const ours = new Set(steps.map(({ command }) => flat(command)));
  const shared = commands.filter((command) => ours.has(flat(command))).length;
  return shared > 0 && shared * 2 >= Math.min(commands.length, ours.size);
}
