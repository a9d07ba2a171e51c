import type { Invocation } from "../command.ts";
import { type Io, UsageError } from "../io.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { NoteRef, ScopedStore, Workspace } from "../../../app/workspace/workspace.ts";
import { splitScope } from "../../../app/notes/gate.ts";
import type { Scope } from "../../../core/notes/note.ts";

export interface NoteOrVersion {
  readonly reference: string | undefined;
  readonly id: string | undefined;
  /** The scope named with a version; `undefined` for the project's. */
  readonly scope: Scope | undefined;
}

/** `diff 3` means `diff --version 3`, `diff user:3` means version 3 of the user's store: as history prints them. */
export function noteOrVersion(invocation: Invocation): NoteOrVersion {
  const [first] = invocation.positionals;
  const given = invocation.option("version");
  const { scope, rest } = splitScope(given ?? first ?? "");
  if (!/^\d+$/u.test(rest)) return { reference: first, id: given, scope: undefined };
  return { reference: given === undefined ? undefined : first, id: rest, scope };
}

/** The store to search for a version. @throws MemoryError `not-found` for a scope without notes. */
export function storeOfVersion(
  workspace: Workspace,
  ref: NoteRef | undefined,
  { scope, id }: NoteOrVersion,
): ScopedStore | undefined {
  if (scope === undefined) return ref?.scoped ?? workspace.stores[0];
  if (ref !== undefined && ref.scoped.scope !== scope)
    throw new MemoryError(
      "invalid-input",
      `version ${scope}:${id ?? ""} is not one of ${ref.scoped.scope}:${ref.file}`,
    );
  const scoped = workspace.stores.find((one) => one.scope === scope);
  if (scoped === undefined)
    throw new MemoryError("not-found", `there are no ${scope} notes here, so there is no version ${scope}:${id ?? ""}`);
  return scoped;
}

/** `2026-03-01` means the end of that day in local time; anything else is an ISO time. */
export function asOfTime(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  const ms = day ? new Date(`${text}T23:59:59.999`).getTime() : Date.parse(text);
  if (!Number.isFinite(ms))
    throw new MemoryError("invalid-input", `"${text}" is not a date; write 2026-03-01 or 2026-03-01T12:00:00Z`);
  return ms;
}

/** `--session ID`: the client's id for the conversation. */
export function sessionOption(invocation: Invocation): string | undefined {
  const session = invocation.option("session");
  if (session?.trim() === "")
    throw new UsageError("--session needs the id of a session; leave it out if there is none");
  return session;
}

/** A text from the arguments, from standard input if `-` is given, or from a pipe if there is no argument. */
export async function textGiven(io: Io, words: readonly string[]): Promise<string> {
  const given = words.join(" ");
  if (given === "-") return io.readInput();
  return given === "" ? io.pipedInput() : given;
}

/** A prompt from the arguments, or from standard input (`-` or none). */
export async function promptOf(
  { io }: Invocation,
  words: readonly string[],
  command: string,
  hint: string,
): Promise<string> {
  const prompt = await textGiven(io, words);
  if (prompt.trim() === "") throw new UsageError(`${command} needs a prompt: ${hint}`);
  return prompt;
}

/** `2026-03-01` means the beginning of that day in local time; anything else is an ISO time. */
export function sinceTime(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? new Date(`${text}T00:00:00`).getTime() : Date.parse(text);
  if (!Number.isFinite(ms))
    throw new MemoryError("invalid-input", `"${text}" is not a date; write 2026-03-01 or 2026-03-01T12:00:00Z`);
  return ms;
}

/** A whole number, at least 1. */
export function countOption(invocation: Invocation, name: string): number | undefined {
  const given = invocation.option(name);
  if (given === undefined) return undefined;
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`--${name} takes a whole number from 1 on`);
  return count;
}
