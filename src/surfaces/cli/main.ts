import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Locations, locate } from "../../compose/locations.ts";
import { stayedBehind } from "../../compose/projects.ts";
import type { CutOff } from "../../compose/settle-transfers.ts";
import { type OpenWorkspace, openWorkspace } from "../../compose/workspace.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { COMMANDS, COMMON_OPTIONS } from "./catalogue.ts";
import type { CommandSpec, Invocation } from "./command.ts";
import { EXIT, exitCodeOf, UsageError } from "./exit.ts";
import { commandHelp, commandJson, nearestCommand, overview } from "./help.ts";
import { type Io, json, line } from "./io.ts";
import { isGated, requireMode } from "./mode-gate.ts";
import { version } from "../../compose/version.ts";

export interface RunOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Runs one command line (without `node memdir`); resolves to the exit code. */
export async function run(argv: readonly string[], io: Io, options: RunOptions = {}): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") return help(io, rest);
  if (name === "--version" || name === "-v" || name === "version") {
    line(io, version());
    return EXIT.ok;
  }
  const command = COMMANDS.find((one) => one.name === name);
  const wantsJson = rest.includes("--json");
  try {
    if (command === undefined) throw unknownCommand(name);
    return await runCommand(command, rest, io, options);
  } catch (error) {
    return report(error, io, wantsJson, command);
  }
}

async function runCommand(command: CommandSpec, argv: readonly string[], io: Io, options: RunOptions): Promise<number> {
  const { values, positionals } = parse(command, argv);
  if (values["help"] === true) {
    io.out(commandHelp(io, command));
    return EXIT.ok;
  }
  let open: OpenWorkspace | undefined;
  const dir = text(values["dir"]);
  const agentType = text(values["agent-type"]);
  const invocation: Invocation = {
    positionals,
    io,
    option: (name) => text(values[name]),
    options: (name) => texts(values[name]),
    flag: (name) => values[name] === true,
    workspace: () => (open ??= openSettled(io, locate({ ...options, ...(dir === undefined ? {} : { dir }), ...(agentType === undefined ? {} : { agentType }) }))),
  };
  try {
    if (isGated(command.name)) requireMode(command.name, invocation.workspace());
    const code = await (await command.load()).run(invocation);
    if (dir !== undefined && open !== undefined) sayMissing(io, open);
    if (dir === undefined && open !== undefined && open.mode !== "off" && !TELLS_ITSELF.has(command.name)) sayStayedBehind(io, open);
    return code;
  } finally {
    open?.close();
  }
}

/** A command that writes has made the directory by now; for one that only read, a slip of the pen must not look like an empty store. */
function sayMissing(io: Io, { locations }: OpenWorkspace): void {
  const directory = locations.stores[0]?.directory;
  if (directory !== undefined && !existsSync(directory)) io.err(`memdir: there is no directory ${directory}; it is made when the first note is saved\n`);
}

const TELLS_ITSELF: ReadonlySet<string> = new Set(["status", "doctor", "project", "link"]);

/** Notes that nobody reads any more must not look lost. */
function sayStayedBehind(io: Io, { locations }: OpenWorkspace): void {
  const stayed = stayedBehind(locations);
  if (stayed !== undefined && stayed.message.endsWith("not read")) io.err(`memdir: ${stayed.message}; bring them here with: ${stayed.remedy}\n`);
}

/** Opens the stores, and says which moves between them that a killed process left half done were finished. */
function openSettled(io: Io, locations: Locations): OpenWorkspace {
  const workspace = openWorkspace(locations);
  for (const settled of workspace.settled) io.err(`memdir: ${settledSentence(settled)}\n`);
  return workspace;
}

function settledSentence({ kind, transfer: { from, to, files }, ...rest }: CutOff): string {
  if ("message" in rest) return `a move between two stores is half done and cannot be finished now: ${rest.message}`;
  const names = files.map((file) => file.from).slice(0, 5).join(", ");
  if (kind === "finished") return `a move that was cut off is finished: ${names} went from ${from.directory} to ${to.directory}`;
  if (kind === "dropped") return `a move that was cut off had not begun: ${names} stayed in ${from.directory}`;
  return `a move was cut off and notes changed since, so both stay: ${"files" in rest ? rest.files.join(", ") : ""} in ${from.directory} and ${to.directory}`;
}

function parse(command: CommandSpec, argv: readonly string[]): { values: Readonly<Record<string, unknown>>; positionals: readonly string[] } {
  const specs = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  const options = Object.fromEntries(specs.map(([name, { type, multiple }]) => [name, { type, ...(multiple === true && { multiple }), ...(name === "help" && { short: "h" }) }]));
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    if (positionals.length > command.positionals) throw new UsageError(`unexpected argument "${positionals[command.positionals] ?? ""}"; quote words that belong together`);
    return { values, positionals };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(parseProblem(error));
    throw error;
  }
}

/** Node's messages, shortened to what a person needs. */
function parseProblem(error: TypeError): string {
  const option = /'(-[^' ]*)/u.exec(error.message)?.[1] ?? "";
  const code = "code" in error ? error.code : undefined;
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return `there is no option ${option}; put \`--\` before words that begin with a dash`;
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return error.message.includes("does not take") ? `${option} takes no value` : `${option} needs a value: ${option}=VALUE where it begins with a dash`;
  return error.message;
}

function help(io: Io, given: readonly string[]): number {
  const asJson = given.includes("--json");
  const [name] = given.filter((one) => one !== "--json" && one !== "--help" && one !== "-h" && one !== "help");
  const command = COMMANDS.find((one) => one.name === name);
  if (name?.startsWith("-") === true) return report(new UsageError(`help takes the name of a command and --json; there is no option ${name}`), io, asJson, undefined);
  if (name !== undefined && command === undefined) return report(unknownCommand(name), io, asJson, undefined);
  if (asJson) {
    json(io, command === undefined ? { commands: COMMANDS.map(commandJson) } : commandJson(command));
    return EXIT.ok;
  }
  io.out(command === undefined ? overview(io) : commandHelp(io, command));
  return EXIT.ok;
}

function unknownCommand(name: string): UsageError {
  const near = nearestCommand(name);
  return new UsageError(`there is no command "${name}"; ${near === undefined ? "" : `did you mean \`memdir ${near}\`? `}\`memdir help\` lists them`);
}

/** Errors are one line that says what failed and what to do; a stack only for a bug of ours. */
function report(error: unknown, io: Io, asJson: boolean, command: CommandSpec | undefined): number {
  const known = error instanceof MemoryError || error instanceof UsageError;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof MemoryError ? error.code : error instanceof UsageError ? "usage" : "bug";
  if (asJson) json(io, { error: { code, message } });
  io.err(`memdir: ${message}\n`);
  if (error instanceof UsageError && command !== undefined) io.err(`Usage: memdir ${command.name} ${command.usage}\n`);
  if (!known) io.err(`This is a bug in memdir. Nothing that was acknowledged is lost.\n${error instanceof Error ? (error.stack ?? "") : ""}\n`);
  return exitCodeOf(error);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
