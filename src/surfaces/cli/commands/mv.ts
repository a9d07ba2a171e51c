import { noteNamed } from "../../../app/notes/find-note.ts";
import { moveNote } from "../../../app/transfer/transfers.ts";
import { SCOPES, splitScope } from "../../../app/notes/gate.ts";
import type { Scope } from "../../../core/notes/note.ts";
import { shownRef } from "../../../app/workspace/workspace.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line } from "../io.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [reference, place] = invocation.positionals;
  if (reference === undefined || place === undefined)
    throw new UsageError("mv needs a note and where it goes: `memdir mv NOTE SCOPE[:NAME]`");
  const { scope, rest } = splitScope(place);
  const whole = SCOPES.find((one) => one === place);
  const to = whole ?? scope;
  if (to === undefined)
    throw new UsageError(`"${place}" is not a scope; use ${SCOPES.join(", ")}, with :NAME for another name`);
  return moveAndSay(invocation, reference, to, whole === undefined ? rest : undefined);
}

/** Moves a note and prints where it is now. */
export async function moveAndSay(invocation: Invocation, reference: string, to: Scope, name?: string): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const from = noteNamed(workspace, reference);
  const { ref, transfer } = await moveNote(workspace, from, to, name);
  const [file] = transfer.files;
  const said = {
    from: shownRef(workspace, from),
    to: shownRef(workspace, ref),
    directory: ref.scoped.store.directory,
    transfer: transfer.id,
    known: file?.made === false,
  };
  if (invocation.flag("json")) json(io, said);
  else if (said.known)
    line(
      io,
      `${said.to} says the same already; ${said.from} was removed (\`memdir undo ${said.from}\` brings it back)`,
    );
  else line(io, `moved ${said.from} to ${said.to}, in ${said.directory} (\`memdir undo ${said.to}\` takes it back)`);
  return EXIT.ok;
}
