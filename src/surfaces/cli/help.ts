import { COMMANDS, COMMON_OPTIONS } from "./catalogue.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import { type Io, paint } from "./io.ts";
import { fitted, wrap, wrapParts } from "./wrap.ts";

/** The command that was probably meant: by its meaning (`delete`), its beginning (`hist`) or a slip (`lits`). */
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

/** The name that is at most one slip in three letters away. */
export function nearest(wanted: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.name : undefined;
}

/** Letters to add, remove, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const isSwapped = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      next.push(
        Math.min(
          (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1),
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
          isSwapped ? (before[j - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

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
  const options = { ...command.options, ...COMMON_OPTIONS };
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

/** The same for programs: options with what they take. */
export function commandJson({
  name,
  aliases,
  group,
  summary,
  usage,
  details,
  options,
  examples,
}: CommandSpec): Readonly<Record<string, unknown>> {
  const taken = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([option, spec]) => ({
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
    examples: examples.map(([command, meaning]) => ({ command, meaning })),
  };
}

/** Broken between the forms and options of a command, never within one. */
export function usageOf(io: Pick<Io, "width">, { name, usage }: CommandSpec): string {
  const parts = usage.match(/\[[^\]]*\](?:…)?|\S+/gu) ?? [];
  const hanging = " ".repeat(`Usage: memdir ${name} `.length);
  return wrapParts(["Usage: memdir", name, ...parts], io.width, "", hanging).join("\n");
}

function optionUsage(name: string, option: OptionSpec): string {
  return option.type === "string" ? `--${name} ${option.value ?? "VALUE"}` : `--${name}`;
}
