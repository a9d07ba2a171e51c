import { fstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { MemoryError } from "../../core/shared/errors.ts";
import { END_OF_INPUT, type Io, visible } from "./io.ts";

/** What to say when the user stops the command; the process's entry prints it. */
export interface Interrupt {
  says: string;
}

/** The process's own terminal. */
export function processIo(
  environment: Readonly<Record<string, string | undefined>>,
  interrupt: Interrupt = { says: "" },
): Io {
  const forced = environment["FORCE_COLOR"] !== undefined && environment["FORCE_COLOR"] !== "0";
  const plain = environment["NO_COLOR"] !== undefined && environment["NO_COLOR"] !== "";
  /** Nothing is done with a text until all of it has arrived. */
  const whileReading = async (read: () => Promise<string>): Promise<string> => {
    const { says } = interrupt;
    interrupt.says = "nothing was changed";
    const text = await read();
    // A Ctrl-C that ends whoever writes ends this as well; it is heard once more events have been read.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    interrupt.says = says;
    return text;
  };
  return {
    out: (text) => write(1, visible(text)),
    err: (text) => write(2, visible(text)),
    readInput: () => whileReading(readInput),
    pipedInput: async () => (process.stdin.isTTY ? "" : whileReading(readInput)),
    shellInput: async () => (isFromShell() ? whileReading(readInput) : ""),
    confirm,
    ask,
    editText: (text, name) => editText(text, name, environment),
    keepEdit: (text, name) => editFile(text, name).file,
    get color() {
      return !plain && (forced || isTerminal());
    },
    get canAsk() {
      return canAsk();
    },
    get isTerminal() {
      return isTerminal();
    },
    get width() {
      return isTerminal() ? columnsOf(process.stdout) : 80;
    },
    get errorWidth() {
      return isTerminal(2) ? columnsOf(process.stderr) : undefined;
    },
    ifInterrupted: (says) => (interrupt.says = says),
  };
}

/** Checks the descriptor first: `process.stdout` loads Node's whole terminal code, some 4 ms of a cold process. */
function isTerminal(fd: 1 | 2 = 1): boolean {
  return fstatSync(fd).isCharacterDevice() && (fd === 1 ? process.stdout : process.stderr).isTTY;
}

function columnsOf({ columns }: NodeJS.WriteStream): number {
  // A terminal that does not know its size says 0.
  return columns === 0 ? 80 : Math.max(40, columns);
}

/** A program that starts memdir may leave its own end open forever: it gives a socket, a shell a pipe or a file. */
function isFromShell(): boolean {
  const input = fstatSync(0);
  return input.isFIFO() || input.isFile();
}

/** Synchronous, so that nothing is cut off at exit. If the reader has gone away, the command ends quietly. */
function write(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else if (code === "EPIPE") process.exit(0);
      // Usually a full disk. All that can be reported is that the output cannot be printed.
      else if (fd === 1 && code !== undefined) failOutput(String(code));
      else throw error;
    }
  }
}

function failOutput(code: string): never {
  write(
    2,
    `memdir: cannot write the output (${code}${code === "ENOSPC" ? ": no space left where it goes" : ""}); run the command again with another target\n`,
  );
  process.exit(1);
}

const END_KEYS = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";

async function readInput(): Promise<string> {
  if (process.stdin.isTTY) write(2, `reading what you type; end with ${END_KEYS} on a line of its own\n`);
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part));
  return utf8(Buffer.concat(parts), "standard input");
}

/** @throws MemoryError `refused`: text in another encoding would be saved garbled without any notice. */
function utf8(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new MemoryError(
      "refused",
      `${what} is not UTF-8, so nothing was done; convert it first, for example with \`iconv -f WINDOWS-1252 -t UTF-8\``,
      { cause: error },
    );
  }
}

/** While a question is open, the terminal delivers Ctrl-C as a key, not as a signal. */
function interrupted(): void {
  if (!process.emit("SIGINT", "SIGINT")) process.exit(130);
}

function canAsk(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

async function confirm(question: string): Promise<boolean | undefined> {
  if (!canAsk()) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D mean no; Ctrl-C also ends the command as usual.
  reader.once("SIGINT", interrupted);
  try {
    const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
    return /^y(?:es)?$/iu.test((await Promise.race([reader.question(`${visible(question)} [y/N] `), closed])).trim());
  } finally {
    reader.close();
  }
}

async function ask(question: string): Promise<string | undefined> {
  if (!canAsk()) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  reader.once("SIGINT", interrupted);
  try {
    const closed = new Promise<string>((resolve) => reader.once("close", () => resolve(END_OF_INPUT)));
    return await Promise.race([reader.question(visible(question)), closed]);
  } finally {
    reader.close();
  }
}

/** Writes the text to a new directory that only its owner can read. */
function editFile(text: string, name: string): { readonly directory: string; readonly file: string } {
  const directory = mkdtempSync(path.join(tmpdir(), "memdir-edit-"));
  const file = path.join(directory, path.basename(name));
  writeFileSync(file, text, { mode: 0o600 });
  return { directory, file };
}

async function editText(
  text: string,
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const editor = environment["VISUAL"] ?? environment["EDITOR"];
  if (editor === undefined || editor.trim() === "") return undefined;
  const { spawnSync } = await import("node:child_process");
  const { directory, file } = editFile(text, name);
  try {
    // Like git: the variable may hold a command with arguments, so a shell splits it; the file is passed separately.
    const result =
      process.platform === "win32"
        ? spawnSync(`${editor} "${file}"`, { stdio: "inherit", shell: true })
        : spawnSync("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    if (result.status !== 0)
      throw new MemoryError(
        "io",
        `the editor (${editor}) ended with ${result.status ?? result.signal ?? "an error"}; the note was not changed`,
      );
    return utf8(readFileSync(file), `what the editor (${editor}) saved`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
