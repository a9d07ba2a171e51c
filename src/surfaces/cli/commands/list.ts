import { noteReference } from "../../../core/shared/note-reference.ts";
import { type ListedNote, listAsOf, listNotes } from "../../../app/notes/list.ts";
import { missingScope } from "../../../app/workspace/missing-scope.ts";
import { nothingKnown } from "../../../app/recall/as-of.ts";
import { obstaclesToFirst } from "../../../app/workspace/saving.ts";
import { overriddenBy } from "../../../app/workspace/modes.ts";
import { versionAsOf } from "../../../app/notes/versions.ts";
import { noteScope, noteType, shownType } from "../../../app/notes/gate.ts";
import { ageInWords } from "../../../core/shared/clock.ts";
import type { Scope } from "../../../core/notes/note.ts";
import { counted, oneLine } from "../../../core/shared/text.ts";
import type { Invocation } from "../command.ts";
import { EXIT, type Io, json, line, paint } from "../io.ts";
import { fitted, paragraph } from "../wrap.ts";
import { asOfTime, sinceTime } from "./parse-input.ts";

interface Row {
  readonly file: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly scope: Scope;
  readonly pinned?: boolean;
  readonly age?: string;
  readonly supersededBy?: string | undefined;
  /** A note of this name in a nearer scope takes precedence. */
  readonly overriddenBy?: Scope | undefined;
  readonly problems?: readonly { readonly code: string; readonly message: string }[];
}

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const isWanted = filterOf(invocation);
  const all = invocation.option("as-of") === undefined ? presentRows(invocation) : pastRows(invocation);
  const rows = all.filter(isWanted);
  if (invocation.flag("json")) json(io, { notes: rows });
  else if (rows.length === 0) line(io, emptySentence(invocation, all.length));
  else printRows(io, rows);
  return EXIT.ok;
}

/** `--type`, `--scope` and words; all of them must match. */
function filterOf(invocation: Invocation): (row: Row) => boolean {
  const type = noteType(invocation.option("type"));
  const scope = noteScope(invocation.option("scope"));
  const { scopes, locations } = invocation.workspace();
  // The others are in force in every project; with --dir there is only one, and none of its notes match.
  if (scope !== undefined && !scopes.includes(scope) && (scope === "group" || scope.startsWith("agent")))
    throw missingScope(locations, scope);
  const words = invocation.positionals
    .flatMap((given) => given.toLowerCase().split(/\s+/u))
    .filter((word) => word !== "");
  return (row) => {
    const said = `${row.file}\n${row.name}\n${row.description}`.toLowerCase();
    return (
      (type === undefined || row.type === type) &&
      (scope === undefined || row.scope === scope) &&
      words.every((word) => said.includes(word))
    );
  };
}

function emptySentence(invocation: Invocation, count: number): string {
  if (count > 0) return `none of the ${counted(count, "note")} match; \`memdir search TERM\` looks into their text too`;
  if (invocation.option("since") !== undefined) return "no note was written or changed since then";
  if (invocation.option("as-of") !== undefined) return "no notes then";
  const [place] = invocation.workspace().locations.stores;
  const obstacle = place === undefined ? undefined : obstaclesToFirst(place)[0];
  return obstacle === undefined
    ? "no notes yet; `memdir remember TEXT` saves one, `memdir demo` shows how sessions become notes"
    : `no notes, and none can be saved: ${obstacle}`;
}

function printRows(io: Io, rows: readonly Row[]): void {
  const cells = rows.map((row) => [
    noteReference(row),
    paint(io, "dim", row.type),
    paint(io, "dim", row.age ?? ""),
    `${row.pinned === true ? "📌 " : ""}${standing(row)}${oneLine(row.description)}`,
  ]);
  for (const text of fitted(cells, io.width, true)) line(io, text.trimEnd());
  const odd = rows.filter(({ problems }) => problems !== undefined && problems.length > 0);
  if (odd.length === 0) return;
  const named = odd.slice(0, 3).map(({ file }) => file);
  line(io);
  paragraph(
    io,
    paint(
      io,
      "yellow",
      `${counted(odd.length, "note has a problem", "notes have a problem")} (\`memdir doctor\` says which): ${named.join(", ")}${odd.length > 3 ? " …" : ""}`,
    ),
  );
}

/** Why a note is not in force. */
function standing({ supersededBy, overriddenBy: nearer }: Row): string {
  if (supersededBy !== undefined) return `(superseded by ${supersededBy}) `;
  return nearer === undefined ? "" : `(overridden by ${nearer}) `;
}

function presentRows(invocation: Invocation): Row[] {
  const workspace = invocation.workspace();
  const since = sinceOption(invocation);
  return listNotes(workspace, { superseded: invocation.flag("all") })
    .filter(({ entry }) => entry.time >= since)
    .map((note) => ({
      ...toRow(note, workspace.clock),
      overriddenBy: overriddenBy(workspace.stores, note.scoped.scope, note.entry),
    }));
}

function toRow({ scoped, entry }: ListedNote, clock: { now(): number; timeZone: string | undefined }): Row {
  const { file, name, description, pinned, time, problems, supersededBy } = entry;
  return {
    file,
    name,
    description,
    type: entry.shownType,
    scope: scoped.scope,
    pinned,
    age: ageInWords(time, clock.now(), clock.timeZone),
    supersededBy,
    problems,
  };
}

function pastRows(invocation: Invocation): Row[] {
  const workspace = invocation.workspace();
  const ms = asOfTime(invocation.option("as-of") ?? "");
  const past = workspace.stores.flatMap((scoped) => {
    const version = versionAsOf(scoped, ms);
    return version === undefined ? [] : [{ scoped, version }];
  });
  if (past.length === 0) throw nothingKnown(ms);
  const since = sinceOption(invocation);
  return past.flatMap(({ scoped, version }) =>
    listAsOf(workspace, scoped, version.seq)
      .filter(({ note }) => note.supersededBy === undefined && !(Date.parse(note.modified ?? "") < since))
      .map(({ file, note }) => ({
        file,
        name: note.name,
        description: note.description,
        type: shownType(note),
        scope: scoped.scope,
      })),
  );
}

function sinceOption(invocation: Invocation): number {
  const given = invocation.option("since");
  return given === undefined ? Number.NEGATIVE_INFINITY : sinceTime(given);
}
