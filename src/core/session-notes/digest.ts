import type { ToolCall, Transcript } from "../transcripts/turn.ts";
import { record } from "../shared/json.ts";

/** One request of the user, and what the agent did about it. */
export interface Step {
  readonly time: string | undefined;
  /** As typed. */
  readonly ask: string;
  readonly edited: Set<string>;
  commands: number;
  failed: number;
}

/** A failed command and its outcome. */
export interface Failure {
  readonly command: string;
  times: number;
  /** Files edited between the failure and the next success. */
  readonly editedSince: Set<string>;
  passedLater: boolean;
}

export interface Todo {
  readonly text: string;
  readonly state: "open" | "doing" | "done";
}

export interface EditedFile {
  times: number;
  readonly names: Set<string>;
}

/** What can be extracted from a session without a model. Texts are raw. */
export interface Digest {
  readonly steps: readonly Step[];
  readonly edited: ReadonlyMap<string, EditedFile>;
  readonly read: ReadonlySet<string>;
  readonly failures: readonly Failure[];
  readonly todos: readonly Todo[];
  /** The agent's last text. */
  readonly lastWords: string;
  readonly isAnswered: boolean;
}

interface Building {
  readonly steps: Step[];
  readonly edited: Map<string, EditedFile>;
  readonly read: Set<string>;
  readonly failures: Map<string, Failure>;
  todos: readonly Todo[];
}

export function digestOf({ turns, cwd, failedCalls = [] }: Transcript): Digest {
  const state: Building = { steps: [], edited: new Map(), read: new Set(), failures: new Map(), todos: [] };
  const failed = new Set(failedCalls);
  let lastWords = "";
  for (const turn of turns) {
    if (turn.role === "user")
      state.steps.push({ time: turn.time, ask: turn.text, edited: new Set(), commands: 0, failed: 0 });
    else if (turn.text.trim() !== "") lastWords = turn.text;
    for (const call of turn.toolCalls) addCall(state, call, { cwd, hasFailed: failed.has(call.id) });
  }
  return { ...state, failures: [...state.failures.values()], lastWords, isAnswered: turns.at(-1)?.role !== "user" };
}

const EDITS =
  /^(?:edit|write|multi_?edit|notebook_?edit|apply_patch|patch|write_file|replace|create_file|str_replace\w*)$/iu;
const READS = /^(?:read|view|read_file|read_many_files)$/iu;

function addCall(
  state: Building,
  { name, input }: ToolCall,
  { cwd, hasFailed }: { readonly cwd: string | undefined; readonly hasFailed: boolean },
): void {
  const fields = record(input);
  const todos = todosOf(fields);
  if (todos !== undefined) state.todos = todos;
  const command = commandOf(fields);
  if (command !== undefined) addCommand(state, command, hasFailed);
  const file = fileOf(fields, cwd);
  if (file === undefined || hasFailed) return;
  if (READS.test(name)) state.read.add(file);
  if (EDITS.test(name)) addEdit(state, file, fields);
}

function addEdit(state: Building, file: string, fields: Readonly<Record<string, unknown>>): void {
  const before = state.edited.get(file) ?? { times: 0, names: new Set<string>() };
  state.edited.delete(file); // last edited, last in order
  state.edited.set(file, before);
  before.times++;
  for (const text of [fields["new_string"], fields["old_string"]])
    if (typeof text === "string") for (const name of namesIn(text)) before.names.add(name);
  state.steps.at(-1)?.edited.add(file);
  for (const failure of state.failures.values()) if (!failure.passedLater) failure.editedSince.add(file);
}

/** Functions and types defined in a piece of code. */
function namesIn(code: string): readonly string[] {
  return [
    ...code
      .slice(0, 20_000)
      .matchAll(
        /^[ \t]*(?:export |public |private |static |async |pub )*(?:function|def|class|interface|fn|func|struct)\s+([A-Za-z_]\w{1,60})/gmu,
      ),
  ].map(([, name = ""]) => name);
}

function addCommand(state: Building, command: string, hasFailed: boolean): void {
  const step = state.steps.at(-1);
  if (step !== undefined) step.commands++;
  if (step !== undefined && hasFailed) step.failed++;
  const key = keyOf(command);
  const known = state.failures.get(key);
  if (hasFailed && known !== undefined && !known.passedLater) known.times++;
  else if (hasFailed) state.failures.set(key, { command, times: 1, editedSince: new Set(), passedLater: false });
  else if (known !== undefined) known.passedLater = true;
}

/** Commands that differ only in output filters are the same: `npm test 2>&1 | tail` is `npm test`. */
function keyOf(command: string): string {
  return (
    command
      .replace(/^cd \S+ && /u, "")
      .split(/\s*(?:2>|\||>)/u)[0]
      ?.replace(/\s+/gu, " ")
      .trim() ?? command
  );
}

function commandOf({ command, cmd }: Readonly<Record<string, unknown>>): string | undefined {
  const given = command ?? cmd;
  if (typeof given === "string" && given.trim() !== "") return given;
  return Array.isArray(given) && given.length > 0 && given.every((part) => typeof part === "string")
    ? given.join(" ")
    : undefined;
}

function fileOf(fields: Readonly<Record<string, unknown>>, cwd: string | undefined): string | undefined {
  const given = [
    fields["file_path"],
    fields["filePath"],
    fields["notebook_path"],
    fields["path"],
    fields["absolute_path"],
  ].find((one) => typeof one === "string" && one !== "");
  if (typeof given !== "string") return undefined;
  return cwd !== undefined && given.startsWith(`${cwd}/`) ? given.slice(cwd.length + 1) : given;
}

const STATES: Readonly<Record<string, Todo["state"]>> = {
  pending: "open",
  in_progress: "doing",
  completed: "done",
  done: "done",
};

function todosOf({ todos, plan }: Readonly<Record<string, unknown>>): readonly Todo[] | undefined {
  const list = Array.isArray(todos) ? todos : Array.isArray(plan) ? plan : undefined;
  return list?.flatMap((one): Todo[] => {
    const { content, step, description, status } = record(one);
    const text = [content, step, description].find((part) => typeof part === "string");
    return typeof text === "string" ? [{ text, state: STATES[String(status)] ?? "open" }] : [];
  });
}
