import { SCOPES } from "../../core/notes/note.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isSyncedScope, SYNCED_SCOPES, type SyncedScope } from "../../core/sync/gates.ts";
import type { Locations } from "../workspace/locations.ts";
import { mayWrite, modeIn } from "../workspace/modes.ts";
import { readLastRun } from "./run-records.ts";
import { readSpaces, type SyncedSpace } from "./spaces.ts";

export type SpacesPlace = Pick<Locations, "memdirHome" | "stores" | "modes">;

/** The spaces of the stores in force here. */
export function spacesHere({ memdirHome, stores }: SpacesPlace, scope?: string): readonly SyncedSpace[] {
  const wanted = scope === undefined ? undefined : syncedScope(scope);
  const here = new Set(stores.map(({ directory }) => directory));
  return readSpaces(memdirHome).filter(
    (space) => here.has(space.directory) && (wanted === undefined || space.scope === wanted),
  );
}

/** Whether it syncs automatically: it is not paused, and the mode of its scope allows writing. */
export function isAutomatic({ modes }: SpacesPlace, { scope, paused, isManual }: SyncedSpace): boolean {
  return paused === undefined && isManual !== true && mayWrite(modeIn(modes, scope).mode);
}

/** Whether an automatic sync is due now; after failures there is a waiting time. */
export function isDue(place: SpacesPlace, space: SyncedSpace, now: number): boolean {
  if (!isAutomatic(place, space)) return false;
  const retryAt = Date.parse(readLastRun(space.state)?.retryAt ?? "");
  // A clock that was set back must not block it.
  return !(now < retryAt) || retryAt - now > LONGEST_WAIT_MS;
}

const LONGEST_WAIT_MS = 24 * 60 * 60_000;

export function syncedScope(scope: string): SyncedScope {
  if (isSyncedScope(scope)) return scope;
  if (!SCOPES.some((one) => one === scope))
    throw new MemoryError(
      "invalid-input",
      `there is no scope "${scope}"; scopes that can sync: ${SYNCED_SCOPES.join(", ")}`,
    );
  throw new MemoryError(
    "invalid-input",
    `notes of the ${scope} scope never leave this machine; scopes that can sync: ${SYNCED_SCOPES.join(", ")}`,
  );
}
