import { createKept } from "../../../app/browse/note-list.ts";
import { backlinksOf } from "../../../app/browse/note-view.ts";
import { noteInTime, noteNamed } from "../../../app/notes/find-note.ts";
import { showNote } from "../../../app/notes/list.ts";
import { findEntry, type FoundEntry } from "../../../app/notes/log-entry.ts";
import { overriddenBy } from "../../../app/workspace/modes.ts";
import { versionAsOf, versionsOf } from "../../../app/notes/versions.ts";
import type { NoteRef } from "../../../app/workspace/workspace.ts";
import { ageInWords } from "../../../core/shared/clock.ts";
import { shownType, splitScope } from "../../../app/notes/gate.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, UsageError, json, line, paint } from "../io.ts";
import { entryJson, entryLines } from "./log.ts";
import { asOfTime } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const workspace = invocation.workspace();
  const entry = findEntry(workspace, invocation.positionals[0] ?? "");
  if (entry.kind !== "no-entry") return showEntry(invocation, entry);
  const ref = presentOrPast(invocation);
  const seq = versionWanted(invocation, ref);
  const shown = showNote(workspace, ref, seq);
  if (shown === undefined)
    throw new MemoryError(
      "not-found",
      `${ref.file} is gone; \`memdir history ${ref.file}\` lists its versions, \`memdir undo ${ref.file}\` brings it back`,
    );
  if (seq === undefined) ref.scoped.store.recordHelp([ref.file]);
  const { note, text, links } = shown;
  const winner = overriddenBy(workspace.stores, ref.scoped.scope, note);
  if (invocation.flag("json")) {
    const { file, name, description, body, pinned, modified, supersededBy, validFrom, validTo, evidence, problems } =
      note;
    json(io, {
      file,
      scope: ref.scoped.scope,
      name,
      description,
      type: shownType(note),
      body,
      pinned,
      modified,
      supersededBy,
      validFrom,
      validTo,
      evidence,
      links,
      backlinks: backlinksOf({ workspace, kept: createKept() }, ref).map(({ id }) => id),
      problems,
      overriddenBy: winner,
      path: `${ref.scoped.store.directory}/${file}`,
    });
    return EXIT.ok;
  }
  io.out(text.endsWith("\n") ? text : `${text}\n`);
  if (io.color) {
    const age =
      note.modified === undefined
        ? ""
        : `, ${ageInWords(Date.parse(note.modified), workspace.clock.now(), workspace.clock.timeZone)}`;
    line(io, paint(io, "dim", `${ref.scoped.store.directory}/${note.file}${age}`));
  }
  if (winner !== undefined)
    io.err(`memdir: ${ref.scoped.scope}:${note.file} is overridden here by ${winner}:${note.file}\n`);
  for (const problem of note.problems) io.err(`memdir: ${note.file}: ${problem.message}\n`);
  return EXIT.ok;
}

function showEntry({ io, flag, option }: Invocation, found: Exclude<FoundEntry, { kind: "no-entry" }>): number {
  if (found.kind === "absent") throw new MemoryError("not-found", found.message);
  if (option("version") !== undefined || option("as-of") !== undefined)
    throw new UsageError("entries of a log never change, so they have no versions");
  if (flag("json")) json(io, entryJson(found.entry, found.file));
  else for (const text of entryLines(found.entry, io)) line(io, text);
  return EXIT.ok;
}

/** The file name of a removed note is enough to show it as of a version. */
function presentOrPast(invocation: Invocation): NoteRef {
  const [reference] = invocation.positionals;
  if (reference === undefined)
    throw new UsageError("show needs a note: `memdir show NOTE`; `memdir list` lists the names");
  const isPast = invocation.option("version") !== undefined || invocation.option("as-of") !== undefined;
  return isPast ? noteInTime(invocation.workspace(), reference) : noteNamed(invocation.workspace(), reference);
}

function versionWanted(invocation: Invocation, ref: NoteRef): number | undefined {
  const id = invocation.option("version");
  const asOf = invocation.option("as-of");
  if (id !== undefined && asOf !== undefined) throw new UsageError("give --version or --as-of, not both");
  if (id !== undefined) {
    const { scope, rest } = splitScope(id);
    const version =
      scope === undefined || scope === ref.scoped.scope
        ? versionsOf(ref.scoped).find((one) => one.id === rest)
        : undefined;
    if (version === undefined)
      throw new MemoryError("not-found", `there is no version ${id}; see \`memdir history ${ref.file}\``);
    return version.seq;
  }
  if (asOf === undefined) return undefined;
  const version = versionAsOf(ref.scoped, asOfTime(asOf));
  if (version === undefined)
    throw new MemoryError("not-found", `no version of ${ref.file} from that time: history begins later`);
  return version.seq;
}
