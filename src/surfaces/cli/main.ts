import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { locate, type Locations } from "../../app/workspace/locations.ts";
import { stayedBehind } from "../../app/transfer/stayed-behind.ts";
import type { CutOff } from "../../app/workspace/transfer-records.ts";
import { obstaclesToFirst } from "../../app/workspace/saving.ts";
import { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "../../app/workspace/open-workspace.ts";
import { argumentProblem, MemoryError } from "../../core/shared/errors.ts";
import { commandNamed, COMMANDS, COMMON_OPTIONS } from "./catalogue.ts";
import { actionsOf, type CommandSpec, type Invocation, type OptionSpec } from "./command.ts";
import { EXIT, exitCodeOf, forProgram, UsageError, type Io, json, line } from "./io.ts";
import { commandHelp, commandJson, overview, usageOf, suggestCommand, suggestOption } from "./help.ts";
import { isGated, isWriting, mayChangeNotes, requireMode } from "./mode-gate.ts";
import { forPerson } from "./wrap.ts";
import { wantSync } from "../../app/background/want-sync.ts";
import type { SyncOptions } from "../../app/sync/sync.ts";
import { version } from "../../app/workspace/version.ts";

/** `help [COMMAND] [--all] [--json]`; `help help` prints the same. */
function helpCommand(io: Io, argv: readonly string[]): number {
  const flags = argv.filter((word) => word.startsWith("-"));
  const strange = flags.find((word) => !["--all", "--json", "--help", "-h"].includes(word));
  if (strange !== undefined)
    throw new UsageError(`unknown option ${strange}; help takes the name of a command, --all and --json`);
  const [name] = argv.filter((word) => !word.startsWith("-") && word !== "help");
  const command = commandNamed(name);
  if (name !== undefined && command === undefined) throw unknownCommand(name);
  if (flags.includes("--json"))
    json(io, command === undefined ? { commands: COMMANDS.map(commandJson) } : commandJson(command));
  else io.out(command === undefined ? overview(io, flags.includes("--all")) : commandHelp(io, command));
  return EXIT.ok;
}

function unknownCommand(name: string): UsageError {
  const near = suggestCommand(name);
  return new UsageError(
    `unknown command "${name}"; ${near === undefined ? "`memdir help` lists the commands" : `did you mean \`memdir ${near}\`?`}`,
  );
}

export interface RunOptions extends Pick<WorkspaceOptions, "secrets"> {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What the sync remotes answered while the quick path was tried. */
  readonly heard?: SyncOptions["heard"];
}

/** Runs one command line (without `node memdir`); resolves to the exit code. */
export async function run(given: readonly string[], io: Io, options: RunOptions = {}): Promise<number> {
  const [name, ...rest] = commandFirst(given);
  const command = commandNamed(name);
  const wantsJson = given.includes("--json");
  try {
    if (name === undefined || HELP.has(name)) return helpCommand(io, rest);
    if (VERSION.has(name)) return printVersion(io, rest);
    if (command === undefined) throw unknownCommand(name);
    return await runCommand(command, rest, io, options);
  } catch (error) {
    return report(error, io, wantsJson, command);
  }
}

const HELP: ReadonlySet<string> = new Set(["help", "--help", "-h"]);

const VERSION: ReadonlySet<string> = new Set(["version", "--version", "-V", "-v"]);

function printVersion(io: Io, argv: readonly string[]): number {
  const strange = argv.find((word) => !["--json", "--help", "-h"].includes(word));
  if (strange !== undefined) throw new UsageError(`version takes only --json, not ${strange}`);
  if (argv.includes("--json")) json(io, { version: version() });
  else line(io, version());
  return EXIT.ok;
}

/** `--json list` and `--dir DIR list` work like `list --json` and `list --dir DIR`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (at < argv.length) {
    const [name = "", value] = (argv[at] ?? "").replace(/^--/u, "").split("=", 2);
    const option = argv[at]?.startsWith("--") === true && name !== "help" ? COMMON_OPTIONS[name] : undefined;
    if (option === undefined) break;
    at += option.type === "string" && value === undefined ? 2 : 1;
  }
  return at >= argv.length ? argv : [...argv.slice(at, at + 1), ...argv.slice(0, at), ...argv.slice(at + 1)];
}

async function runCommand(
  command: CommandSpec,
  argv: readonly string[],
  given: Io,
  options: RunOptions,
): Promise<number> {
  const { values, positionals } = parse(command, argv);
  if (values["help"] === true) {
    given.out(commandHelp(given, command));
    return EXIT.ok;
  }
  const io = ioFor(command, values, given);
  // Node decodes bytes that are not UTF-8 as this character, so the text would be saved garbled.
  if (TAKES_TEXT.has(command.name) && argv.some((word) => word.includes("\uFFFD")))
    throw new MemoryError("refused", "an argument is not UTF-8 or contains U+FFFD, so nothing was done; type it again");
  let open: OpenWorkspace | undefined;
  const dir = text(values["dir"]);
  const agentType = text(values["agent-type"]);
  const invocation: Invocation = {
    positionals,
    io,
    option: (name) => text(values[name]),
    options: (name) => texts(values[name]),
    flag: (name) => values[name] === true,
    heard: options.heard,
    workspace: () => (open ??= opened()),
  };
  const opened = (): OpenWorkspace => {
    const place = { ...options, ...(dir !== undefined && { dir }), ...(agentType !== undefined && { agentType }) };
    const workspace = openSettled(io, locate(place), options);
    // Before this point nothing could have been changed.
    io.ifInterrupted("what it had done by then is complete and stays");
    return workspace;
  };
  try {
    if (isGated(command.name)) requireMode(command.name, invocation.workspace());
    const code = await (await command.load()).run(invocation);
    if (dir !== undefined && open !== undefined) sayMissing(io, open);
    if (dir === undefined && open !== undefined && open.mode !== "off" && !TELLS_ITSELF.has(command.name))
      sayStayedBehind(io, open);
    // If no turns are captured, nothing else tidies the stores.
    if (isWriting(command.name)) open?.tidy(Date.now() + TIDY_MS);
    // The capture worker requests this itself for the projects that it worked on.
    if (mayChangeNotes(command.name) && open !== undefined && values["pending"] !== true)
      wantSync(open.locations, "change");
    return code;
  } finally {
    open?.close();
  }
}

/** Commands whose texts stay as they are, even on a terminal. */
const VERBATIM: ReadonlySet<string> = new Set(["show", "diff", "completion", "install", "uninstall"]);

function ioFor({ name }: CommandSpec, values: Readonly<Record<string, unknown>>, given: Io): Io {
  if (values["json"] === true) return forProgram(given);
  return VERBATIM.has(name) || values["raw"] === true || values["text"] === true ? given : forPerson(given);
}

/** Short, because a user waits for the command to end (ms). */
const TIDY_MS = 500;

const TAKES_TEXT: ReadonlySet<string> = new Set(["remember", "edit", "log", "checkpoint"]);

/** By now a writing command has created it; after a reading one, a mistyped path must not look like an empty store. */
function sayMissing(io: Io, { locations }: OpenWorkspace): void {
  const [place] = locations.stores;
  if (place === undefined || existsSync(place.directory)) return;
  const [obstacle] = obstaclesToFirst(place);
  io.err(
    `memdir: ${place.directory} does not exist; ${obstacle === undefined ? "the first note creates it" : `it cannot be created: ${obstacle}`}\n`,
  );
}

const TELLS_ITSELF: ReadonlySet<string> = new Set(["status", "doctor", "project", "link"]);

/** Notes that are no longer read must not look lost. */
function sayStayedBehind(io: Io, { locations }: OpenWorkspace): void {
  const stayed = stayedBehind(locations);
  if (stayed !== undefined && stayed.message.endsWith("not read"))
    io.err(`memdir: ${stayed.message}; bring them here with: ${stayed.remedy}\n`);
}

/** Opens the stores, and reports which half-done moves of a killed process were finished. */
function openSettled(io: Io, locations: Locations, { secrets }: RunOptions): OpenWorkspace {
  const workspace = openWorkspace(locations, {
    ...(secrets && { secrets }),
    instructions: async () => (await import("../../app/instructions/instruction-text.ts")).instructionsAt(locations),
  });
  for (const settled of workspace.settled) io.err(`memdir: ${settledSentence(settled)}\n`);
  return workspace;
}

function settledSentence({ kind, transfer: { from, to, files }, ...rest }: CutOff): string {
  if ("message" in rest) return `a move between two stores is half done and cannot be completed now: ${rest.message}`;
  const names = files
    .map((file) => file.from)
    .slice(0, 5)
    .join(", ");
  if (kind === "finished")
    return `completed an interrupted move: ${names} went from ${from.directory} to ${to.directory}`;
  if (kind === "dropped") return `an interrupted move had not begun: ${names} stayed in ${from.directory}`;
  return `a move was interrupted and notes changed since, so both copies stay: ${"files" in rest ? rest.files.join(", ") : ""} in ${from.directory} and ${to.directory}`;
}

function parse(
  command: CommandSpec,
  argv: readonly string[],
): { values: Readonly<Record<string, unknown>>; positionals: readonly string[] } {
  const specs = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  const options = Object.fromEntries(
    specs.flatMap(([name, { type, multiple, formerly }]) => {
      const taken = { type, ...(multiple === true && { multiple }), ...(name === "help" && { short: "h" }) };
      return [[name, taken], ...(formerly === undefined ? [] : [[formerly, taken]])];
    }),
  );
  const { args, restore } = withTexts(argv, command);
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    const values: Record<string, unknown> = { ...parsed.values };
    for (const [name, { formerly }] of specs) if (formerly !== undefined) values[name] ??= values[formerly];
    const positionals = parsed.positionals.map(restore);
    const extra = positionals[mostOf(command, positionals[0])];
    if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"; ${extraAdvice(command)}`);
    refuseMisplaced(command, values, positionals[0]);
    return { values, positionals };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(argumentProblem(error, unknownIn(command)));
    throw error;
  }
}

