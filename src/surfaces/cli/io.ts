import { randomBytes } from "node:crypto";
import { styleText } from "node:util";
import { escapeHidden, nameHidden } from "../../core/shared/hidden.ts";
import { MemoryError, type MemoryErrorCode } from "../../core/shared/errors.ts";

/** Exit codes by which scripts tell outcomes apart; documented in `memdir help`. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  conflict: 5,
  unavailable: 6,
  interrupted: 130,
} as const;

/** A mistake in the command line itself. */
export class UsageError extends Error {}

/** The mistake of an action that a command does not have. */
export function unknownAction(given: string, known: readonly string[]): UsageError {
  return new UsageError(`unknown action "${given}"; use one of ${known.join(", ")}`);
}

const CODES: Readonly<Record<MemoryErrorCode, number>> = {
  "invalid-input": EXIT.usage,
  "not-found": EXIT.notFound,
  conflict: EXIT.conflict,
  refused: EXIT.refused,
  locked: EXIT.unavailable,
  permission: EXIT.unavailable,
  "disk-full": EXIT.unavailable,
  unavailable: EXIT.unavailable,
  corrupt: EXIT.failed,
  io: EXIT.failed,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof MemoryError ? CODES[error.code] : EXIT.failed;
}

/** The terminal as commands see it; tests pass their own. */
export interface Io {
  /** Writes text through `visible`. */
  out(text: string): void;
  /** Writes what a program reads; default: `out`. */
  data?(text: string): void;
  err(text: string): void;
  /** All of standard input, requested explicitly with `-`; at a terminal, what the user types until end of input. */
  readInput(): Promise<string>;
  /** All of standard input if it is a pipe or a file; empty at a terminal. */
  pipedInput(): Promise<string>;
  /** The same where a shell gives it (`echo … |`, `< FILE`), for commands that also do something without any input. */
  shellInput(): Promise<string>;
  /** Asks a yes/no question; `undefined` when no user can answer. */
  confirm(question: string): Promise<boolean | undefined>;
  /** Whether a user can answer a question. */
  readonly canAsk: boolean;
  /** Asks for a line; `undefined` when no user can answer, `END_OF_INPUT` when the user ends the input (Ctrl-D). */
  ask(question: string): Promise<string | undefined>;
  /** Lets the user edit a text in their editor; `undefined` when there is none. */
  editText(text: string, name: string): Promise<string | undefined>;
  /** Keeps an edited text that was not accepted, readable only by its writer; returns the path of the file. */
  keepEdit(text: string, name: string): string;
  readonly color: boolean;
  /** Whether a person reads the output rather than a program. */
  readonly isTerminal: boolean;
  /** The columns available for output. */
  readonly width: number;
  /** The columns of the terminal that shows errors; `undefined` if they go elsewhere. */
  readonly errorWidth: number | undefined;
  /** Sets what Ctrl-C reports from now on, as the rest of a sentence: "nothing was changed". */
  ifInterrupted(says: string): void;
}

/** A text that the user wrote in an editor is kept even if it is refused. */
export function keptEdit(io: Pick<Io, "keepEdit">, text: string, name: string): string {
  return `your text is kept in ${io.keepEdit(text, name.replaceAll("/", "_"))}`;
}

export const END_OF_INPUT = "\u0004";

type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan";

/** Marks an escape as ours. It is random, so no note, name or error from elsewhere can contain it. */
const OURS = `\u001b${randomBytes(8).toString("hex")}`;

/** Colours text only if a person reads it. */
export function paint(io: Pick<Io, "color">, style: Style, text: string): string {
  if (!io.color) return text;
  const [begin = "", end = ""] = styleText(style, "|", { validateStream: false }).replaceAll("\u001b", OURS).split("|");
  return begin + text + end;
}

/**
 * Text for a terminal, a pipe or a file: our own styles stay, and everything else is made visible. Characters that a
 * terminal would obey or a reader would not see are printed by name: `<U+001B>`.
 */
export function visible(text: string): string {
  return text.split(OURS).map(nameHidden).join("\u001b");
}

export function line(io: Io, text = ""): void {
  io.out(`${text}\n`);
}

/** Prints one line to the error output if there is something to say. */
export function warn(io: Io, text: string | undefined): void {
  if (text !== undefined) io.err(`${text}\n`);
}

export function json(io: Io, value: unknown): void {
  const text = `${escapeHidden(JSON.stringify(value, undefined, 2))}\n`;
  if (io.data === undefined) io.out(text);
  else io.data(text);
}

/** For `--json`: standard output holds JSON alone, everything else goes to the error output, and nothing is asked. */
export function forProgram(io: Io): Io {
  return {
    ...io,
    out: (text) => io.err(text),
    data: (text) => io.out(text),
    confirm: async () => undefined,
    ask: async () => undefined,
    color: false,
    isTerminal: false,
    errorWidth: undefined,
    width: PLAIN_COLUMNS,
  };
}

const PLAIN_COLUMNS = 80;

/** Rows with aligned columns; the last column has no fixed width. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => displayWidth(row[column] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - displayWidth(cell)),
      )
      .join("  "),
  );
}

/** Columns on a terminal: East Asian and emoji characters take two. */
export function displayWidth(text: string): number {
  const plain = text.replace(/\u001b[\da-f]*\[[0-9;]*m/gu, "");
  return [...plain].reduce(
    (width, character) =>
      width +
      (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u.test(
        character,
      )
        ? 2
        : /\p{M}/u.test(character)
          ? 0
          : 1),
    0,
  );
}
