import { requireLayout } from "../../adapters/files/layout.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { openStore } from "../../adapters/files/store.ts";
import { openGitArchive } from "../../adapters/git/archive.ts";
import { createSqliteLock } from "../../adapters/sqlite/lock.ts";
import { openNoteIndex } from "../../adapters/sqlite/note-index.ts";
import { yamlFrontmatter } from "../../adapters/yaml/frontmatter.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { type Locations, type StoreLocation, location } from "./locations.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { IndexEntry, NoteIndex } from "../../core/notes/note-index.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { ScopedStore, WorkspaceLogs } from "./workspace.ts";
import fs, { existsSync } from "node:fs";
import { openDailyLog } from "../../adapters/files/daily-log.ts";
import { mayWrite, modeIn, refusedByMode } from "./modes.ts";
import { type LogPlace, logPlace, projectLabel } from "./beside-notes.ts";
import path from "node:path";

/** A store on this machine with its name: a project's slug, a group's name, or a type of sub-agent. */
export interface NamedStore {
  readonly place: StoreLocation;
  readonly name: string;
}

/** Every store of this user on this machine. Links to another store are left out, so that each appears once. */
export function allStores(locations: Locations): readonly NamedStore[] {
  const { memdirHome, configDirectory } = locations;
  const found: NamedStore[] = [
    { place: location(memdirHome, "user", path.join(memdirHome, "user", "memory")), name: "user" },
    ...namesIn(path.join(memdirHome, "groups")).map((name) => ({
      place: location(memdirHome, "group", path.join(memdirHome, "groups", name, "memory")),
      name,
    })),
    ...namesIn(path.join(memdirHome, "local")).map((name) => ({
      place: location(memdirHome, "local", path.join(memdirHome, "local", name, "memory")),
      name,
    })),
    ...namesIn(path.join(configDirectory, "agent-memory")).map((name) => ({
      place: location(memdirHome, "agent-user", path.join(configDirectory, "agent-memory", name)),
      name,
    })),
    ...projectStoresIn(locations, configDirectory),
    ...projectStoresIn(locations, memdirHome),
    ...locations.stores.map((place) => ({ place, name: nameOf(locations, place) })),
  ];
  const seen = new Set<string>();
  return found.filter(({ place: { directory } }) => {
    if (seen.has(directory) || !isDirectory(directory)) return false;
    seen.add(directory);
    return true;
  });
}

/** The stores of all projects under one home directory, each with its team store. */
export function projectStoresIn({ memdirHome }: Pick<Locations, "memdirHome">, base: string): readonly NamedStore[] {
  return namesIn(path.join(base, "projects")).flatMap((name) => {
    const directory = path.join(base, "projects", name, "memory");
    return [
      { place: { ...location(memdirHome, "project", directory), excluded: ["team"] }, name },
      { place: location(memdirHome, "team", path.join(directory, "team")), name },
    ].filter(({ place }) => isDirectory(directory) && isDirectory(place.directory));
  });
}

/** The name in an export of a store in force here. */
export function nameOf({ project, group, agentType }: Locations, { scope }: StoreLocation): string {
  if (scope === "user") return "user";
  if (scope === "group") return group ?? "group";
  return scope.startsWith("agent") ? (agentType ?? "agent") : (project?.slug ?? "here");
}

function namesIn(directory: string): readonly string[] {
  return fs.existsSync(directory) ? fs.readdirSync(directory).toSorted() : [];
}

