import type { OpenWorkspace } from "../../compose/workspace.ts";
import { entryStays } from "../../core/memory/log-entry.ts";
import { findNote, type NoteRef, type Workspace } from "../../core/memory/workspace.ts";
import { isEntryId } from "../../core/notes/daily-log.ts";
import { splitScope } from "../../core/notes/note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { UsageError } from "./exit.ts";
import type { Io } from "./io.ts";

export interface OptionSpec {
  readonly type: "string" | "boolean";
  /** What stands for the value in help: `DIR`. */
  readonly value?: string;
  readonly summary: string;
  /** May be given several times. */
  readonly multiple?: boolean;
}

/** One definition gives the parser, the help and the completion of a command. */
export interface CommandSpec {
  readonly name: string;
  readonly group: "main" | "recall" | "notes" | "versions" | "care";
  /** After `memdir NAME`: `NOTE [--version ID]`. */
  readonly usage: string;
  readonly summary: string;
  readonly details?: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Most positional arguments taken; more are a mistake. */
  readonly positionals: number;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}

export type CommandRun = (invocation: Invocation) => Promise<number>;

export interface Invocation {
  readonly positionals: readonly string[];
  readonly io: Io;
  /** The value of a string option. */
  option(name: string): string | undefined;
  /** The values of a string option that may be given several times. */
  options(name: string): readonly string[];
  /** Whether a boolean option was given. */
  flag(name: string): boolean;
  /** Opens the stores in force, once; closed after the command. */
  workspace(): OpenWorkspace;
}

/** The note that the first argument names. @throws MemoryError `not-found` with near names. */
export function requireNote(invocation: Invocation, what: string): NoteRef {
  const [reference] = invocation.positionals;
  if (reference === undefined) throw new UsageError(`${what} needs a note: \`memdir ${what} NOTE\`, with a name from \`memdir list\``);
  return resolveNote(invocation.workspace(), reference);
}

export function resolveNote(workspace: Workspace, reference: string): NoteRef {
  for (const { store } of workspace.stores) store.reconcile("full");
  const found = findNote(workspace, reference);
  if (found.found) return found.ref;
  if (isEntryId(splitScope(reference).rest)) throw entryStays(reference);
  const hint = found.near.length === 0 ? "`memdir list` shows all" : found.ambiguous ? `it could be ${found.near.join(", ")}` : `did you mean ${found.near.join(", ")}?`;
  throw new MemoryError("not-found", `${found.ambiguous ? "more than one note is called" : "there is no note"} "${reference}"; ${hint}`);
}
