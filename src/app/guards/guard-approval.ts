import { nodeFiles } from "../../adapters/files/node-files.ts";
import { yamlFrontmatter } from "../../adapters/yaml/frontmatter.ts";
import { type Guard, guardHash, readGuard, type ReadGuard } from "../../core/guards/guard.ts";
import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { type ApprovedGuard, readRegistry, writeRegistry } from "./guard-registry.ts";
import type { Locations, StoreLocation } from "../workspace/locations.ts";

/** What a note says of guards now. */
export interface NoteGuard {
  readonly name: string;
  readonly read: ReadGuard;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Reads the guard of a note's file; a note that was retired has none. */
export function guardOfNote(directory: string, file: string): NoteGuard | undefined {
  const path = `${directory}/${file}`;
  const stat = nodeFiles.stat(path);
  const bytes = stat?.kind === "file" ? nodeFiles.read(path) : undefined;
  if (stat === undefined || bytes === undefined) return undefined;
  const note = parseNote(file, bytes, yamlFrontmatter);
  const { data } = yamlFrontmatter.read(splitFrontmatter(new TextDecoder().decode(bytes)).block);
  const read: ReadGuard =
    note.supersededBy === undefined ? readGuard(data, note.type ?? note.writtenType) : { kind: "none" };
  return { name: note.name, read, size: stat.size, mtimeMs: stat.mtimeMs };
}

/** Whether the note says what was approved, however else it changed; what its file looks like now is kept. */
export function isStillApproved(locations: Pick<Locations, "stores">, guard: ApprovedGuard): boolean {
  const now = guardOfNote(guard.directory, guard.file);
  if (now?.read.kind !== "guard" || guardHash(now.read.guard) !== guard.hash) return false;
  const place = locations.stores.find(({ scope }) => scope === guard.scope);
  if (place !== undefined)
    change(place, (guards) =>
      guards.map((one) =>
        one.file === guard.file ? { ...one, name: now.name, size: now.size, mtimeMs: now.mtimeMs } : one,
      ),
    );
  return true;
}

/** Records that the person wants this guard, as it is now. */
export function approveGuard(
  place: StoreLocation,
  file: string,
  guard: Guard,
  note: NoteGuard,
  approvedAt: string,
): void {
  const approved: ApprovedGuard = {
    scope: place.scope,
    directory: place.directory,
    file,
    name: note.name,
    hash: guardHash(guard),
    guard,
    approvedAt,
    size: note.size,
    mtimeMs: note.mtimeMs,
  };
  change(place, (guards) =>
    [...guards.filter((one) => one.file !== file), approved].toSorted((a, b) => (a.file < b.file ? -1 : 1)),
  );
}

/** `false` when it was not approved. */
export function revokeGuard(place: StoreLocation, file: string): boolean {
  const known = readRegistry(place).some((one) => one.file === file);
  if (known) change(place, (guards) => guards.filter((one) => one.file !== file));
  return known;
}

function change(place: StoreLocation, edit: (guards: readonly ApprovedGuard[]) => readonly ApprovedGuard[]): void {
  writeRegistry(place, edit(readRegistry(place)));
}