function extraAdvice({ options }: CommandSpec): string {
  const quotes = "put words that belong together in quotes";
  return Object.hasOwn(options, "body") ? `a text goes after --body; ${quotes}` : quotes;
}

/** Otherwise an option that an action does not take would be silently ignored. */
function refuseMisplaced(
  command: CommandSpec,
  values: Readonly<Record<string, unknown>>,
  first: string | undefined,
): void {
  const action = first ?? command.standard ?? "";
  // The command itself reports an unknown action.
  if (first !== undefined && !actionsOf(command).includes(first)) return;
  for (const [name, { only }] of Object.entries(command.options)) {
    if (values[name] === undefined || only === undefined || only.includes(action)) continue;
    const form = (one: string): string =>
      one === "" ? `\`memdir ${command.name}\` without an action` : `\`memdir ${command.name} ${one}\``;
    throw new UsageError(`--${name} is for ${only.map(form).join(" and ")}, not for ${form(action)}`);
  }
}

/** The maximum number of arguments for this command with this first argument. */
function mostOf({ positionals, actions = [] }: CommandSpec, first: string | undefined): number {
  const followers = Array.isArray(actions) ? undefined : new Map(Object.entries(actions)).get(first ?? "");
  return followers === undefined ? positionals : 1 + followers;
}

