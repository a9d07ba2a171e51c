import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from "unbash";
import type { SimpleCommand, ShellParser } from "../../core/guards/command-line.ts";

/** Commands of a Bash script by the parser `unbash`, which runs nothing and recovers from what is malformed. */
export const simpleCommands: ShellParser = (script) => {
  const tree = parse(script);
  const commands: SimpleCommand[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command") commands.push(readCommand(node, script));
    forEachChild(node, visit);
  };
  visit(tree);
  // What is not a script (PowerShell, say) is looked at as it stands.
  return (tree.errors ?? []).length === 0 ? commands : undefined;
};

function readCommand({ name, args, redirects, pos, end }: Command, script: string): SimpleCommand {
  const values = args.map((argument) => (argument.type === "Word" ? argument.value : argument.text));
  return {
    // Without a name it only sets variables, or opens files.
    words: name === undefined ? [] : [name.value, ...values],
    source: script.slice(pos, end),
    standardInput: redirects.map(inputOf).find((text) => text !== undefined),
  };
}

function inputOf(redirection: Redirection): string | undefined {
  if (redirection.type === "HereDoc") return redirection.body.text;
  return redirection.type === "HereString" ? redirection.target?.value : undefined;
}

// One module takes the package in; others that read commands have it from here.
export { forEachChild, parse };
