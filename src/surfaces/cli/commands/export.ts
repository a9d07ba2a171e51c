import path from "node:path";
import { exportAll, exportToHermes, type ExportedToHermes } from "../../../app/transfer/export.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [target, place] = invocation.positionals;
  if (target === undefined || target.trim() === "")
    throw new UsageError("export needs a place: `memdir export notes.tar.gz`, or a directory");
  if (target === "hermes") return toHermes(invocation, place);
  if (place !== undefined) throw new UsageError("export takes one place; only `memdir export hermes` takes a second");
  if (invocation.flag("dry-run"))
    throw new UsageError("--dry-run is for `memdir export hermes`; an export to a new place asks nothing");
  const workspace = invocation.workspace();
  const done = exportAll(workspace, path.resolve(workspace.locations.cwd, target), { all: invocation.flag("all") });
  if (invocation.flag("json")) json(invocation.io, done);
  else {
    for (const { scope, name, notes, versions } of done.stores)
      line(invocation.io, `${scope} ${name}: ${counted(notes, "note")}, ${counted(versions, "version")}`);
    line(invocation.io, `exported ${counted(done.files, "file")}, ${done.bytes} bytes: ${done.path}`);
  }
  return EXIT.ok;
}

/** Writes another tool's files: the plan is shown and confirmed first, as for an import. */
async function toHermes(invocation: Invocation, place: string | undefined): Promise<number> {
  if (invocation.flag("all"))
    throw new UsageError("`memdir export hermes` takes the notes in force here, without --all");
  const { io } = invocation;
  const asJson = invocation.flag("json");
  const workspace = invocation.workspace();
  const plan = exportToHermes(workspace, place, { write: false });
  if (!asJson) printPlan(io, plan);
  const isNew = plan.files.some(({ added }) => added.length > 0);
  const agreed = isNew && !invocation.flag("dry-run") && (invocation.flag("yes") || (await agrees(io, asJson)));
  // Planned again from the files as they are now.
  const done = agreed ? exportToHermes(workspace, place, { write: true }) : plan;
  if (asJson) {
    const files = done.files.map(({ text: _, ...file }) => file);
    json(io, { place: done.place, written: agreed, files });
  } else if (agreed)
    line(io, `exported ${counted(done.files.flatMap(({ added }) => added).length, "note")} to ${done.place}`);
  return EXIT.ok;
}

async function agrees(io: Io, asJson: boolean): Promise<boolean> {
  const answer = asJson ? undefined : await io.confirm("Write them?");
  if (answer === undefined)
    io.err("memdir: nothing was exported; run it again with --yes, or look first with --dry-run\n");
  return answer === true;
}

function printPlan(io: Io, { place, files }: ExportedToHermes): void {
  for (const { name, characters, most, added, known, leftOut } of files) {
    line(
      io,
      `${path.join(place, name)}: ${added.length} to add, ${known.length} already there, ${leftOut.length} left out; ${characters} of ${most} characters`,
    );
    for (const file of added) line(io, `  add       ${file}`);
    for (const { file, why } of leftOut) line(io, `  left out  ${file}: ${why}`);
  }
}