/**
 * A word with white space that begins with a dash is a text, not an option: `- item`, `--force is dangerous here`. In
 * `--name=a text`, what precedes the first white space is still an option.
 */
function withTexts(
  argv: readonly string[],
  command: CommandSpec,
): { readonly args: string[]; readonly restore: (word: string) => string } {
  const end = argv.indexOf("--");
  const options: Readonly<Record<string, OptionSpec>> = { ...command.options, ...COMMON_OPTIONS };
  const given = new Map<string, string>();
  const args: string[] = [];
  for (const [at, word] of argv.entries()) {
    const isText = (end === -1 || at < end) && /^-[^\s=]*\s/u.test(word);
    const before = args.at(-1) ?? "";
    const takesValue = options[before.slice(2)]?.type === "string" && before.startsWith("--");
    if (!isText) args.push(word);
    else if (takesValue) args.splice(-1, 1, `${before}=${word}`);
    else {
      const placeholder = `\0${at}`; // no argument of a process can contain it
      given.set(placeholder, word);
      args.push(placeholder);
    }
  }
  return { args, restore: (word) => given.get(word) ?? word };
}

/** The advice for an option that a command does not have. */
function unknownIn(command: CommandSpec): (option: string) => string {
  return (option) => {
    const near = suggestOption(option, command);
    return `unknown option ${option}; ${near === undefined ? "" : `${near} If not, `}put \`--\` before words that begin with a dash`;
  };
}

/** Errors are one line that says what failed and what to do; only a bug in memdir prints a stack. */
function report(error: unknown, given: Io, asJson: boolean, command: CommandSpec | undefined): number {
  const io = forPerson(given);
  const known = error instanceof MemoryError || error instanceof UsageError;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof MemoryError ? error.code : error instanceof UsageError ? "usage" : "bug";
  if (asJson) json(io, { error: { code, message } });
  io.err(`memdir: ${message}\n`);
  if (error instanceof UsageError && command !== undefined) io.err(`${usageOf(io, command)}\n`);
  if (!known)
    io.err(
      `This is a bug in memdir. Nothing that memdir confirmed is lost.\n${error instanceof Error ? (error.stack ?? "") : ""}\n`,
    );
  return exitCodeOf(error);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
