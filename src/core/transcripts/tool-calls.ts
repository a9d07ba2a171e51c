import type { ToolCall, Turn } from "./turn.ts";

/** The limit for one value in a tool's input; the contents of written files are not needed here. */
const MOST_CHARACTERS = 4_000;
const PATCHED_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): *(.+?) *$/gmu;
/** Tools that write a file they name, in the clients' spellings. */
const WRITERS: ReadonlySet<string> = new Set([
  "write",
  "edit",
  "multiedit",
  "notebookedit",
  "write_file",
  "replace",
  "patch",
  "apply_patch",
  "create",
  "str_replace_based_edit_tool",
]);
const PATH_KEYS = ["file_path", "filePath", "notebook_path", "path", "absolute_path"];
/** A memory server's tools that change notes, with any client prefix. */
const MEMORY_TOOL = /(?:^|[_.:/])memdir\w*?[_.:/]+(?:remember|revise|edit|forget|remove|supersede|retire|pin)$/iu;
const MEMORY_COMMAND = /(?:^|[\s;&|(/])memdir(?:\.cjs)?["']?\s+(?:remember|edit|forget|remove|pin|undo)\b/u;

/** Files that a call wrote, as the agent named them. */
export function writtenPaths({ name, input }: ToolCall): readonly string[] {
  const values = isObject(input)
    ? PATH_KEYS.flatMap((key) => (typeof input[key] === "string" ? [input[key]] : []))
    : [];
  const named = WRITERS.has(lastPart(name)) ? values : [];
  return [...named, ...textsOf(input).flatMap((text) => [...text.matchAll(PATCHED_FILE)].map(([, path = ""]) => path))];
}

/** Whether a call changed notes through memdir itself: its server's tools or its command. */
export function callsMemory({ name, input }: ToolCall): boolean {
  return (
    MEMORY_TOOL.test(name) || (SHELLS.has(lastPart(name)) && textsOf(input).some((text) => MEMORY_COMMAND.test(text)))
  );
}

const SHELLS: ReadonlySet<string> = new Set([
  "bash",
  "shell",
  "local_shell",
  "exec_command",
  "run_shell_command",
  "powershell",
  "terminal",
  "run_terminal_cmd",
]);

/** The script that a call gave to a shell; `undefined` for any other tool. */
export function scriptOf({ name, input }: ToolCall): string | undefined {
  if (!SHELLS.has(lastPart(name))) return undefined;
  if (typeof input === "string") return input;
  if (!isObject(input)) return undefined;
  const given = input["command"] ?? input["cmd"] ?? input["script"];
  if (typeof given === "string") return given;
  if (!Array.isArray(given)) return undefined;
  const words = given.filter((word): word is string => typeof word === "string");
  // `["bash", "-lc", SCRIPT]`, as Codex calls a shell.
  return words.length === 3 && /^-\w*c$/u.test(words[1] ?? "") ? words[2] : words.join(" ");
}

/** The turn without file contents in its calls; the paths stay. */
export function withoutBulk(turn: Turn): Turn {
  return turn.toolCalls.length === 0
    ? turn
    : { ...turn, toolCalls: turn.toolCalls.map((call) => ({ ...call, input: lightened(call.input) })) };
}

function lightened(input: unknown): unknown {
  if (typeof input === "string") return shortened(input);
  if (!isObject(input)) return undefined;
  return Object.fromEntries(
    Object.entries(input)
      .slice(0, 20)
      .flatMap(([key, value]): [string, unknown][] => {
        if (typeof value === "string") return [[key, shortened(value)]];
        return Array.isArray(value)
          ? [[key, value.slice(0, 20).flatMap((part): string[] => (typeof part === "string" ? [shortened(part)] : []))]]
          : [];
      }),
  );
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const patched = [...text.matchAll(PATCHED_FILE)].slice(0, 50).map(([whole]) => whole);
  return [text.slice(0, MOST_CHARACTERS), ...patched].join("\n");
}

/** Texts of an input: itself, its values, and the parts of a command given as a list, joined. */
export function textsOf(input: unknown): readonly string[] {
  if (typeof input === "string") return [input];
  if (!isObject(input)) return [];
  return Object.values(input).flatMap((value) =>
    typeof value === "string"
      ? [value]
      : Array.isArray(value)
        ? [value.filter((part) => typeof part === "string").join(" ")]
        : [],
  );
}

/** `mcp__files__write_file`, `functions.apply_patch`: the name of the tool itself. */
function lastPart(name: string): string {
  return (name.split(/__|[.:/]/u).at(-1) ?? name).toLowerCase();
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
