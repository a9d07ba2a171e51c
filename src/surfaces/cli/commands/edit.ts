import { isExclusion, noteType } from "../../../app/notes/gate.ts";
import { convert, revise, type Revision } from "../../../app/notes/revise.ts";
import { type NoteRef, shownRef, type Workspace } from "../../../app/workspace/workspace.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { type Invocation, requireNote } from "../command.ts";
import { EXIT, UsageError, keptEdit, line, warn } from "../io.ts";
import { reportChange } from "./note-lines.ts";

/** Another note of this name, which can then only be named by its file. */
function namesakeWarning(workspace: Workspace, { scoped, file }: NoteRef, name: string): string | undefined {
  const other = scoped.store.index
    .entries()
    .find((entry) => entry.file !== file && entry.name === name && entry.supersededBy === undefined);
  if (other === undefined) return undefined;
  return `memdir: ${shownRef(workspace, { scoped, file: other.file })} has the name "${name}" too: name either by its file, or give one another name`;
}

export async function run(invocation: Invocation): Promise<number> {
  const ref = requireNote(invocation, "edit");
  const workspace = invocation.workspace();
  if (invocation.flag("convert")) {
    if (["name", "description", "type", "body", "asked"].some((option) => invocation.option(option) !== undefined))
      throw new UsageError("--convert takes no other options");
    return reportChange(invocation.io, invocation.flag("json"), convert(ref), "converted");
  }
  const given = invocation.option("body");
  const body = given === "-" ? await invocation.io.readInput() : given;
  const insist = invocation.flag("force");
  const type = noteType(invocation.option("type"));
  const name = invocation.option("name");
  const description = invocation.option("description");
  const asked = invocation.option("asked");
  for (const [option, value] of [
    ["name", name],
    ["description", description],
    ["body", body],
  ]) {
    if (value !== undefined && value.trim() === "")
      throw new MemoryError("invalid-input", `--${option ?? ""} is empty; the note was not changed`);
  }
  const fields: Revision = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(type && { type }),
    ...(body !== undefined && { body }),
    ...(asked !== undefined && { asked: [asked] }),
  };
  if (Object.keys(fields).length > 0) {
    const result = await revise(workspace, ref, { ...fields, ...(insist && { insist }) });
    const code = reportChange(invocation.io, invocation.flag("json"), result, "changed");
    if ((name !== undefined || type !== undefined) && code === EXIT.ok && !invocation.flag("json"))
      line(invocation.io, `the file is still ${ref.file}: links, index lines and history refer to it by its file`);
    if (name !== undefined && code === EXIT.ok) warn(invocation.io, namesakeWarning(workspace, ref, name));
    return code;
  }
  const base = ref.scoped.store.read(ref.file);
  if (base === undefined) throw new MemoryError("not-found", `${ref.file} is gone`);
  const edited = await invocation.io.editText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(base), ref.file);
  if (edited === undefined)
    throw new MemoryError(
      "invalid-input",
      "no editor: set $EDITOR, or use --description, --name, --type, --asked, --body",
    );
  if (edited.trim() === "")
    throw new MemoryError(
      "invalid-input",
      `the editor saved an empty file, so ${ref.file} was not changed; \`memdir remove\` removes a note`,
    );
  const result = await revise(workspace, ref, { text: edited, ...(insist && { insist }) }, base);
  const code = reportChange(invocation.io, invocation.flag("json"), result, "changed");
  if (result.outcome === "refused" && isExclusion(result))
    invocation.io.err(`memdir: ${keptEdit(invocation.io, edited, ref.file)}\n`);
  return code;
}
