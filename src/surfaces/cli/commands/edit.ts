import { convert, revise, type Revision } from "../../../core/memory/revise.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { type Invocation, requireNote } from "../command.ts";
import { UsageError } from "../exit.ts";
import { reportChange } from "./note-lines.ts";
import { noteType } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const ref = requireNote(invocation, "edit");
  const workspace = invocation.workspace();
  if (invocation.flag("convert")) {
    if (["name", "description", "type", "body"].some((option) => invocation.option(option) !== undefined)) throw new UsageError("--convert changes bytes, not words; give it alone");
    return reportChange(invocation.io, invocation.flag("json"), convert(ref), "converted");
  }
  const given = invocation.option("body");
  const body = given === "-" ? await invocation.io.readInput() : given;
  const type = noteType(invocation.option("type"));
  const name = invocation.option("name");
  const description = invocation.option("description");
  for (const [option, value] of [["name", name], ["description", description], ["body", body]]) {
    if (value !== undefined && value.trim() === "") throw new MemoryError("invalid-input", `--${option ?? ""} is empty; the note was not changed`);
  }
  const fields: Revision = { ...(name !== undefined && { name }), ...(description !== undefined && { description }), ...(type && { type }), ...(body !== undefined && { body }) };
  if (Object.keys(fields).length > 0) return reportChange(invocation.io, invocation.flag("json"), await revise(workspace, ref, fields), "changed");
  const base = ref.scoped.store.read(ref.file);
  if (base === undefined) throw new MemoryError("not-found", `${ref.file} is gone`);
  const edited = await invocation.io.editText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(base), ref.file);
  if (edited === undefined) throw new MemoryError("invalid-input", "no editor: set $EDITOR, or use --description, --name, --type, --body");
  if (edited.trim() === "") throw new MemoryError("invalid-input", `the file was left empty, so ${ref.file} was not changed; \`memdir remove\` takes a note away`);
  return reportChange(invocation.io, invocation.flag("json"), await revise(workspace, ref, { text: edited }, base), "changed");
}
