import path from "node:path";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { mayWrite, modeIn } from "./modes.ts";
import { passagesOf } from "../../core/notes/quotations.ts";
import type { Workspace } from "./workspace.ts";
import { isLineage, type Lineage, type Lives } from "../../core/notes/history.ts";
import type { ForgetReceipt, NoteStore } from "../../core/notes/store.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { mentions } from "../../core/recall/log-line.ts";
import { isAlive } from "./alive.ts";
import { dropQuotations } from "./forget-quotations.ts";
import { location, type Locations, stateName, type StoreLocation } from "./locations.ts";
import { openStoreAt, allStores } from "./open-store.ts";
import { dropFromOperations } from "./operation-records.ts";
import { dropFromRuns } from "../../adapters/files/sync-records.ts";
import { dropFromTransfers } from "./transfer-records.ts";
import { forgetsIn } from "./pending-transfers.ts";
import { isRecord, parseJson } from "../../core/shared/json.ts";
import { openSyncBase } from "../../adapters/sqlite/sync-base.ts";
import { forgetInBase } from "../../core/sync/base.ts";

/** The file with a store's sync state. */
export function syncStateIn(state: string): string {
  return `${state}/sync/sync.db`;
}

/** Removes the lineages' texts from the sync state, and has the next run tell the spaces; returns failures. */
function forgetInSpaces(states: readonly string[], lineages: ReadonlySet<Lineage>): readonly MemoryError[] {
  return states.flatMap((state) => {
    const file = syncStateIn(state);
    if (nodeFiles.stat(file) === undefined) return [];
    try {
      const base = openSyncBase(file);
      try {
        base.write(forgetInBase(base.state, lineages));
      } finally {
        base.close();
      }
      return [];
    } catch (error) {
      if (error instanceof MemoryError) return [error];
      throw error;
    }
  });
}

/** A forget that is not known to be complete. Names no note. */
interface ForgetRecord {
  readonly id: string;
  /** ISO time. */
  readonly time: string;
  /** The working process; a running one is not disturbed. */
  readonly pid: number;
  readonly lineages: readonly Lineage[];
}

/** The record and its name are on disk when it returns; from then on the notes will be forgotten, now or later. */
export function beginForget(memdirHome: string, record: ForgetRecord): void {
  const directory = forgetsIn(memdirHome);
  nodeFiles.makeDirectory(directory);
  const aside = path.join(directory, `${record.id}.tmp`);
  putFile(path.join(directory, `${record.id}.json`), `${JSON.stringify(record)}\n`, { aside, named: true });
}

export function endForget(memdirHome: string, id: string): void {
  nodeFiles.remove(path.join(forgetsIn(memdirHome), `${id}.json`));
  nodeFiles.syncDirectory(forgetsIn(memdirHome));
}

/** Costs one directory read if there are none. */
export function pendingForgets(memdirHome: string): readonly ForgetRecord[] {
  const directory = forgetsIn(memdirHome);
  return (nodeFiles.list(directory) ?? []).flatMap(({ name }): ForgetRecord[] => {
    const bytes = name.endsWith(".json") ? nodeFiles.read(path.join(directory, name)) : undefined;
    const value = bytes === undefined ? undefined : parseJson(new TextDecoder().decode(bytes));
    if (!isRecord(value) || !Array.isArray(value["lineages"])) return [];
    return [
      {
        id: path.basename(name, ".json"),
        time: String(value["time"]),
        pid: Number(value["pid"]),
        lineages: value["lineages"].filter(isLineage),
      },
    ];
  });
}

/** A store that had the notes at any time. */
interface Home {
  readonly place: StoreLocation;
  readonly store: NoteStore;
  readonly lives: Lives;
}

/** The stores, and the records about notes outside them. */
type Records = Pick<Workspace, "recallLog" | "review"> & { readonly locations: Locations };

export interface Survey {
  readonly homes: readonly Home[];
  /** Failures to read a store. */
  readonly failed: readonly MemoryError[];
  /** Stores that the mode of their scope forbids to open. */
  readonly closed: readonly StoreLocation[];
}

/** Carries out a forget in everything that this machine keeps, and tells every space that it syncs with. */
export function carryOutEverywhere(workspace: Records, survey: Survey, record: ForgetRecord): ForgetReceipt["purged"] {
  const states = placesWithState(workspace.locations).map(({ state }) => state);
  const untold = forgetInSpaces(states, new Set(record.lineages));
  return carryOut(workspace, { ...survey, failed: [...survey.failed, ...untold] }, record);
}

/** Purges a record's lineages, and all that quotes or names their notes, from the survey's stores; ends the record. */
function carryOut(workspace: Records, survey: Survey, record: ForgetRecord): ForgetReceipt["purged"] {
  const purged = purgeFrom(workspace, survey, record);
  if (survey.closed.length === 0) endForget(workspace.locations.memdirHome, record.id);
  return purged;
}

