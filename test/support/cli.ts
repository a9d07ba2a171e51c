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
  /** The answer to a question; `undefined` means there is no terminal. */
  readonly answer?: boolean;
  /** Gets every question. */
  readonly asked?: string[];
  /** Lines typed at a terminal, in order. */
  readonly typed?: readonly string[];
  /** Collects the messages for Ctrl-C at each point of the command. */
  readonly interrupted?: string[];
  readonly edit?: (text: string) => string;
  /** Columns of the terminal; without it the output goes to a pipe. */
  readonly terminal?: number;
}

/** Runs a command line like a user, with a simulated terminal. */
export async function cli(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  let out = "";
  let err = "";
  const typed = [...(options.typed ?? [])];
  const io: Io = {
    out: (text) => (out += visible(text)),
    err: (text) => (err += visible(text)),
    readInput: async () => options.input ?? "",
    pipedInput: async () => options.input ?? "",
    shellInput: async () => options.input ?? "",
    ifInterrupted: (says) => options.interrupted?.push(says),
    confirm: async (question) => {
      options.asked?.push(question);
      return options.answer;
    },
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
    errorWidth: options.terminal,
    width: options.terminal ?? 80,
  };
  const code = await run(argv, io, options);
  return { code, out, err };
}

/** The home directory that `emptyHome` uses. */
export function homeOf(root: string): string {
  return `${root}/home`;
}

/** An environment with its own empty home. */
export function emptyHome(root: string): Record<string, string | undefined> {
  return { HOME: homeOf(root), PATH: process.env["PATH"] };
}
