import { parseArgs } from "node:util";
import { argumentProblem } from "../../core/shared/argument-problem.ts";

export interface PageArguments {
  /** 0 takes a free one. */
  readonly port: number;
  readonly opens: boolean;
  readonly json: boolean;
  readonly dir: string | undefined;
  readonly agentType: string | undefined;
}

/** A mistake in the command line: said in one line. */
export class ArgumentError extends Error {}

const OPTIONS = {
  port: { type: "string" },
  "no-open": { type: "boolean" },
  json: { type: "boolean" },
  dir: { type: "string" },
  "agent-type": { type: "string" },
} as const;

/** @throws ArgumentError */
export function readArguments(argv: readonly string[]): PageArguments {
  const values = parse(argv);
  const port = Number(values.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ArgumentError(`--port takes a number from 0 to 65535, not "${values.port ?? ""}"`);
  const json = values.json === true;
  return { port, opens: !json && values["no-open"] !== true, json, dir: values.dir, agentType: values["agent-type"] };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true }).values;
  } catch (error) {
    if (error instanceof TypeError)
      throw new ArgumentError(argumentProblem(error, (option) => `unknown option ${option}`));
    throw error;
  }
}