/** `kept` are other files that stay. @throws MemoryError that names what is left, after trying everything. */
export function purgeFrom(
  workspace: Records,
  survey: Survey,
  record: Pick<ForgetRecord, "lineages">,
  kept: ReadonlySet<string> = new Set(),
): ForgetReceipt["purged"] {
  const { memdirHome } = workspace.locations;
  const lineages = new Set(record.lineages);
  const homes = survey.homes.filter(({ lives }) => record.lineages.some((one) => lives.namesOf(one).size > 0));
  const names = new Set(homes.flatMap(({ lives }) => record.lineages.flatMap((one) => [...lives.namesOf(one)])));
  const dropLines = (): void =>
    workspace.recallLog.drop((line) => [...names].some((name) => mentions(line, name)), true);
  // While the text is still available for comparison.
  dropQuotations(memdirHome, passagesOf(homes.flatMap((home) => textsOf(home, lineages))), names, kept);
  dropFromTransfers(memdirHome, names);
  dropFromOperations(memdirHome, names);
  for (const { place } of homes) dropFromRuns(place.state, names);
  for (const { place } of homes) for (const name of names) workspace.review.dropAbout(`${place.scope}:${name}`);
  dropLines();
  const purged = homes.map(({ store }) => purgeOne(store, lineages));
  const failed = [...survey.failed, ...purged.flatMap((one) => (one instanceof MemoryError ? [one] : []))];
  dropLines(); // a recall may have shown it meanwhile
  const [first] = failed;
  if (first !== undefined)
    throw failed.length === 1 ? first : new MemoryError(first.code, failed.map(({ message }) => message).join(". "));
  const done = purged.flatMap((one) => (one === undefined || one instanceof MemoryError ? [] : [one]));
  return {
    versions: done.reduce((sum, { versions }) => sum + versions, 0),
    indexLines: done.reduce((sum, { indexLines }) => sum + indexLines, 0),
  };
}

/** A failure of one store does not stop the others. */
function purgeOne(store: NoteStore, lineages: ReadonlySet<Lineage>): ForgetReceipt["purged"] | MemoryError | undefined {
  try {
    return store.forgetLineages(lineages);
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
}

function textsOf({ store, lives }: Home, lineages: ReadonlySet<Lineage>): readonly string[] {
  const history = store.history();
  return history
    .versions()
    .flatMap(({ seq, files }) =>
      files
        .filter(({ file }) => lineages.has(lives.at(seq, file) ?? ""))
        .map(({ file }) => new TextDecoder().decode(history.contentAt(seq, file))),
    );
}

/** Completes earlier forgets; what fails again is left to the next command. */
export function settleForgets(workspace: Records, clock: Clock): void {
  const isAtWork = ({ pid, time }: ForgetRecord): boolean =>
    pid !== process.pid && isAlive(pid) && clock.now() - Date.parse(time) <= LONGEST_MS;
  for (const record of pendingForgets(workspace.locations.memdirHome).filter((one) => !isAtWork(one))) {
    try {
      withSurvey(workspace.locations, clock, SETTLE_LOCK_MS, (survey) => carryOutEverywhere(workspace, survey, record));
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
    }
  }
}

/** No forget takes longer than this (ms): by then the process id belongs to another process. */
const LONGEST_MS = 600_000;

/** How long opening memory waits for locks when completing earlier forgets (ms). */
const SETTLE_LOCK_MS = 500;

/** Opens every writable store of this machine while `work` runs. */
export function withSurvey<T>(
  locations: Locations,
  clock: Clock,
  lockTimeoutMs: number | undefined,
  work: (survey: Survey) => T,
): T {
  const places = placesWithState(locations);
  const isOpen = ({ scope }: StoreLocation): boolean => mayWrite(modeIn(locations.modes, scope).mode);
  const stores = places
    .filter(isOpen)
    .map((place) => ({ place, store: openStoreAt(place, locations, clock, lockTimeoutMs) }));
  try {
    const homes: Home[] = [];
    const failed: MemoryError[] = [];
    for (const one of stores) {
      const lives = isPastHidden(one.place, locations) ? new MemoryError("unavailable", NO_GIT) : livesOf(one);
      if (lives instanceof MemoryError) failed.push(lives);
      else homes.push({ ...one, lives });
    }
    return work({ homes, failed, closed: places.filter((place) => !isOpen(place)) });
  } finally {
    for (const { store } of stores) store.close();
  }
}

const NO_GIT =
  "not forgotten yet: history is kept by git, which cannot be found; install git, and the next command goes on";

function isPastHidden({ state }: StoreLocation, { hasGit }: Locations): boolean {
  return !hasGit() && nodeFiles.stat(`${state}/history.git`) !== undefined;
}

function livesOf({ place, store }: Omit<Home, "lives">): Lives | MemoryError {
  try {
    return store.lives();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return new MemoryError(
      error.code,
      `not forgotten yet: whether ${place.state} holds the note cannot be told (${error.message}). The next command tries again`,
      { cause: error },
    );
  }
}

/** Every store of which memdir has state on this machine, even if its notes are gone. */
function placesWithState(locations: Locations): readonly StoreLocation[] {
  const known = new Map<string, StoreLocation>();
  for (const { place } of allStores(locations)) known.set(place.state, place);
  for (const place of locations.stores) known.set(place.state, place);
  const states = nodeFiles.list(path.join(locations.memdirHome, "stores")) ?? [];
  return states.flatMap(({ name, kind }) => {
    if (kind !== "directory") return [];
    const directory = directoryOf(name);
    const place = directory === undefined ? undefined : location(locations.memdirHome, "project", directory);
    const found = known.get(path.posix.join(locations.memdirHome, "stores", name));
    return found !== undefined ? [found] : place === undefined ? [] : [{ ...place, excluded: ["team"] }];
  });
}

/** The notes directory that a state is named after; `undefined` if the name was cut. */
function directoryOf(name: string): string | undefined {
  const candidates = [name.replaceAll("+", "/"), name.replaceAll("+", "/").replaceAll("~", "\\")].map(decoded);
  return candidates.find((directory) => directory !== undefined && stateName(directory) === name);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined; // not a name given by memdir
    throw error;
  }
}
