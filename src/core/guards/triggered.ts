import type { Scope, Note } from "../notes/note.ts";
import { isRecord, parseJson } from "../shared/json.ts";
import { writtenPaths } from "../transcripts/tool-calls.ts";
import { type Guard, parseGuard } from "./guard.ts";
import { type CallJudge, matchGuards, type PlannedCall, pathOf, subjectsOf } from "./judge-call.ts";
import { isAt } from "./file-names.ts";
import { withoutFraming } from "../notes/wording/framing.ts";
import { namedFiles, type ProjectFiles } from "./named-files.ts";
import { label } from "../shared/sanitize.ts";
import { cutAtWord } from "../shared/text.ts";

/** A note that is shown when the agent touches a file or runs a command that it names. */
export interface Trigger {
  readonly file: string;
  /** Size and time of the note's file when it was read; the trigger is skipped if the file changed since. */
  readonly size: number;
  readonly mtimeMs: number;
  /** Of the note's file; empty in a file of an older memdir. */
  readonly hash: string;
  /** The line says all that the note says. */
  readonly isWhole: boolean;
  /** What the agent is shown. */
  readonly line: string;
  /** Files, folders or globs (`src/*.ts`). */
  readonly paths: readonly string[];
  readonly commands: readonly string[];
  readonly when: Pick<Guard, "tool" | "pattern"> | undefined;
}

export interface ScopedTrigger extends Trigger {
  readonly scope: Scope;
  readonly directory: string;
}

/** A file beside a store's index with the triggers of its notes. It can be deleted; the worker rebuilds it. */
export const TRIGGERS_FILE = "triggers.json";

/**
 * The notes that a tool call triggers, in the order given. What is above `root`, the top of the project, is not part of
 * a path.
 */
export function triggersMeeting(
  triggers: readonly ScopedTrigger[],
  call: PlannedCall,
  judge: CallJudge,
  root?: string,
): readonly ScopedTrigger[] {
  const paths = [pathOf(call.input), ...writtenPaths({ id: "", name: call.tool, input: call.input })]
    .filter((path) => path !== undefined)
    .map((path) => within(root?.replaceAll("\\", "/"), path.replaceAll("\\", "/")));
  const speaksOfCommands = triggers.some(({ commands }) => commands.length > 0);
  const commands = paths.length === 0 && speaksOfCommands ? commandsOf(call, judge) : [];
  const armed = triggers.flatMap((trigger) => {
    const { when, scope, directory, file } = trigger;
    const guard = when === undefined ? undefined : { ...when, action: "warn" as const, message: undefined };
    return guard === undefined ? [] : [{ scope, directory, file, name: file, guard, trigger }];
  });
  const wanted = new Set(matchGuards(armed, call, judge).matched.map(({ trigger }) => trigger));
  return triggers.filter(
    (trigger) =>
      wanted.has(trigger) ||
      trigger.paths.some((named) => paths.some((path) => isAt(path, named))) ||
      trigger.commands.some((named) => commands.some((command) => `${command} `.startsWith(`${named} `))),
  );
}

function within(root: string | undefined, path: string): string {
  return root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

function commandsOf({ input }: PlannedCall, { parse }: CallJudge): readonly string[] {
  return isRecord(input) && (input["command"] !== undefined || input["cmd"] !== undefined)
    ? subjectsOf(input, parse).map(({ text }) => text)
    : [];
}

export function writeTriggers(triggers: readonly Trigger[]): string {
  return `${JSON.stringify({ version: 1, notes: triggers })}\n`;
}

/** Empty for a file that is torn or has another version; the worker rebuilds it. */
export function parseTriggers(text: string): readonly Trigger[] {
  const value = parseJson(text);
  if (!isRecord(value) || value["version"] !== 1 || !Array.isArray(value["notes"])) return [];
  return value["notes"].flatMap((one): Trigger[] => {
    if (!isRecord(one)) return [];
    const { file, size, mtimeMs, hash, isWhole, line, when } = one;
    if (typeof file !== "string" || typeof line !== "string") return [];
    const { tool, pattern } = isRecord(when) ? when : {};
    const texts = (list: unknown): readonly string[] =>
      Array.isArray(list) ? list.filter((named) => typeof named === "string") : [];
    return [
      {
        file,
        line,
        size: Number(size),
        mtimeMs: Number(mtimeMs),
        hash: typeof hash === "string" ? hash : "",
        isWhole: isWhole === true,
        paths: texts(one["paths"]),
        commands: texts(one["commands"]),
        when: typeof tool === "string" && typeof pattern === "string" ? { tool, pattern } : undefined,
      },
    ];
  });
}

const MOST_PATHS = 10;
const MOST_COMMANDS = 6;
const LINE_CHARACTERS = 140;
/** `git push --force` in backticks: a program and its arguments. */
const COMMAND_SPAN = /(?<!`)`([a-z][\w.-]{1,20}(?: [^`\n]{1,80}))`(?!`)/gu;
const COMMAND_WORD = /^(?:[a-z][\w:.-]*|--?[\w-]+)$/u;

/**
 * The tool calls that trigger a note; `undefined` when it names neither file nor command. `files` are those of its
 * project, if known.
 */
export function triggerOf(
  note: Pick<Note, "file" | "name" | "description" | "body" | "type">,
  frontmatter: Readonly<Record<string, unknown>>,
  files?: ProjectFiles,
): Pick<Trigger, "paths" | "commands" | "line" | "isWhole" | "when"> | undefined {
  const text = `${note.description}\n\n${note.body}`;
  const paths = namedFiles(text, files).slice(0, MOST_PATHS);
  const commands = note.type === "feedback" ? commandsIn(text) : [];
  const when = whenOf(frontmatter);
  if (paths.length + commands.length === 0 && when === undefined) return undefined;
  const about = withoutFraming(note.description === "" ? note.name : note.description);
  const line = cutAtWord(label(about, 2 * LINE_CHARACTERS), LINE_CHARACTERS);
  return { paths, commands, line, isWhole: saysAll(line, note.body), when };
}

function saysAll(line: string, body: string): boolean {
  const plain = (text: string): string => text.replace(/[\s.。!！]+$/u, "");
  return plain(label(withoutFraming(body.trim()), 2 * LINE_CHARACTERS)) === plain(line);
}

/** A program with its subcommand: `git push` of `git push --force-with-lease`. */
function commandsIn(text: string): readonly string[] {
  const found = [...text.matchAll(COMMAND_SPAN)].flatMap(([, span = ""]): string[] => {
    const telling = span.trim().split(/ +/u).slice(0, 2);
    return telling.length >= 2 && telling.every((word) => COMMAND_WORD.test(word)) ? [telling.join(" ")] : [];
  });
  return [...new Set(found)].slice(0, MOST_COMMANDS);
}

/** `metadata.when: { tool, pattern }`, validated like a guard; anything else is ignored. */
function whenOf(frontmatter: Readonly<Record<string, unknown>>): Trigger["when"] {
  const { metadata } = frontmatter;
  const value = isRecord(metadata) ? metadata["when"] : undefined;
  const read = isRecord(value) ? parseGuard({ ...value, action: "warn" }) : undefined;
  return read?.kind === "guard" ? { tool: read.guard.tool, pattern: read.guard.pattern } : undefined;
}
