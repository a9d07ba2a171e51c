import { type ListedNote, listAsOf, listNotes } from "../../../core/memory/list.ts";
import { overriddenBy } from "../../../core/memory/overridden.ts";
import { versionAsOf } from "../../../core/memory/versions.ts";
import { shownType } from "../../../core/notes/parse-note.ts";
import { ageInWords } from "../../../core/notes/age.ts";
import type { Scope } from "../../../core/notes/note.ts";
import { truncate } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT } from "../exit.ts";
import { json, line, paint, table } from "../io.ts";
import { asOfTime } from "./parse-input.ts";

interface Row {
  readonly file: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly scope: Scope;
  readonly pinned?: boolean;
  readonly age?: string;
  readonly supersededBy?: string | undefined;
  /** A nearer scope holds a note of this name, which counts. */
  readonly overriddenBy?: Scope | undefined;
  readonly problems?: readonly { readonly code: string; readonly message: string }[];
}

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const asOf = invocation.option("as-of");
  const rows = asOf === undefined ? listNotes(workspace, { superseded: invocation.flag("all") }).map((note) => ({ ...toRow(note, workspace.clock), overriddenBy: overriddenBy(workspace.stores, note.scoped.scope, note.entry) })) : pastRows(invocation, asOfTime(asOf));
  if (invocation.flag("json")) {
    json(io, { notes: rows });
    return EXIT.ok;
  }
  if (rows.length === 0) {
    line(io, `no notes${asOf === undefined ? " yet; `memdir remember TEXT` saves one, `memdir demo` shows how sessions become notes" : " then"}`);
    return EXIT.ok;
  }
  for (const text of table(rows.map((row) => [scopedFile(row), paint(io, "dim", row.type), paint(io, "dim", row.age ?? ""), `${row.pinned === true ? "📌 " : ""}${row.overriddenBy === undefined ? "" : `(overridden by ${row.overriddenBy}) `}${truncate(row.description, Math.max(40, io.width - 20))}`]))) line(io, text.trimEnd());
  const odd = rows.filter(({ problems }) => problems !== undefined && problems.length > 0);
  if (odd.length > 0) line(io, paint(io, "yellow", `\n${odd.length} with something to mend (memdir list --json, memdir doctor): ${odd.slice(0, 3).map(({ file }) => file).join(", ")}${odd.length > 3 ? " …" : ""}`));
  return EXIT.ok;
}

function toRow({ scoped, entry }: ListedNote, clock: { now(): number; timeZone: string | undefined }): Row {
  const { file, name, description, pinned, time, problems, supersededBy } = entry;
  return { file, name, description, type: entry.shownType, scope: scoped.scope, pinned, age: ageInWords(time, clock.now(), clock.timeZone), supersededBy, problems };
}

function pastRows(invocation: Invocation, ms: number): Row[] {
  const workspace = invocation.workspace();
  return workspace.stores.flatMap((scoped) => {
    const version = versionAsOf(scoped, ms);
    if (version === undefined) return [];
    return listAsOf(workspace, scoped, version.seq)
      .filter(({ note }) => note.supersededBy === undefined)
      .map(({ file, note }) => ({ file, name: note.name, description: note.description, type: shownType(note), scope: scoped.scope }));
  });
}

function scopedFile(row: Row): string {
  return row.scope === "project" ? row.file : `${row.scope}:${row.file}`;
}
