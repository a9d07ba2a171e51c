import type { Scope } from "../notes/note.ts";
import { commandSubjects, type ShellParser, type Subject, wordSubjects } from "./command-line.ts";
import { type Guard, GUARD_ACTIONS, type GuardAction } from "./guard.ts";
import { record } from "../shared/json.ts";

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

/** Says for each pattern whether it matches one of the texts; `undefined` where it took too long to tell. */
export type PatternTest = (
  patterns: readonly string[],
  subjects: readonly Subject[],
) => readonly (boolean | undefined)[];

/** What judging a call needs of the outside. */
export interface CallJudge {
  readonly test: PatternTest;
  readonly parse: ShellParser;
}

export interface Matches<T extends ArmedGuard> {
  readonly matched: readonly T[];
  /** Patterns that took too long: the call goes on, and someone should hear of it. */
  readonly tooSlow: readonly T[];
}

/** Of a longer input only the beginning is looked at (characters). */
const SUBJECT_CHARACTERS = 20_000;

const COMMANDS = ["command", "cmd"] as const;
const PATHS = ["file_path", "filePath", "notebook_path", "absolute_path", "path", "dir_path"] as const;

/** The guards that speak of a call. */
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

/** What a pattern is held against: each way to write the command where there is one, else `subjectOf`. */
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

/** A call in one line: the command where there is one, else the path, else the whole input as JSON. */
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

/** The first of these fields that holds a text or a list. */
function firstOf(input: unknown, names: readonly string[]): string | readonly unknown[] | undefined {
  const fields = record(input);
  for (const name of names) {
    const value = fields[name];
    if ((typeof value === "string" && value !== "") || (Array.isArray(value) && value.length > 0)) return value;
  }
  return undefined;
}

/** The strongest action of guards that matched. */
export function strongest(guards: readonly ArmedGuard[]): GuardAction | undefined {
  return GUARD_ACTIONS.findLast((action) => guards.some(({ guard }) => guard.action === action));
}

/** Clients call the same tool by different names; a guard for one of them speaks of all. Lower case. */
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

/** Whether a name or glob (`*`, `?`, alternatives with `|`) stands for a client's tool. */
export function toolMatches(wanted: string, tool: string): boolean {
  const name = tool.toLowerCase();
  const names = KINDS.find((kind) => kind.includes(name)) ?? [name];
  return wanted
    .toLowerCase()
    .split("|")
    .some((glob) => names.some((one) => globMatches(glob.trim(), one)));
}

/** Never goes back further than to the last star: linear enough for whatever someone writes. */
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
