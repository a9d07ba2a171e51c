import { completionScript, SHELLS } from "../completion.ts";
import type { CommandSpec, Invocation, OptionSpec } from "../command.ts";
import { EXIT, UsageError, json } from "../io.ts";

export async function runCompletion(
  { io, positionals, flag }: Invocation,
  commands: readonly CommandSpec[],
  optionsOf: (command: CommandSpec) => Readonly<Record<string, OptionSpec>>,
): Promise<number> {
  const [given] = positionals;
  const shell = SHELLS.find((one) => one === given);
  if (shell === undefined)
    throw new UsageError(
      given === undefined
        ? `completion needs a shell: ${SHELLS.join(", ")}`
        : `unknown shell ${given}; use one of ${SHELLS.join(", ")}`,
    );
  const script = completionScript(shell, commands, optionsOf);
  if (flag("json")) json(io, { shell, script });
  else io.out(script);
  return EXIT.ok;
}
