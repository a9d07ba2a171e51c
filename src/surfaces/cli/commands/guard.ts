import { approveGuard, guardOfNote, revokeGuard } from "../../../compose/guard-approval.ts";
import { readRegistry } from "../../../compose/guard-registry.ts";
import { meets, tryGuard } from "../../../compose/guard-trial.ts";
import type { StoreLocation } from "../../../compose/locations.ts";
import { type Guard, guardHash, parseGuard } from "../../../core/guards/guard.ts";
import { liveEntries, type NoteRef, shownRef } from "../../../core/memory/workspace.ts";
import { setFields } from "../../../core/notes/write-note.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { oneLine, truncate } from "../../../core/shared/text.ts";
import { type Invocation, resolveNote } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { json, line, paint, table } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [what = "list"] = invocation.positionals;
  switch (what) {
    case "list":
      return list(invocation);
    case "set":
      return set(invocation);
    case "enable":
      return enable(invocation);
    case "disable":
      return disable(invocation);
    case "test":
      return test(invocation);
    case "try":
      return trial(invocation);
    default:
      throw new UsageError(`guard does not know "${what}"; use list, set, enable, disable, test or try`);
  }
}

/** A note that was named, with the place of its store. */
interface Named {
  readonly ref: NoteRef;
  readonly place: StoreLocation;
  readonly shown: string;
}

function named(invocation: Invocation): Named {
  const [what = "", reference] = invocation.positionals;
  if (reference === undefined) throw new UsageError(`guard ${what} needs a note: \`memdir guard ${what} NOTE\``);
  const workspace = invocation.workspace();
  const ref = resolveNote(workspace, reference);
  const place = workspace.locations.stores.find(({ scope }) => scope === ref.scoped.scope);
  if (place === undefined) throw new MemoryError("not-found", `the note "${reference}" is in no scope of this place`);
  return { ref, place, shown: shownRef(workspace, ref) };
}

function guardOf({ ref, place, shown }: Named): Guard {
  const read = guardOfNote(place.directory, ref.file)?.read;
  if (read?.kind === "guard") return read.guard;
  if (read?.kind === "invalid") throw new MemoryError("invalid-input", `the guard of ${shown} cannot be used: ${read.reason}`);
  throw new MemoryError("not-found", `${shown} has no guard; \`memdir guard set ${shown} --tool TOOL --pattern REGEX --action ACTION\` writes one`);
}

interface Listed {
  readonly note: string;
  readonly state: "on" | "off" | "changed" | "invalid";
  readonly guard: Guard | undefined;
  readonly reason?: string;
}

function list(invocation: Invocation): number {
  const workspace = invocation.workspace();
  for (const { store } of workspace.stores) store.reconcile("full");
  const approved = new Map(workspace.locations.stores.flatMap(readRegistry).map((guard) => [`${guard.scope}:${guard.file}`, guard.hash]));
  const listed = liveEntries(workspace).flatMap(({ scoped, entry: { file } }): Listed[] => {
    const read = guardOfNote(scoped.store.directory, file)?.read;
    if (read === undefined || read.kind === "none") return [];
    const note = shownRef(workspace, { scoped, file });
    if (read.kind === "invalid") return [{ note, state: "invalid", guard: undefined, reason: read.reason }];
    const hash = approved.get(`${scoped.scope}:${file}`);
    return [{ note, state: hash === undefined ? "off" : hash === guardHash(read.guard) ? "on" : "changed", guard: read.guard }];
  });
  if (invocation.flag("json")) json(invocation.io, listed);
  else if (listed.length === 0) line(invocation.io, "no note here has a guard; `memdir help guard` shows how one is made");
  else for (const row of table(listed.map(({ note, state, guard, reason }) => [paint(invocation.io, state === "on" ? "green" : "yellow", state), note, guard === undefined ? (reason ?? "") : `${guard.action}  ${guard.tool}  ${guard.pattern}`]))) line(invocation.io, row);
  return EXIT.ok;
}

