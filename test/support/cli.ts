import fs from "node:fs";
import path from "node:path";
import { scratch } from "./scratch.ts";
import { type RunOptions, run } from "../../src/surfaces/cli/main.ts";
import { type Io, visible } from "../../src/surfaces/cli/io.ts";

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CliOptions extends RunOptions {
  readonly input?: string;
  /** The answer to a question; `undefined` is no terminal. */
  readonly answer?: boolean;
  /** Lines typed at a terminal, in turn. */
  readonly typed?: readonly string[];
  /** Gets what would be said at Ctrl-C, as the command goes on. */
  readonly interrupted?: string[];
  readonly edit?: (text: string) => string;
  /** Columns of a terminal that a person reads; without it the output goes to a pipe. */
  readonly terminal?: number;
}

/** Runs a command line as a person would, with a terminal of the test's own. */
export async function cli(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  let out = "";
  let err = "";
  const typed = [...(options.typed ?? [])];
  const io: Io = {
    out: (text) => (out += visible(text)),
    err: (text) => (err += visible(text)),
    readInput: async () => options.input ?? "",
    pipedInput: async () => options.input ?? "",
    ifInterrupted: (says) => options.interrupted?.push(says),
    confirm: async () => options.answer,
    ask: async (question) => {
      out += visible(question);
      return typed.shift();
    },
    editText: async (text) => options.edit?.(text),
    keepEdit: (text, name) => {
      const file = path.join(scratch(), name);
      fs.writeFileSync(file, text);
      return file;
    },
    canAsk: options.typed !== undefined || options.answer !== undefined,
    color: false,
    isTerminal: options.terminal !== undefined,
    width: options.terminal ?? 80,
  };
  const code = await run(argv, io, options);
  return { code, out, err };
}

/** Where `emptyHome` puts the home. */
export function homeOf(root: string): string {
  return `${root}/home`;
}

/** An environment with an empty home of its own. */
export function emptyHome(root: string): Record<string, string | undefined> {
  return { HOME: homeOf(root), PATH: process.env["PATH"] };
}
