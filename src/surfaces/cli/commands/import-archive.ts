import path from "node:path";
import { importArchive, type ImportedStore, isArchive, openArchive } from "../../../compose/import-archive.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { versionRef } from "../../../core/memory/versions.ts";
import { mayWrite } from "../../../core/memory/modes.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError } from "../exit.ts";
import { type Io, json, line } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [given] = invocation.positionals;
  if (given === undefined || given.trim() === "") throw new UsageError("import needs what `memdir export` wrote: `memdir import notes.tar.gz`");
  const workspace = invocation.workspace();
  if (!mayWrite(workspace.mode)) throw new MemoryError("refused", `memory is ${workspace.mode} (${workspace.locations.modeReason ?? ""}); nothing was imported`);
  const target = path.resolve(workspace.locations.cwd, given);
  if (!isArchive(target)) throw new MemoryError("not-found", `${target} is no export of memdir`);
  const archive = openArchive(target);
  try {
    const plan = importArchive(workspace, archive, { write: false });
    const asJson = invocation.flag("json");
    if (!asJson) print(invocation.io, plan);
    const agreed = !invocation.flag("dry-run") && (invocation.flag("yes") || (await agrees(invocation, asJson)));
    const done = agreed ? importArchive(workspace, archive, { write: true }) : [];
    if (asJson) json(invocation.io, { plan, imported: done });
    else if (agreed) printDone(invocation, done);
    return EXIT.ok;
  } finally {
    archive.close();
  }
}

async function agrees({ io }: Invocation, asJson: boolean): Promise<boolean> {
  const answer = asJson ? undefined : await io.confirm("Import them?");
  if (answer === undefined) io.err("memdir: nothing was imported; run it again with --yes, or with --dry-run to look only\n");
  return answer === true;
}

/** How each store's import is taken back: of one that is not looked at from here, with its directory. */
function printDone(invocation: Invocation, done: readonly ImportedStore[]): void {
  const { stores } = invocation.workspace().locations;
  const undos = done.flatMap(({ scope, directory, version }) => {
    if (version === undefined) return [];
    const isHere = stores.some((place) => place.directory === directory);
    return [isHere ? `\`memdir undo ${versionRef({ scope }, { id: version })}\`` : `\`memdir undo ${version} --dir '${directory.replaceAll("'", String.raw`'\''`)}'\``];
  });
  const count = done.reduce((sum, { added, both }) => sum + added.length + both.length, 0);
  line(invocation.io, `imported ${counted(count, "note")}${undos.length === 0 ? "" : `; ${undos.join(", ")} ${undos.length === 1 ? "takes them" : "take them"} back`}`);
}

function print(io: Io, plan: readonly ImportedStore[]): void {
  for (const { scope, name, directory, added, known, both, versions, logs } of plan) {
    line(io, `${scope} ${name} into ${directory}: ${counted(added.length, "new note")}, ${known} here already, ${both.length} of another text${versions > 0 ? `, ${counted(versions, "version")} of history` : ""}${logs > 0 ? `, ${counted(logs, "day")} of logs` : ""}`);
    for (const { file, as } of both.slice(0, 10)) line(io, `  both kept: ${file} stays, the imported one is ${as}`);
  }
  if (plan.length === 0) line(io, "it holds no notes");
}
