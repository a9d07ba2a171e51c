import { COMMANDS, COMMON_OPTIONS } from "./catalogue.ts";
import type { CommandSpec, OptionSpec } from "./command.ts";
import { type Io, paint, table } from "./io.ts";

const GROUPS = [
  ["main", "The main job"],
  ["recall", "Understand recall"],
  ["notes", "Notes"],
  ["versions", "Versions"],
  ["care", "Care"],
] as const;

export function overview(io: Io): string {
  const sections = GROUPS.map(([group, title]) => {
    const rows = COMMANDS.filter((command) => command.group === group).map(({ name, summary }) => [`  ${paint(io, "cyan", name)}`, summary]);
    return `${paint(io, "bold", title)}\n${table(rows).join("\n")}`;
  });
  return `memdir: memory for coding agents, as plain Markdown

Usage: memdir COMMAND [ARGUMENTS] [--dir DIR] [--json]

${sections.join("\n\n")}

\`memdir COMMAND --help\` explains a command. Start with \`memdir demo\`.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused (a secret, hidden text),
5 conflict, 6 store busy, read-only or full, 130 interrupted.
`;
}

export function commandHelp(io: Io, command: CommandSpec): string {
  const options = { ...command.options, ...COMMON_OPTIONS };
  const rows = Object.entries(options).map(([name, option]) => [`  ${paint(io, "cyan", optionUsage(name, option))}`, option.summary]);
  const examples = command.examples.map(([example, meaning]) => [`  ${example}`, meaning === "" ? "" : paint(io, "dim", `# ${meaning}`)]);
  return [
    `memdir ${command.name}: ${command.summary}`,
    `Usage: memdir ${command.name} ${command.usage}`.trimEnd(),
    ...(command.details === undefined ? [] : [command.details]),
    `${paint(io, "bold", "Options")}\n${table(rows).join("\n")}`,
    `${paint(io, "bold", "Examples")}\n${table(examples).join("\n").replace(/[ \t]+$/gmu, "")}`,
  ].join("\n\n") + "\n";
}

/** The same for programs: options with what they take. */
export function commandJson({ name, group, summary, usage, details, options, examples }: CommandSpec): Readonly<Record<string, unknown>> {
  const taken = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([option, spec]) => ({ name: option, type: spec.type, ...(spec.value !== undefined && { value: spec.value }), ...(spec.multiple === true && { multiple: true }), summary: spec.summary }));
  return { name, group, summary, usage: `memdir ${name} ${usage}`.trimEnd(), ...(details !== undefined && { details }), options: taken, examples: examples.map(([command, meaning]) => ({ command, meaning })) };
}

function optionUsage(name: string, option: OptionSpec): string {
  return option.type === "string" ? `--${name} ${option.value ?? "VALUE"}` : `--${name}`;
}

/** The command that was probably meant. */
export function nearestCommand(wanted: string): string | undefined {
  const ranked = COMMANDS.map(({ name }) => ({ name, distance: editDistance(wanted, name) })).toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.name : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, x] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, y] of [...b].entries()) next.push(Math.min((row[j] ?? 0) + (x === y ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row[b.length] ?? 0;
}
