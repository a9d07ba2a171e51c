import { noteNamed } from "../../../app/notes/find-note.ts";
import { enableGuard, listGuards, writeGuard, guardOfNote, revokeGuard } from "../../../app/guards/guard-approval.ts";
import { meets, tryGuard } from "../../../app/guards/guard-trial.ts";
import type { StoreLocation } from "../../../app/workspace/locations.ts";
import { type NoteRef, shownRef } from "../../../app/workspace/workspace.ts";
import type { Guard } from "../../../core/guards/guard.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { oneLine, truncate } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line, paint, table, unknownAction } from "../io.ts";

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
      throw unknownAction(what, ["list", "set", "enable", "disable", "test", "try"]);
  }
}

/** A note named on the command line, with the location of its store. */
interface Named {
  readonly ref: NoteRef;
  readonly place: StoreLocation;
  readonly shown: string;
}

function named(invocation: Invocation): Named {
  const [what = "", reference] = invocation.positionals;
  if (reference === undefined) throw new UsageError(`guard ${what} needs a note: \`memdir guard ${what} NOTE\``);
  const workspace = invocation.workspace();
  const ref = noteNamed(workspace, reference);
  const place = workspace.locations.stores.find(({ scope }) => scope === ref.scoped.scope);
  if (place === undefined) throw new MemoryError("not-found", `the note "${reference}" is in no scope of this place`);
  return { ref, place, shown: shownRef(workspace, ref) };
}

function guardOf({ ref, place, shown }: Named): Guard {
  const read = guardOfNote(place.directory, ref.file)?.read;
  if (read?.kind === "guard") return read.guard;
  if (read?.kind === "invalid")
    throw new MemoryError("invalid-input", `the guard of ${shown} cannot be used: ${read.reason}`);
  throw new MemoryError(
    "not-found",
    `${shown} has no guard; \`memdir guard set ${shown} --tool TOOL --pattern REGEX --action ACTION\` writes one`,
  );
}

function list(invocation: Invocation): number {
  const listed = listGuards(invocation.workspace());
  if (invocation.flag("json")) json(invocation.io, listed);
  else if (listed.length === 0)
    line(invocation.io, "no note here has a guard; `memdir help guard` shows how to make one");
  else
    for (const row of table(
      listed.map(({ note, state, guard, reason }) => [
        paint(invocation.io, state === "on" ? "green" : "yellow", state),
        note,
        guard === undefined ? (reason ?? "") : `${guard.action}  ${guard.tool}  ${guard.pattern}`,
      ]),
    ))
      line(invocation.io, row);
  return EXIT.ok;
}

const STANDING = {
  on: "in force, because you enabled this very guard before",
  off: "not enabled yet",
  changed: "not enabled yet, and the guard that you enabled before is no longer in force",
} as const;

/** Writes the guard into the note's frontmatter; it has no effect until it is enabled. */
async function set(invocation: Invocation): Promise<number> {
  const note = named(invocation);
  const missing = ["tool", "pattern"].filter((name) => (invocation.option(name) ?? "").trim() === "");
  if (missing.length > 0)
    throw new UsageError(
      `guard set needs ${missing.map((name) => `--${name} ${name === "tool" ? "TOOL" : "REGEX"}`).join(" and ")}`,
    );
  const written = await writeGuard(invocation.workspace(), note.ref, {
    tool: invocation.option("tool"),
    pattern: invocation.option("pattern"),
    action: invocation.option("action") ?? "warn",
    message: invocation.option("message"),
  });
  if (written.kind === "invalid") throw new UsageError(written.reason);
  const { guard, state } = written;
  if (invocation.flag("json")) json(invocation.io, { note: note.shown, guard, state });
  else
    line(
      invocation.io,
      `written into ${note.shown}; ${STANDING[state]}${state === "on" ? "" : `: \`memdir guard enable ${note.shown}\``}`,
    );
  return EXIT.ok;
}

/** Only the user's consent puts a guard in force, because the content of a note may come from anywhere. */
async function enable(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const note = named(invocation);
  const guard = guardOf(note);
  if (!invocation.flag("yes")) {
    line(io, describe(note.shown, guard));
    const answer = await io.confirm("Enable this guard on this machine?");
    if (answer === undefined) throw new UsageError("add --yes to enable a guard without a terminal");
    if (!answer) return EXIT.ok;
  }
  enableGuard(invocation.workspace(), note.place, note.ref, guard);
  if (invocation.flag("json")) json(io, { note: note.shown, guard, state: "on" });
  else line(io, `enabled: ${note.shown} (if the guard changes, enable it again)`);
  return EXIT.ok;
}

function disable(invocation: Invocation): number {
  const note = named(invocation);
  const was = revokeGuard(note.place, note.ref.file);
  if (invocation.flag("json")) json(invocation.io, { note: note.shown, state: "off", changed: was });
  else line(invocation.io, was ? `disabled: ${note.shown}` : `${note.shown} was not enabled`);
  return EXIT.ok;
}

function test(invocation: Invocation): number {
  const [, , tool, input] = invocation.positionals;
  if (tool === undefined || input === undefined)
    throw new UsageError("guard test needs a tool and its input: `memdir guard test NOTE Bash 'git push --force'`");
  const guard = guardOf(named(invocation));
  const result = meets(guard, { tool, input: inputOf(input) });
  if (invocation.flag("json")) json(invocation.io, { result, action: guard.action });
  else
    line(
      invocation.io,
      result === "met"
        ? `${guard.action}: the guard catches this call`
        : result === "passed"
          ? "passes: the guard does not catch this call"
          : "passes: the pattern takes too long on this input, so the call goes through",
    );
  return EXIT.ok;
}

/** JSON as the client would send it, otherwise the command itself. */
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
  line(
    io,
    `${result.met.length} of ${result.calls} tool calls in ${result.transcripts} past sessions would have been caught by the guard of ${note.shown}`,
  );
  for (const { time, tool, subject } of result.met.slice(0, SHOWN))
    line(
      io,
      `  ${(time ?? "").slice(0, 16).replace("T", " ").padEnd(16)}  ${tool}  ${truncate(oneLine(subject), Math.max(40, io.width - 30))}`,
    );
  if (result.met.length > SHOWN) line(io, `  and ${result.met.length - SHOWN} more: --json lists all`);
  return EXIT.ok;
}

function describe(shown: string, { tool, pattern, action, message }: Guard): string {
  return [
    `guard of ${shown}`,
    `  before    ${tool}`,
    `  matching  ${pattern}`,
    `  then      ${action}`,
    ...(message === undefined ? [] : [`  saying    ${message}`]),
  ].join("\n");
}
