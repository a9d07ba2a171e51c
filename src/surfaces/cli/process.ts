import { run, type RunOptions } from "./main.ts";
import { type Interrupt, processIo } from "./process-io.ts";

/** Runs the command line on the process's own terminal. */
export function runProcess(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  interrupt: Interrupt,
  known: Pick<RunOptions, "heard"> = {},
): Promise<number> {
  return run(argv, processIo(environment, interrupt), { environment, ...known });
}
