import { isRecord } from "../shared/json.ts";
import type { DraftProposal, DraftStep, SkillAuthor, SkillScope } from "./types.ts";

export type ParsedProposal =
  | { readonly ok: true; readonly proposal: DraftProposal }
  | { readonly ok: false; readonly problem: string };

/** The form in which a draft is handed in, said to whoever used another one. */
const PROPOSAL_FORM =
  '{"name": "release-cli", "description": "What it does. Use when …", "when": "…", "steps": [{"text": "…", "command": "…"}], "pitfalls": ["…"], "check": "one command whose exit code decides", "programs": ["git"]}';

/** What came as JSON, as a proposal; lists that are missing are empty, fields of another form are refused. */
export function parseProposal(
  value: unknown,
  given: {
    readonly author: SkillAuthor;
    readonly scope: SkillScope;
    readonly from: readonly string[];
    readonly candidate: string | undefined;
    /** Where the task tells them; else the writer does. */
    readonly programs?: readonly string[];
  },
): ParsedProposal {
  const refuse = (problem: string): ParsedProposal => ({
    ok: false,
    problem: `${problem}; the form is ${PROPOSAL_FORM}`,
  });
  if (!isRecord(value)) return refuse("a draft is one JSON object");
  const missing = ["name", "description", "when"].find((key) => !isText(value[key]));
  if (missing !== undefined) return refuse(`"${missing}" is not a text`);
  const steps = stepsOf(value["steps"]);
  if (steps === undefined || steps.length === 0) return refuse('"steps" is not a list of texts with commands');
  const pitfalls = list(value["pitfalls"]);
  const programs = list(value["programs"]);
  if (pitfalls === undefined || programs === undefined) return refuse('"pitfalls" and "programs" are lists of texts');
  const { check, revises, operation } = value;
  if (check !== undefined && check !== null && typeof check !== "string") return refuse('"check" is not a text');
  if (typeof check === "string" && check.trim().includes("\n")) return refuse('"check" is more than one line');
  return {
    ok: true,
    proposal: {
      ...given,
      name: String(value["name"]),
      description: String(value["description"]),
      when: String(value["when"]),
      steps,
      pitfalls,
      programs: given.programs ?? programs,
      check: typeof check === "string" && check.trim() !== "" ? check.trim() : undefined,
      ...(isText(revises) && operation !== "create" && { revises }),
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function stepsOf(value: unknown): readonly DraftStep[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const steps = value.map((one: unknown): DraftStep | undefined => {
    if (typeof one === "string") return { text: one };
    if (!isRecord(one) || typeof one["text"] !== "string") return undefined;
    const { text, command } = one;
    if (command !== undefined && command !== null && typeof command !== "string") return undefined;
    return typeof command === "string" && command.trim() !== "" ? { text, command: command.trim() } : { text };
  });
  return steps.every((one) => one !== undefined) ? steps : undefined;
}

function list(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
}

/** What commands need to be there before they run: scripts of the tree, and scripts of package.json. */
export interface Needs {
  readonly files: readonly string[];
  readonly scripts: readonly string[];
}

/** Only what a step cannot make first: a file that an interpreter is given, a program by its path, a named script. */
export function needsOf(commands: readonly string[]): Needs {
  const files: string[] = [];
  const scripts: string[] = [];
  for (const command of commands.flatMap((one) => one.split(/&&|\|\||[;|\n]/u))) {
    const words = command.trim().split(/\s+/u);
    const at = words.findIndex((word) => !/^\w+=/u.test(word));
    const [head = "", first = "", second = ""] = words.slice(Math.max(0, at));
    if (/^\.\/[\w./-]+$/u.test(head)) files.push(head.slice(2));
    if (/^(?:node|bash|sh|python3?|ruby|deno|tsx)$/u.test(head) && /^(?:\.\/)?[\w][\w./-]*\.\w+$/u.test(first))
      files.push(first.replace(/^\.\//u, ""));
    if (/^(?:npm|pnpm|yarn|bun)$/u.test(head) && first === "run" && /^[\w:.-]+$/u.test(second)) scripts.push(second);
  }
  return { files: [...new Set(files)], scripts: [...new Set(scripts)] };
}