/** Does not follow a link: its target is found in its own place. */
function isDirectory(directory: string): boolean {
  return fs.lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Most time for tidying one store; the rest is done later (ms). */
const TIDY_MS = 20_000;

/** Shrinks state that has grown, if due. A failure does not affect what was written. */
export function tidyStores(stores: Iterable<ScopedStore>, deadline: number): void {
  for (const { store } of stores) {
    const left = Math.min(TIDY_MS, deadline - Date.now());
    try {
      if (left > 0) store.tidy(left);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
    }
  }
}

/** Notes read before they are added: a whole large store at once would take several times its size in memory. */
const BATCH = 250;

/** Fills an empty index with these files, reading them with `read`. */
export function fillIndex(
  index: NoteIndex,
  entries: readonly Pick<IndexEntry, "file" | "mtimeMs">[],
  read: (file: string) => Uint8Array | undefined,
  codec: FrontmatterCodec,
): void {
  for (let start = 0; start < entries.length; start += BATCH) {
    index.apply({
      upsert: entries.slice(start, start + BATCH).flatMap(({ file, mtimeMs }) => {
        const bytes = read(file);
        return bytes === undefined
          ? []
          : [{ file, hash: sha256(bytes), size: bytes.byteLength, mtimeMs, note: parseNote(file, bytes, codec) }];
      }),
    });
  }
}

/** The store of a place in any project. @throws MemoryError `unavailable` if a newer memdir wrote its state. */
export function openStoreAt(
  place: StoreLocation,
  locations: Pick<Locations, "hasGit" | "environment">,
  clock: Clock,
  lockTimeoutMs?: number,
): NoteStore {
  const { directory, state, excluded, inRepository = false } = place;
  requireLayout(state, nodeFiles);
  makeState(state);
  return openStore({
    directory,
    state,
    excluded,
    orderedByName: inRepository,
    files: nodeFiles,
    lock: createSqliteLock(`${state}/lock.db`),
    index: openNoteIndex(`${state}/index.db`),
    archive: () => (locations.hasGit() ? openGitArchive(`${state}/history.git`, locations.environment) : undefined),
    codec: yamlFrontmatter,
    clock,
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
  });
}

/** Without write access the index is kept in memory and reports that. */
function makeState(state: string): void {
  try {
    nodeFiles.makeDirectory(state);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

export interface OpenLogs {
  /** The logs if there are any; creates nothing. */
  present(): WorkspaceLogs | undefined;
  /** Opens them for writing. @throws MemoryError `refused` by the mode, `invalid-input` without a user scope. */
  open(): WorkspaceLogs;
  close(): void;
}

/** The user's daily logs, opened when first needed. */
export function openLogsOf(locations: Locations, lockTimeoutMs?: number): OpenLogs {
  let logs: WorkspaceLogs | undefined;
  const opened = (place: LogPlace): WorkspaceLogs =>
    (logs ??= { store: openLogsAt(place, lockTimeoutMs), project: projectLabel(locations) });
  return {
    present() {
      const place = logPlace(locations);
      if (place === undefined) return undefined;
      return logs !== undefined || existsSync(`${place.state}/index.db`) || hasYears(place.directory)
        ? opened(place)
        : undefined;
    },
    open() {
      if (!locations.stores.some(({ scope }) => scope === "user"))
        throw new MemoryError(
          "invalid-input",
          "daily logs belong to the user's scope, and there is none here: leave --dir and MEMDIR_DIR out",
        );
      const choice = modeIn(locations.modes, "user");
      const place = logPlace(locations);
      if (place === undefined || !mayWrite(choice.mode)) throw refusedByMode("the daily log (user scope)", choice);
      return opened(place);
    },
    close: () => logs?.store.close(),
  };
}

/** The logs of a place, which may not exist yet. */
export function openLogsAt(place: LogPlace, lockTimeoutMs?: number): WorkspaceLogs["store"] {
  makeState(place.state);
  return openDailyLog({
    ...place,
    files: nodeFiles,
    lock: createSqliteLock(`${place.state}/lock.db`),
    index: openNoteIndex(`${place.state}/index.db`),
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
  });
}

function hasYears(directory: string): boolean {
  return (nodeFiles.list(directory) ?? []).some(({ name, kind }) => kind === "directory" && /^\d{4}$/u.test(name));
}
