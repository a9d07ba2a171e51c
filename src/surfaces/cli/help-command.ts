import { commandNamed, COMMANDS } from "./catalogue.ts";
import { EXIT, UsageError } from "./exit.ts";
import { commandHelp, commandJson, overview } from "./help.ts";
import { type Io, json } from "./io.ts";
import { suggestCommand } from "./suggest.ts";

/** `help [COMMAND] [--all] [--json]`; asked for help on itself, it says the same. */
export function helpCommand(io: Io, argv: readonly string[]): number {
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

export function unknownCommand(name: string): UsageError {
  const near = suggestCommand(name);
  return new UsageError(
    `unknown command "${name}"; ${near === undefined ? "`memdir help` lists the commands" : `did you mean \`memdir ${near}\`?`}`,
  );
}
