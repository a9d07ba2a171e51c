import { parseArgs } from "node:util";
import { argumentProblem } from "../../core/shared/errors.ts";
import { PROFILES, TOOL_NAMES } from "./memory-offer.ts";

export interface ServerOptions {
  readonly tools: readonly string[];
  readonly dir: string | undefined;
  /** `undefined` serves standard input and output. */
  readonly http: HttpChoice | undefined;
}

export interface HttpChoice {
  readonly port: number;
  readonly tokenFile: string | undefined;
  readonly projects: readonly string[];
}

/** A mistake in the command line, reported in one line. */
export class ArgumentError extends Error {}

const PORT = 7332;
const TEXT = { type: "string" } as const;
const OPTIONS = {
  profile: TEXT,
  tools: TEXT,
  dir: TEXT,
  http: { type: "boolean" },
  port: TEXT,
  "token-file": TEXT,
  project: { type: "string", multiple: true },
} as const;

/** @throws ArgumentError */
export function readArguments(argv: readonly string[]): ServerOptions {
  const values = parse(argv);
  const { http = false, port, project, dir } = values;
  const tokenFile = values["token-file"];
  if (!http && (port !== undefined || tokenFile !== undefined || project !== undefined))
    throw new ArgumentError("--port, --token-file and --project belong to --http");
  if (dir !== undefined && project !== undefined) throw new ArgumentError("give --dir or --project, not both");
  const number = Number(port ?? PORT);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new ArgumentError(`--port is "${port ?? ""}"; it takes a number from 0 to 65535`);
  return {
    tools: toolsOf(values.tools, values.profile),
    dir,
    http: http ? { port: number, tokenFile, projects: project ?? [] } : undefined,
  };
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

function toolsOf(list: string | undefined, profile: string | undefined): readonly string[] {
  if (list !== undefined && profile !== undefined) throw new ArgumentError("give --tools or --profile, not both");
  if (list === undefined) {
    const found = Object.entries(PROFILES).find(([name]) => name === (profile ?? "default"));
    if (found === undefined)
      throw new ArgumentError(`there is no profile "${profile ?? ""}"; use ${Object.keys(PROFILES).join(", ")}`);
    return found[1];
  }
  const names = list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = names.find((name) => !TOOL_NAMES.includes(name));
  if (unknown !== undefined)
    throw new ArgumentError(`there is no tool "${unknown}"; there are ${TOOL_NAMES.join(", ")}`);
  if (names.length === 0) throw new ArgumentError(`--tools names none; there are ${TOOL_NAMES.join(", ")}`);
  return names;
}
