import path from "node:path";
import { importArchive, type ImportedStore } from "../../../app/transfer/import-archive.ts";
import { isArchive, type LeftOut, openArchive, type OpenedArchive } from "../../../app/transfer/read-archive.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import { versionRef } from "../../../app/notes/versions.ts";
import { mayWrite } from "../../../app/workspace/modes.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, type Io, json, line, paint } from "../io.ts";
import { counted } from "../../../core/shared/text.ts";

export async function run(invocation: Invocation): Promise<number> {
  const [given, extra] = invocation.positionals;
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"; an archive is imported alone`);
  if (given === undefined || given.trim() === "")
    throw new UsageError("import needs what `memdir export` wrote: `memdir import notes.tar.gz`");
  const workspace = invocation.workspace();
  if (!mayWrite(workspace.mode))
    throw new MemoryError(
      "refused",
      `memory is ${workspace.mode} (${workspace.locations.modeReason ?? ""}); nothing was imported`,
    );
  const target = path.resolve(workspace.locations.cwd, given);
  if (!isArchive(target)) throw new MemoryError("not-found", `${target} is not a memdir export`);
  invocation.io.ifInterrupted("nothing was imported");
  const archive = await openArchive(workspace, target);
  const plan = importArchive(workspace, archive, { write: false });
  const asJson = invocation.flag("json");
  if (!asJson) print(invocation.io, plan, archive);
  const agreed = !invocation.flag("dry-run") && (invocation.flag("yes") || (await agrees(invocation, asJson)));
  if (agreed) invocation.io.ifInterrupted("what was imported by then stays; the same import again adds the rest");
  const done = agreed ? importArchive(workspace, archive, { write: true }) : [];
  if (asJson) json(invocation.io, { plan, imported: done, leftOut: archive.leftOut });
  else if (agreed) printDone(invocation, done);
  else if (invocation.flag("dry-run")) line(invocation.io, "nothing was imported: --dry-run only shows the plan");
  return EXIT.ok;
}

async function agrees({ io }: Invocation, asJson: boolean): Promise<boolean> {
  const answer = asJson ? undefined : await io.confirm("Import them?");
  if (answer === undefined)
    io.err("memdir: nothing was imported; run it again with --yes, or look first with --dry-run\n");
  return answer === true;
}

/** How to undo each store's import; a store that is not in force here is named by its directory. */
function printDone(invocation: Invocation, done: readonly ImportedStore[]): void {
  const { stores } = invocation.workspace().locations;
  const undos = done.flatMap(({ scope, directory, version }) => {
    if (version === undefined) return [];
    const isHere = stores.some((place) => place.directory === directory);
    return [
      isHere
        ? `\`memdir undo ${versionRef({ scope }, { id: version })}\``
        : `\`memdir undo ${version} --dir '${directory.replaceAll("'", String.raw`'\''`)}'\``,
    ];
  });
  const count = done.reduce((sum, { added, both }) => sum + added.length + both.length, 0);
  line(
    invocation.io,
    `imported ${counted(count, "note")}${undos.length === 0 ? "" : `; ${undos.join(", ")} ${undos.length === 1 ? "takes them" : "take them"} back`}`,
  );
}

function print(io: Io, plan: readonly ImportedStore[], { leftOut }: Pick<OpenedArchive, "leftOut">): void {
  for (const store of plan) {
    const { scope, name, directory, added, known, both, versions, logs } = store;
    line(
      io,
      `${scope} ${name} into ${directory}: ${counted(added.length, "new note")}, ${known} already here, ${both.length} conflicting${versions > 0 ? `, ${counted(versions, "version")} of history` : ""}${logs > 0 ? `, ${counted(logs, "day")} of logs` : ""}`,
    );
    printFew(io, both, ({ file, as }) => `both kept: ${file} stays, the imported note is ${as}`);
    printLeftOut(io, store.leftOut);
  }
  printLeftOut(io, leftOut);
  if (plan.length === 0) line(io, "it holds no notes");
}

function printLeftOut(io: Io, leftOut: readonly LeftOut[]): void {
  printFew(io, leftOut, ({ file, why }) => paint(io, "yellow", `left out: ${file} (${why})`));
}

const NAMED = 10;

function printFew<Item>(io: Io, items: readonly Item[], said: (item: Item) => string): void {
  for (const item of items.slice(0, NAMED)) line(io, `  ${said(item)}`);
  if (items.length > NAMED) line(io, `  and ${items.length - NAMED} more; --json lists all`);
}
