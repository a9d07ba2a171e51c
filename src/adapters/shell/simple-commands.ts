import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from "unbash";
import type { SimpleCommand, ShellParser } from "../../core/guards/command-line.ts";

/** Commands of a Bash script, read with the parser `unbash`, which runs nothing and recovers from malformed input. */
export const simpleCommands: ShellParser = (script) => {
  const tree = parse(script);
  const commands: SimpleCommand[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command") commands.push(readCommand(node, script));
    forEachChild(node, visit);
  };
  visit(tree);
  // Text that is not a Bash script (PowerShell, for example) is judged as it is.
  return (tree.errors ?? []).length === 0 ? commands : undefined;
};

function readCommand({ name, args, redirects, pos, end }: Command, script: string): SimpleCommand {
  const values = args.map((argument) => (argument.type === "Word" ? argument.value : argument.text));
  return {
    // A command without a name only sets variables or opens files.
    words: name === undefined ? [] : [name.value, ...values],
    source: script.slice(pos, end),
    standardInput: redirects.map(inputOf).find((text) => text !== undefined),
  };
}

function inputOf(redirection: Redirection): string | undefined {
  if (redirection.type === "HereDoc") return redirection.body.text;
  return redirection.type === "HereString" ? redirection.target?.value : undefined;
}

// Only one module imports the package; other modules that read commands import it from here.
export { forEachChild, parse };
