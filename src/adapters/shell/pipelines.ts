import type { Command, Redirection, SyntaxNode } from "unbash";
import { forEachChild, parse } from "./simple-commands.ts";
import type { ParsePipelines, Pipeline, RunCommand } from "../../core/skills/commands.ts";

/** The pipelines of a Bash script in source order, loops and branches flattened; `undefined` for other text. */
export const pipelines: ParsePipelines = (script) => {
  const tree = parse(script);
  if ((tree.errors ?? []).length > 0) return undefined;
  const found: Found[] = [];
  for (const [at, { command }] of tree.commands.entries())
    visit(command, { script, found, into: undefined, decides: at === tree.commands.length - 1 });
  return found.filter(({ commands }) => commands.some(({ words }) => words.length > 0));
};

interface Found extends Pipeline {
  readonly commands: RunCommand[];
}

interface Visit {
  readonly script: string;
  readonly found: Found[];
  /** The pipeline that a command belongs to. */
  readonly into: RunCommand[] | undefined;
  readonly decides: boolean;
}

function visit(node: SyntaxNode, at: Visit): void {
  const { script, found, into, decides } = at;
  if (node.type === "Command") {
    const command = readCommand(node, script);
    // The contents of its substitutions are part of the command.
    if (into !== undefined) into.push(command);
    else found.push({ commands: [command], source: script.slice(node.pos, node.end), decides });
  } else if (node.type === "Pipeline") {
    const commands: RunCommand[] = [];
    found.push({ commands, source: script.slice(node.pos, node.end), decides });
    forEachChild(node, (child) => visit(child, { ...at, into: commands }));
  } else if (node.type === "AndOr") {
    // Only a chain of `&&` passes a failure on to its end.
    for (const [index, child] of node.commands.entries())
      visit(child, { ...at, decides: decides && node.operators.slice(index).every((operator) => operator === "&&") });
  } else forEachChild(node, (child) => visit(child, { ...at, decides: false }));
}

function readCommand({ name, args, redirects, pos, end }: Command, script: string): RunCommand {
  const values = args.map((argument) => (argument.type === "Word" ? argument.value : argument.text));
  return {
    words: name === undefined ? [] : [name.value, ...values],
    source: script.slice(pos, end),
    writes: redirects.flatMap(fileOf),
  };
}

function fileOf(redirection: Redirection): readonly string[] {
  if (redirection.type !== "Redirect" || !redirection.operator.includes(">")) return [];
  const file = redirection.operator.endsWith("&") ? undefined : redirection.target?.value;
  return file === undefined || file.startsWith("/dev/") ? [] : [file];
}