/** Written into the note's frontmatter; it is not in force before it is enabled. */
function set(invocation: Invocation): number {
  const note = named(invocation);
  const workspace = invocation.workspace();
  if (workspace.mode !== "auto") throw new MemoryError("refused", `memory is ${workspace.mode}; nothing was written`);
  const message = invocation.option("message");
  const read = parseGuard({ tool: invocation.option("tool"), pattern: invocation.option("pattern"), action: invocation.option("action") ?? "warn", message });
  if (read.kind !== "guard") throw new UsageError(read.kind === "invalid" ? read.reason : "a guard needs --tool and --pattern");
  const { store } = note.ref.scoped;
  if (store.index.entry(note.ref.file)?.type !== "feedback") throw new MemoryError("refused", `${note.shown} is no feedback note, and only those may carry a guard`);
  const base = store.read(note.ref.file);
  if (base === undefined) throw new MemoryError("not-found", `${note.shown} was removed meanwhile`);
  const { guard } = read;
  const fields = (["tool", "pattern", "action", "message"] as const).map((name) => [["metadata", "guard", name], guard[name]] as const);
  const content = setFields(new TextDecoder("utf-8", { ignoreBOM: true }).decode(base), fields, workspace.codec);
  const result = store.commit([{ kind: "write", file: note.ref.file, base, content }], { actor: "user", reason: "guard set" });
  if (!result.ok) throw new MemoryError("conflict", `${note.shown} was changed meanwhile; try again`);
  if (invocation.flag("json")) json(invocation.io, { note: note.shown, guard, state: "off" });
  else line(invocation.io, `written into ${note.shown}; not in force yet: \`memdir guard enable ${note.shown}\``);
  return EXIT.ok;
}

/** Only a person's yes puts a guard in force: what stands in a note may have come from anywhere. */
async function enable(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const note = named(invocation);
  const guard = guardOf(note);
  if (!invocation.flag("yes")) {
    line(io, describe(note.shown, guard));
    const answer = await io.confirm("Put this guard in force on this machine?");
    if (answer === undefined) throw new UsageError("enable puts a guard in force: add --yes to do it without a terminal");
    if (!answer) return EXIT.ok;
  }
  const now = guardOfNote(note.place.directory, note.ref.file);
  if (now?.read.kind !== "guard" || guardHash(now.read.guard) !== guardHash(guard)) throw new MemoryError("conflict", `the guard of ${note.shown} was changed meanwhile; look at it again`);
  approveGuard(note.place, note.ref.file, guard, now, new Date(invocation.workspace().clock.now()).toISOString());
  if (invocation.flag("json")) json(io, { note: note.shown, guard, state: "on" });
  else line(io, `in force: ${note.shown} (a change of the guard needs your yes again)`);
  return EXIT.ok;
}

function disable(invocation: Invocation): number {
  const note = named(invocation);
  const was = revokeGuard(note.place, note.ref.file);
  if (invocation.flag("json")) json(invocation.io, { note: note.shown, state: "off", changed: was });
  else line(invocation.io, was ? `no longer in force: ${note.shown}` : `${note.shown} was not in force`);
  return EXIT.ok;
}

function test(invocation: Invocation): number {
  const [, , tool, input] = invocation.positionals;
  if (tool === undefined || input === undefined) throw new UsageError("guard test needs a tool and its input: `memdir guard test NOTE Bash 'git push --force'`");
  const guard = guardOf(named(invocation));
  const result = meets(guard, { tool, input: inputOf(input) });
  if (invocation.flag("json")) json(invocation.io, { result, action: guard.action });
  else line(invocation.io, result === "met" ? `${guard.action}: the guard meets this call` : result === "passed" ? "passes: the guard does not meet this call" : "passes: the pattern takes too long on this input, and such a call goes on");
  return EXIT.ok;
}

/** JSON as the client would send it, else the command itself. */
function inputOf(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return { command: text };
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { command: text };
    throw error;
  }
}

const SHOWN = 20;

function trial(invocation: Invocation): number {
  const { io } = invocation;
  const note = named(invocation);
  const result = tryGuard(invocation.workspace().locations, guardOf(note), invocation.option("transcripts"));
  if (invocation.flag("json")) {
    json(io, result);
    return EXIT.ok;
  }
  line(io, `${result.met.length} of ${result.calls} tool calls in ${result.transcripts} past sessions would have met the guard of ${note.shown}`);
  for (const { time, tool, subject } of result.met.slice(0, SHOWN)) line(io, `  ${(time ?? "").slice(0, 16).replace("T", " ").padEnd(16)}  ${tool}  ${truncate(oneLine(subject), Math.max(40, io.width - 30))}`);
  if (result.met.length > SHOWN) line(io, `  and ${result.met.length - SHOWN} more: --json lists all`);
  return EXIT.ok;
}

function describe(shown: string, { tool, pattern, action, message }: Guard): string {
  return [`guard of ${shown}`, `  before    ${tool}`, `  matching  ${pattern}`, `  then      ${action}`, ...(message === undefined ? [] : [`  saying    ${message}`])].join("\n");
}
