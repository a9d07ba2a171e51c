import { nodeFiles } from "../../adapters/files/node-files.ts";
import { yamlFrontmatter } from "../../adapters/yaml/frontmatter.ts";
import { type Guard, guardHash, parseGuard, readGuard, type ReadGuard } from "../../core/guards/guard.ts";
import { splitFrontmatter, setFields } from "../../core/notes/frontmatter.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { type ApprovedGuard, readRegistry, writeRegistry } from "./guard-registry.ts";
import type { Locations, StoreLocation } from "../workspace/locations.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { refusePersonal, requireClean } from "../notes/gate.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { liveEntries, type NoteRef, shownRef } from "../workspace/workspace.ts";

/** What a note now says about guards. */
export interface NoteGuard {
  readonly name: string;
  readonly about: string;
  readonly read: ReadGuard;
  readonly size: number;
  readonly mtimeMs: number;
}

/** Reads the guard in a note's file. A retired note has none. */
export function guardOfNote(directory: string, file: string): NoteGuard | undefined {
  const path = `${directory}/${file}`;
  const stat = nodeFiles.stat(path);
  const bytes = stat?.kind === "file" ? nodeFiles.read(path) : undefined;
  if (stat === undefined || bytes === undefined) return undefined;
  const note = parseNote(file, bytes, yamlFrontmatter);
  const { data } = yamlFrontmatter.read(splitFrontmatter(new TextDecoder().decode(bytes)).block);
  const read: ReadGuard =
    note.supersededBy === undefined ? readGuard(data, note.type ?? note.writtenType) : { kind: "none" };
  return { name: note.name, about: note.description, read, size: stat.size, mtimeMs: stat.mtimeMs };
}

/** Whether the note still says what was approved. If so, records its file's current size and time. */
export function isStillApproved(locations: Pick<Locations, "stores">, guard: ApprovedGuard): boolean {
  const now = guardOfNote(guard.directory, guard.file);
  if (now?.read.kind !== "guard" || guardHash(now.read.guard) !== guard.hash) return false;
  const place = locations.stores.find(({ scope }) => scope === guard.scope);
  if (place !== undefined)
    change(place, (guards) =>
      guards.map((one) =>
        one.file === guard.file
          ? { ...one, name: now.name, about: now.about, size: now.size, mtimeMs: now.mtimeMs }
          : one,
      ),
    );
  return true;
}

/** Records that the user approves this guard in its current form. */
function approveGuard(place: StoreLocation, file: string, guard: Guard, note: NoteGuard, approvedAt: string): void {
  const approved: ApprovedGuard = {
    scope: place.scope,
    directory: place.directory,
    file,
    name: note.name,
    about: note.about,
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

/** Returns `false` if the guard was not approved. */
export function revokeGuard(place: StoreLocation, file: string): boolean {
  const known = readRegistry(place).some((one) => one.file === file);
  if (known) change(place, (guards) => guards.filter((one) => one.file !== file));
  return known;
}

function change(place: StoreLocation, edit: (guards: readonly ApprovedGuard[]) => readonly ApprovedGuard[]): void {
  writeRegistry(place, edit(readRegistry(place)));
}

interface ListedGuard {
  readonly note: string;
  readonly state: "on" | "off" | "changed" | "invalid";
  readonly guard: Guard | undefined;
  readonly reason?: string;
}

/** Every live note with a guard, and whether the user approved it in its current form. */
export function listGuards(workspace: OpenWorkspace): readonly ListedGuard[] {
  for (const { store } of workspace.stores) store.reconcile("full");
  const approved = new Map(
    workspace.locations.stores.flatMap(readRegistry).map((guard) => [`${guard.scope}:${guard.file}`, guard.hash]),
  );
  return liveEntries(workspace).flatMap(({ scoped, entry: { file } }): ListedGuard[] => {
    const read = guardOfNote(scoped.store.directory, file)?.read;
    if (read === undefined || read.kind === "none") return [];
    const note = shownRef(workspace, { scoped, file });
    if (read.kind === "invalid") return [{ note, state: "invalid", guard: undefined, reason: read.reason }];
    const hash = approved.get(`${scoped.scope}:${file}`);
    return [{ note, state: stateOf(hash, read.guard), guard: read.guard }];
  });
}

function stateOf(approved: string | undefined, guard: Guard): "on" | "off" | "changed" {
  if (approved === undefined) return "off";
  return approved === guardHash(guard) ? "on" : "changed";
}

/** As the user gives it; `parseGuard` says why it is invalid. */
interface WantedGuard {
  readonly tool: string | undefined;
  readonly pattern: string | undefined;
  readonly action: string;
  readonly message: string | undefined;
}

type WrittenGuard =
  /** `on`: the very guard that the user approved before is back. `changed`: another one was approved. */
  | { readonly kind: "written"; readonly guard: Guard; readonly state: "on" | "off" | "changed" }
  | { readonly kind: "invalid"; readonly reason: string };

/**
 * Writes a guard into a note's frontmatter. It has no effect until it is enabled, unless it was before.
 * @throws MemoryError
 */
export async function writeGuard(workspace: OpenWorkspace, ref: NoteRef, wanted: WantedGuard): Promise<WrittenGuard> {
  if (workspace.mode !== "auto") throw new MemoryError("refused", `memory is ${workspace.mode}; nothing was written`);
  const read = parseGuard({ ...wanted });
  if (read.kind !== "guard")
    return { kind: "invalid", reason: read.kind === "invalid" ? read.reason : "a guard needs --tool and --pattern" };
  const { guard } = read;
  const { store } = ref.scoped;
  const shown = shownRef(workspace, ref);
  if (store.index.entry(ref.file)?.type !== "feedback")
    throw new MemoryError("refused", `${shown} is not a feedback note, and only those may carry a guard`);
  const base = store.read(ref.file);
  if (base === undefined) throw new MemoryError("not-found", `${shown} was removed meanwhile`);
  await requireClean(workspace, guard);
  const personal = refusePersonal(ref.scoped.scope, undefined, guard, { text: new TextDecoder().decode(base) });
  if (personal !== undefined) throw new MemoryError("refused", personal.message);
  const fields = (["tool", "pattern", "action", "message"] as const).map(
    (name) => [["metadata", "guard", name], guard[name]] as const,
  );
  const content = setFields(new TextDecoder("utf-8", { ignoreBOM: true }).decode(base), fields, workspace.codec);
  const result = store.commit([{ kind: "write", file: ref.file, base, content }], {
    actor: "user",
    reason: "guard set",
  });
  if (!result.ok) throw new MemoryError("conflict", `${shown} was changed meanwhile; try again`);
  const place = workspace.locations.stores.find(({ scope }) => scope === ref.scoped.scope);
  const approved = place && readRegistry(place).find(({ file }) => file === ref.file);
  return { kind: "written", guard, state: stateOf(approved?.hash, guard) };
}

/** Enables the guard that the user saw. @throws MemoryError `conflict` if the note's guard is different now. */
export function enableGuard(workspace: OpenWorkspace, place: StoreLocation, ref: NoteRef, seen: Guard): void {
  const now = guardOfNote(place.directory, ref.file);
  if (now?.read.kind !== "guard" || guardHash(now.read.guard) !== guardHash(seen))
    throw new MemoryError(
      "conflict",
      `the guard of ${shownRef(workspace, ref)} was changed meanwhile; look at it again`,
    );
  approveGuard(place, ref.file, seen, now, new Date(workspace.clock.now()).toISOString());
}
