import { NOTE_TYPES, type NoteType, SCOPES, type Scope } from "../../../core/notes/note.ts";
import type { Invocation } from "../command.ts";
import { UsageError } from "../exit.ts";
import { MemoryError } from "../../../core/shared/errors.ts";

export function noteType(text: string | undefined): NoteType | undefined {
  const type = NOTE_TYPES.find((one) => one === text);
  if (text !== undefined && type === undefined) throw new MemoryError("invalid-input", `"${text}" is not a type; use ${NOTE_TYPES.join(", ")}`);
  return type;
}

export function noteScope(text: string | undefined): Scope | undefined {
  const scope = SCOPES.find((one) => one === text);
  if (text !== undefined && scope === undefined) throw new MemoryError("invalid-input", `"${text}" is not a scope; use ${SCOPES.join(", ")}`);
  return scope;
}

/** `2026-03-01` is the end of that day here; anything else is an ISO time. */
export function asOfTime(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  const ms = day ? new Date(`${text}T23:59:59.999`).getTime() : Date.parse(text);
  if (!Number.isFinite(ms)) throw new MemoryError("invalid-input", `"${text}" is not a date; write 2026-03-01 or 2026-03-01T12:00:00Z`);
  return ms;
}

/** `--session ID`: what a client calls the conversation. */
export function sessionOption(invocation: Invocation): string | undefined {
  const session = invocation.option("session");
  if (session?.trim() === "") throw new UsageError("--session needs the id of a session; leave it out where there is none");
  return session;
}

/** A prompt from the arguments, or from standard input (`-` or none). */
export async function promptOf({ io }: Invocation, words: readonly string[], command: string, hint: string): Promise<string> {
  const given = words.join(" ");
  const prompt = given === "" || given === "-" ? await io.readInput() : given;
  if (prompt.trim() === "") throw new UsageError(`${command} needs a prompt: ${hint}`);
  return prompt;
}

/** `2026-03-01` is the beginning of that day here; anything else is an ISO time. */
export function sinceTime(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? new Date(`${text}T00:00:00`).getTime() : Date.parse(text);
  if (!Number.isFinite(ms)) throw new MemoryError("invalid-input", `"${text}" is not a date; write 2026-03-01 or 2026-03-01T12:00:00Z`);
  return ms;
}
