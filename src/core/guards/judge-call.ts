import type { Scope } from "../notes/note.ts";
import { GUARD_ACTIONS, type Guard, type GuardAction } from "./guard.ts";
import { toolMatches } from "./tool-names.ts";

/** A guard that a person approved, with the note it stands in. */
export interface ArmedGuard {
  readonly scope: Scope;
  readonly file: string;
  /** The store's directory of notes. */
  readonly directory: string;
  readonly name: string;
  readonly guard: Guard;
}

/** A tool call that an agent is about to make. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** Says for each pattern whether it matches the text; `undefined` where it took too long to tell. */
export type PatternTest = (patterns: readonly string[], text: string) => readonly (boolean | undefined)[];

export interface Matches<T extends ArmedGuard> {
  readonly matched: readonly T[];
  /** Patterns that took too long: the call goes on, and somebody should hear of it. */
  readonly tooSlow: readonly T[];
}

/** Of a longer input only the beginning is looked at (characters). */
const SUBJECT_CHARACTERS = 20_000;

const COMMANDS = ["command", "cmd"] as const;
const PATHS = ["file_path", "filePath", "notebook_path", "absolute_path", "path", "dir_path"] as const;

/** The guards that speak of a call. */
export function matchGuards<T extends ArmedGuard>(guards: readonly T[], call: PlannedCall, test: PatternTest): Matches<T> {
  const likely = guards.filter(({ guard }) => toolMatches(guard.tool, call.tool));
  if (likely.length === 0) return { matched: [], tooSlow: [] };
  const answers = test(likely.map(({ guard }) => guard.pattern), subjectOf(call.input));
  return { matched: likely.filter((_, at) => answers[at] === true), tooSlow: likely.filter((_, at) => answers[at] === undefined) };
}

/** What a pattern is held against: the command where there is one, else the path, else the whole input as JSON. */
export function subjectOf(input: unknown): string {
  const values = typeof input === "object" && input !== null && !Array.isArray(input) ? new Map<string, unknown>(Object.entries(input)) : new Map<string, unknown>();
  for (const name of [...COMMANDS, ...PATHS]) {
    const value = values.get(name);
    const text = Array.isArray(value) ? value.map(String).join(" ") : value;
    if (typeof text === "string" && text !== "") return text.slice(0, SUBJECT_CHARACTERS);
  }
  return (JSON.stringify(input) ?? "").slice(0, SUBJECT_CHARACTERS);
}

/** The strongest action of guards that matched. */
export function strongest(guards: readonly ArmedGuard[]): GuardAction | undefined {
  return GUARD_ACTIONS.findLast((action) => guards.some(({ guard }) => guard.action === action));
}
