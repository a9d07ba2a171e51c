import { analyseQuery } from "../notes/terms.ts";
import { oneLine, truncate } from "../shared/text.ts";
import { dangersIn, isIdleCheck, isPassing } from "./refused-words.ts";
import { commandsOf, sizeProblems } from "./skill.ts";
import type { DraftProposal, SkillGate, SkillText } from "./types.ts";

/** What the gates compare a text with. */
export interface Beside {
  /** memdir's own skills of the same scopes. */
  readonly own: readonly Pick<SkillText, "id" | "name" | "description" | "body">[];
  /** Skills written or installed by people, in any client's folder. */
  readonly human: readonly { readonly name: string; readonly description: string }[];
}

export interface GateFinding {
  readonly gate: SkillGate;
  readonly message: string;
  /** Only a person may overrule it. */
  readonly isDoubt: boolean;
}

/** Values of one session: ids, hashes, dates, versions, long numbers. */
const SESSION_VALUE =
  /^(?:[0-9a-f]{7,40}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d.*|v?\d+\.\d+\.\d+.*|\d{4,}|\/(?:tmp|var\/folders)\/.*)$/u;

/** From this overlap of description words two skills answer the same prompt; of steps, they do the same. */
const SAME_TRIGGER = 0.6;
const SAME_STEPS = 0.5;

/** Every gate for a proposal's text except those for secrets and hidden characters, which run earlier. */
export function textGates(proposal: DraftProposal, skill: SkillText, beside: Beside): readonly GateFinding[] {
  const commands = commandsOf(skill.body);
  return [
    ...sizeProblems(skill).map((message): GateFinding => ({ gate: "invalid", message, isDoubt: false })),
    ...idle(proposal),
    ...specific(commands),
    ...transient(proposal),
    ...others(proposal, skill, beside),
    ...dangerous(proposal, skill.description),
  ];
}

/** An agent that follows a skill reads all its words, so a command in a pitfall counts too. */
function dangerous({ when, steps, pitfalls, check }: DraftProposal, description: string): readonly GateFinding[] {
  const texts = [description, when, ...steps.flatMap(({ text, command }) => [text, command ?? ""]), ...pitfalls, check];
  return texts.flatMap((text = "") =>
    dangersIn(text).map((what): GateFinding => ({
      gate: "dangerous",
      message: `\`${truncate(oneLine(text), 200)}\` ${what}`,
      isDoubt: true,
    })),
  );
}

function idle({ check }: DraftProposal): readonly GateFinding[] {
  return check === undefined || !isIdleCheck(check)
    ? []
    : [{ gate: "no-check", message: `\`${check}\` passes whatever happens, so it proves nothing`, isDoubt: false }];
}

function specific(commands: readonly string[]): readonly GateFinding[] {
  const words = commands.flatMap((command) => command.split(/[\s=]+/u)).filter((word) => word !== "");
  const values = words.filter((word) => SESSION_VALUE.test(word));
  return words.length > 0 && values.length * 3 > words.length
    ? [
        {
          gate: "too-specific",
          message: `more than a third of its words are of one session: ${values[0] ?? ""}`,
          isDoubt: false,
        },
      ]
    : [];
}

/** Only a pitfall may say that something fails, since it also says what works. */
function transient({ description, when, steps }: DraftProposal): readonly GateFinding[] {
  const found = [description, when, ...steps.map(({ text }) => text)].find(isPassing);
  return found === undefined
    ? []
    : [
        {
          gate: "transient",
          message: `"${found.slice(0, 80)}" may hold no longer tomorrow; say it as a pitfall, with what works`,
          isDoubt: false,
        },
      ];
}

function others({ revises }: DraftProposal, skill: SkillText, { own, human }: Beside): readonly GateFinding[] {
  const named = human.find(({ name }) => name === skill.name);
  const alike = human.find((one) => overlap(wordsOf(one), wordsOf(skill)) >= SAME_TRIGGER);
  const person = named ?? alike;
  if (person !== undefined)
    return [{ gate: "human-exists", message: `a person's skill ${person.name} is there for this`, isDoubt: false }];
  const rest = own.filter(({ id }) => id !== revises);
  const same = rest.find((one) => one.name === skill.name || isSame(one, skill));
  return same === undefined
    ? []
    : [{ gate: "duplicate", message: `the skill ${same.name} says the same; revise it instead`, isDoubt: false }];
}

function isSame(one: Beside["own"][number], other: SkillText): boolean {
  const steps = overlap(new Set(commandsOf(one.body)), new Set(commandsOf(other.body)));
  return steps >= SAME_STEPS && overlap(wordsOf(one), wordsOf(other)) >= SAME_TRIGGER;
}

function wordsOf({ name, description }: { readonly name: string; readonly description: string }): ReadonlySet<string> {
  return new Set(analyseQuery(`${name.replaceAll("-", " ")} ${description}`));
}

/** The share of the smaller set that is also in the larger one. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const least = Math.min(one.size, other.size);
  return least === 0 ? 0 : [...one].filter((word) => other.has(word)).length / least;
}
