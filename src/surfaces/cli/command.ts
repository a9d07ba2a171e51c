import type { OpenWorkspace } from "../../app/workspace/open-workspace.ts";
import { noteNamed } from "../../app/notes/find-note.ts";
import type { SyncOptions } from "../../app/sync/sync.ts";
import type { NoteRef } from "../../app/workspace/workspace.ts";
import { UsageError, type Io } from "./io.ts";

export interface OptionSpec {
  readonly type: "string" | "boolean";
  /** The placeholder for the value in help: `DIR`. */
  readonly value?: string;
  /** The values for completion; the command itself checks its input. */
  readonly values?: readonly string[];
  readonly summary: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** The actions that take this option, `""` for no action; all actions if left out. */
  readonly only?: readonly string[];
  /** An older name that still works but does not appear in help. */
  readonly formerly?: string;
}

/** One definition gives the parser, the help and the completion of a command. */
export interface CommandSpec {
  readonly name: string;
  /** Short names that work like `name`. */
  readonly aliases?: readonly string[];
  /** Words that users try instead. They do not work, but `name` is suggested. */
  readonly triedAs?: readonly string[];
  readonly group: "notes" | "recall" | "versions" | "sessions" | "scopes" | "agents" | "care";
  /** One of the few commands that `memdir help` shows. */
  readonly isEveryday?: true;
  /** After `memdir NAME`: `NOTE [--version ID]`. */
  readonly usage: string;
  readonly summary: string;
  readonly details?: string;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** The common options that it does not take. */
  readonly without?: readonly string[];
  /** The largest number of positional arguments. */
  readonly positionals: number;
  /** The values of the first argument, for completion. With numbers: how many arguments may follow at most. */
  readonly actions?: readonly string[] | Readonly<Record<string, number>>;
  /** The action used if none is given. */
  readonly standard?: string;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  readonly load: () => Promise<{ readonly run: CommandRun }>;
}

/** The values of the first argument. */
export function actionsOf({ actions = [] }: Pick<CommandSpec, "actions">): readonly string[] {
  return Array.isArray(actions) ? actions : Object.keys(actions);
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
  /** What the sync remotes answered a moment ago. */
  readonly heard?: SyncOptions["heard"];
  /** Opens the stores in force on the first call; they are closed after the command. */
  workspace(): OpenWorkspace;
}

/** The note that the first argument names. @throws MemoryError `not-found` with similar names. */
export function requireNote(invocation: Invocation, what: string): NoteRef {
  const [reference] = invocation.positionals;
  if (reference === undefined)
    throw new UsageError(`${what} needs a note: \`memdir ${what} NOTE\`; \`memdir list\` lists the names`);
  return noteNamed(invocation.workspace(), reference);
}
