import { COMMANDS, optionsOf } from "./catalogue.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import { type Io, paint } from "./io.ts";
import { nearest } from "../../core/shared/nearest.ts";
import triedOptions from "./tried-options.json" with { type: "json" };
import { fitted, wrap, wrapParts } from "./wrap.ts";

/** The command that was probably meant: by meaning (`delete`), by beginning (`hist`) or by typing error (`lits`). */
export function suggestCommand(wanted: string): string | undefined {
  const word = wanted.toLowerCase();
  const byMeaning = COMMANDS.find(({ name, triedAs }) => name === word || triedAs?.includes(word) === true);
  if (byMeaning !== undefined) return byMeaning.name;
  const names = [...COMMANDS.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]), "help", "version"];
  const begun = names.filter((name) => word.length >= 2 && name.startsWith(word));
  if (begun.length === 1) return begun[0];
  const slip = nearest(word, names);
  if (slip !== undefined) return slip;
  const tried = nearest(
    word,
    COMMANDS.flatMap(({ triedAs }) => triedAs ?? []),
  );
  return COMMANDS.find(({ triedAs }) => tried !== undefined && triedAs?.includes(tried) === true)?.name;
}

/** Suggests, as a question, the option that was probably meant; `undefined` if no option is similar. */
export function suggestOption(option: string, command: CommandSpec): string | undefined {
  const { name, usage } = command;
  const names = Object.keys(optionsOf(command));
  const word = option.replace(/^-+/u, "").toLowerCase();
  const asked = (one: string | undefined): string | undefined =>
    one === undefined ? undefined : `did you mean --${one}?`;
  const meanings = TRIED.filter(({ words }) => words.includes(word));
  const meant = meanings.flatMap((one): readonly string[] => one.options).find((one) => names.includes(one));
  if (meant !== undefined) return asked(meant);
  const called = usage.match(/[A-Z]{2,}/gu) ?? [];
  const argument = meanings.flatMap((one) => one.arguments).find((one) => called.some((known) => known === one));
  if (argument !== undefined) return `did you mean \`memdir ${name} ${argument}\`, without an option?`;
  const begun = names.filter((one) => word.length > 1 && one.startsWith(word));
  return asked(begun.length === 1 ? begun[0] : nearest(word, names));
}

const TRIED: readonly {
  readonly words: readonly string[];
  readonly options: readonly string[];
  readonly arguments: readonly string[];
}[] = triedOptions.tried;

const GROUPS = [
  ["notes", "Notes"],
  ["recall", "Recall and search"],
  ["versions", "Versions"],
  ["sessions", "Sessions"],
  ["scopes", "Scopes and projects"],
  ["agents", "Agents"],
  ["care", "Care"],
] as const;

/** The everyday commands, or all of them in groups. */
export function overview(io: Io, all: boolean): string {
  const everyday = COMMANDS.filter((command) => command.isEveryday === true);
  const sections = all
    ? GROUPS.map(([group, title]) =>
        section(
          io,
          title,
          COMMANDS.filter((command) => command.group === group),
        ),
      )
    : [section(io, "Everyday commands", everyday)];
  const more = all
    ? "`memdir COMMAND --help` explains one. To see memdir at work, run `memdir demo`."
    : `\`memdir help --all\` lists the other ${COMMANDS.length - everyday.length} commands.\n\`memdir COMMAND --help\` explains one. To see memdir at work, run \`memdir demo\`.`;
  return `memdir: memory for coding agents, as plain Markdown

Usage: memdir COMMAND [ARGUMENTS] [--dir DIR] [--json]

${sections.join("\n\n")}

${more}

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused (a secret,
hidden text), 5 conflict, 6 store busy, read-only or full, 130 interrupted.
`;
}

function section(io: Io, title: string, commands: readonly CommandSpec[]): string {
  const rows = commands.map((command) => [`  ${paint(io, "cyan", namesOf(command))}`, command.summary]);
  return `${paint(io, "bold", title)}\n${fitted(rows, io.width).join("\n")}`;
}

/** `list, ls`. */
function namesOf({ name, aliases }: CommandSpec): string {
  return [name, ...(aliases ?? [])].join(", ");
}

export function commandHelp(io: Io, command: CommandSpec): string {
  const options = optionsOf(command);
  const rows = Object.entries(options).map(([name, option]) => [
    `  ${paint(io, "cyan", optionUsage(name, option))}`,
    option.summary,
  ]);
  const examples = command.examples.map(([example, meaning]) => [
    `  ${example}`,
    meaning === "" ? "" : paint(io, "dim", `# ${meaning}`),
  ]);
  const head = wrap(`memdir ${command.name}: ${command.summary}`, io.width, "", "  ");
  return (
    [
      head.join("\n"),
      usageOf(io, command),
      ...(command.aliases === undefined ? [] : [`Short: memdir ${command.aliases.join(", ")}`]),
      ...(command.details === undefined ? [] : [wrap(command.details, io.width, "", "").join("\n")]),
      `${paint(io, "bold", "Options")}\n${fitted(rows, io.width).join("\n")}`,
      `${paint(io, "bold", "Examples")}\n${fitted(examples, io.width)
        .join("\n")
        .replace(/[ \t]+$/gmu, "")}`,
    ].join("\n\n") + "\n"
  );
}

/** A command's help as JSON: options with the values they take. */
export function commandJson(command: CommandSpec): Readonly<Record<string, unknown>> {
  const { name, aliases, group, summary, usage, details, examples } = command;
  const taken = Object.entries(optionsOf(command)).map(([option, spec]) => ({
    name: option,
    type: spec.type,
    ...(spec.value !== undefined && { value: spec.value }),
    ...(spec.values !== undefined && { values: spec.values }),
    ...(spec.multiple === true && { multiple: true }),
    ...(spec.only !== undefined && { only: spec.only }),
    summary: spec.summary,
  }));
  return {
    name,
    ...(aliases !== undefined && { aliases }),
    group,
    summary,
    usage: `memdir ${name} ${usage}`.trimEnd(),
    ...(details !== undefined && { details }),
    options: taken,
    examples: examples.map(([line, meaning]) => ({ command: line, meaning })),
  };
}

/** Lines break between the forms and options of a command, never inside one. */
export function usageOf(io: Pick<Io, "width">, { name, usage }: CommandSpec): string {
  const parts = usage.match(/\[[^\]]*\](?:…)?|\S+/gu) ?? [];
  const hanging = " ".repeat(`Usage: memdir ${name} `.length);
  return wrapParts(["Usage: memdir", name, ...parts], io.width, "", hanging).join("\n");
}

function optionUsage(name: string, option: OptionSpec): string {
  return option.type === "string" ? `--${name} ${option.value ?? "VALUE"}` : `--${name}`;
}
