import type { Scope } from "../notes/note.ts";
import { commandSubjects, type ShellParser, type Subject, wordSubjects } from "./command-line.ts";
import { type Guard, GUARD_ACTIONS, type GuardAction } from "./guard.ts";
import { record } from "../shared/json.ts";

/** A guard that a person approved, with its note. */
export interface ArmedGuard {
  readonly scope: Scope;
  readonly file: string;
  /** The store's notes directory. */
  readonly directory: string;
  readonly name: string;
  /** The note's description: the reason, where the guard has no message of its own. */
  readonly about?: string | undefined;
  readonly guard: Guard;
}

/** A tool call that an agent is about to make. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** Tells for each pattern whether it matches one of the texts; `undefined` when that took too long. */
export type PatternTest = (
  patterns: readonly string[],
  subjects: readonly Subject[],
) => readonly (boolean | undefined)[];

/** What judging a call needs from outside. */
export interface CallJudge {
  readonly test: PatternTest;
  readonly parse: ShellParser;
}

export interface Matches<T extends ArmedGuard> {
  readonly matched: readonly T[];
  /** Guards whose pattern took too long: the call proceeds, and the user should be told. */
  readonly tooSlow: readonly T[];
}

/** Only this many characters of an input are tested. */
const SUBJECT_CHARACTERS = 20_000;

const COMMANDS = ["command", "cmd"] as const;
const PATHS = ["file_path", "filePath", "notebook_path", "absolute_path", "path", "dir_path"] as const;

/** The guards that match a call. */
export function matchGuards<T extends ArmedGuard>(
  guards: readonly T[],
  call: PlannedCall,
  { test, parse }: CallJudge,
): Matches<T> {
  const likely = guards.filter(({ guard }) => toolMatches(guard.tool, call.tool));
  if (likely.length === 0) return { matched: [], tooSlow: [] };
  const answers = test(
    likely.map(({ guard }) => guard.pattern),
    subjectsOf(call.input, parse),
  );
  return {
    matched: likely.filter((_, at) => answers[at] === true),
    tooSlow: likely.filter((_, at) => answers[at] === undefined),
  };
}

/** The texts that patterns are tested against: all forms of the command if there is one, else `subjectOf`. */
export function subjectsOf(input: unknown, parse: ShellParser): readonly Subject[] {
  const command = firstOf(input, COMMANDS);
  if (command === undefined) return [{ text: subjectOf(input), fromStart: false }];
  const subjects = Array.isArray(command)
    ? wordSubjects(command.map(String), parse)
    : commandSubjects(String(command).slice(0, SUBJECT_CHARACTERS), parse);
  return [...new Map(subjects.map((subject) => [`${subject.fromStart} ${subject.text}`, subject])).values()].map(
    ({ text, fromStart }) => ({ text: text.slice(0, SUBJECT_CHARACTERS), fromStart }),
  );
}

/** A call in one line: the command if there is one, else the path, else the whole input as JSON. */
export function subjectOf(input: unknown): string {
  const value = firstOf(input, [...COMMANDS, ...PATHS]);
  const text = Array.isArray(value) ? value.map(String).join(" ") : value;
  return (typeof text === "string" ? text : (JSON.stringify(input) ?? "")).slice(0, SUBJECT_CHARACTERS);
}

/** The file or folder that a call names. */
export function pathOf(input: unknown): string | undefined {
  const value = firstOf(input, PATHS);
  return typeof value === "string" ? value : undefined;
}

/** The first of these fields with a text or a list. */
function firstOf(input: unknown, names: readonly string[]): string | readonly unknown[] | undefined {
  const fields = record(input);
  for (const name of names) {
    const value = fields[name];
    if ((typeof value === "string" && value !== "") || (Array.isArray(value) && value.length > 0)) return value;
  }
  return undefined;
}

/** The strongest action among these guards. */
export function strongest(guards: readonly ArmedGuard[]): GuardAction | undefined {
  return GUARD_ACTIONS.findLast((action) => guards.some(({ guard }) => guard.action === action));
}

/** Names by which clients call the same tool, in lower case; a guard for one applies to all. */
const KINDS: readonly (readonly string[])[] = [
  ["bash", "run_shell_command", "shell", "local_shell", "shell_command", "exec_command"],
  ["read", "read_file"],
  ["write", "write_file"],
  ["edit", "multiedit", "replace", "apply_patch"],
  ["glob", "find_files"],
  ["grep", "grep_search", "search_file_content"],
  ["webfetch", "web_fetch"],
  ["websearch", "web_search", "google_web_search"],
];

/** Whether a name or glob (`*`, `?`, alternatives with `|`) matches a client's tool. */
export function toolMatches(wanted: string, tool: string): boolean {
  const name = tool.toLowerCase();
  const names = KINDS.find((kind) => kind.includes(name)) ?? [name];
  return wanted
    .toLowerCase()
    .split("|")
    .some((glob) => names.some((one) => globMatches(glob.trim(), one)));
}

/** Backtracks only to the last star, so that no pattern takes long. */
function globMatches(glob: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resumed = 0;
  let position = 0;
  while (position < name.length) {
    if ((glob[at] === "?" || glob[at] === name[position]) && glob[at] !== "*") {
      at++;
      position++;
    } else if (glob[at] === "*") {
      star = ++at;
      resumed = position;
    } else if (star !== -1) {
      at = star;
      position = ++resumed;
    } else return false;
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}
