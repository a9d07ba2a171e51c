import { noteReference } from "../../../core/shared/note-reference.ts";
import { noteInTime } from "../../../app/notes/find-note.ts";
import { isForgotten, versionRef, versionsOf } from "../../../app/notes/versions.ts";
import { chainOf, type ChainLink } from "../../../app/notes/supersede.ts";
import type { Version } from "../../../core/notes/history.ts";
import type { ScopedStore } from "../../../app/workspace/workspace.ts";
import { counted } from "../../../core/shared/text.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { Invocation } from "../command.ts";
import { EXIT, json, line, paint } from "../io.ts";
import { fitted } from "../wrap.ts";
import { countOption } from "./parse-input.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const limit = countOption(invocation, "limit") ?? 20;
  const [reference] = invocation.positionals;
  const all = versionsFor(invocation, reference);
  const chain = chainFor(invocation, reference);
  if (invocation.flag("json")) {
    json(io, {
      ...(chain.length > 1 && { chain }),
      versions: all.slice(0, limit).map(({ scoped, version }) => ({
        scope: scoped.scope,
        ref: versionRef(scoped, version),
        ...version,
      })),
    });
    return EXIT.ok;
  }
  const found = all.filter(({ version }) => !isForgotten(version));
  const shown = found.slice(0, limit);
  if (shown.length === 0) line(io, "no versions yet");
  for (const row of fitted(
    shown.map(({ scoped, version }) => [
      paint(io, "cyan", versionRef(scoped, version)),
      version.time.slice(0, 16).replace("T", " "),
      version.actor,
      version.reason,
      filesOf(scoped, version),
    ]),
    io.width,
  ))
    line(io, row.trimEnd());
  if (found.length > shown.length)
    line(io, paint(io, "dim", `… ${found.length - shown.length} older; --limit N shows more`));
  if (all.length > found.length)
    line(
      io,
      paint(io, "dim", `${counted(all.length - found.length, "version")} of forgotten notes: nothing is left of them`),
    );
  if (chain.length > 1) {
    line(io, "\nthis fact over time:");
    for (const row of fitted(
      chain.map(({ file, validFrom, validTo, description }) => [
        `  ${validFrom?.slice(0, 10) ?? "?"} to ${validTo?.slice(0, 10) ?? "today"}`,
        file,
        description,
      ]),
      io.width,
      true,
    ))
      line(io, row.trimEnd());
  }
  return EXIT.ok;
}

/** What the note superseded and was superseded by. */
function chainFor(invocation: Invocation, reference: string | undefined): readonly ChainLink[] {
  return reference === undefined ? [] : chainOf(invocation.workspace(), noteInTime(invocation.workspace(), reference));
}

function versionsFor(
  invocation: Invocation,
  reference: string | undefined,
): { scoped: ScopedStore; version: Version }[] {
  const workspace = invocation.workspace();
  if (reference !== undefined) {
    const { scoped, file } = noteInTime(workspace, reference);
    const versions = versionsOf(scoped, file);
    if (versions.length === 0) throw new MemoryError("not-found", `${file} has no versions yet`);
    return versions.map((version) => ({ scoped, version }));
  }
  return workspace.stores
    .flatMap((scoped) => versionsOf(scoped).map((version) => ({ scoped, version })))
    .toSorted((a, b) => (a.version.time < b.version.time ? 1 : -1));
}

const MARKS = { added: "+", changed: "~", deleted: "-" } as const;

function filesOf({ scope }: ScopedStore, version: Version): string {
  const names = version.files.map(({ file, kind }) => `${MARKS[kind]}${noteReference({ scope, file })}`);
  return names.length > 4 ? `${names.slice(0, 4).join(" ")} … (${names.length})` : names.join(" ");
}
