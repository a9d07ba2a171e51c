import type { Locations } from "../workspace/locations.ts";
import type { KeysStatus, SpaceRun, SpaceState, SpaceStatus, SyncNow } from "./reports.ts";
import { readLastRun } from "./run-records.ts";
import { isAutomatic } from "./spaces-here.ts";
import type { SyncedSpace } from "./spaces.ts";

/** The current state of a space's store. */
export interface SeenInStore {
  readonly pending: number;
  readonly cursor: string;
  readonly conflicts: readonly string[];
  readonly unread: readonly string[];
  readonly keys: KeysStatus | null;
}

/** The status of a space: its last run, and the current state of its store. */
export function spaceStatus(
  place: Pick<Locations, "memdirHome" | "stores" | "modes">,
  space: SyncedSpace,
  seen: SeenInStore,
): SpaceStatus {
  const last = readLastRun(space.state);
  const { scope, directory, remote, kind, paused } = space;
  return {
    scope,
    directory,
    remote,
    kind,
    space: space.space,
    name: space.name ?? space.space,
    state: paused === undefined ? (last?.state ?? "never-run") : "paused",
    message: paused?.reason ?? last?.message ?? "",
    head: last?.head ?? "",
    cursor: seen.cursor,
    pending: seen.pending,
    conflicts: seen.conflicts,
    refused: last?.refused ?? [],
    unread: seen.unread,
    lastRun: last?.time ?? null,
    keys: seen.keys,
    automatic: isAutomatic(place, space),
    retryAt: last?.retryAt ?? null,
  };
}

/** A run that transferred nothing. */
export function emptyRun(
  { scope, directory, remote }: SyncedSpace,
  state: SpaceState = "idle",
  message = "",
): SpaceRun {
  return {
    scope,
    directory,
    remote,
    state,
    message,
    pulled: 0,
    pushed: 0,
    merged: [],
    conflicts: [],
    refused: [],
    held: [],
    toReview: [],
    notices: [],
  };
}

export function sumOf(runs: readonly SpaceRun[], ms: number): SyncNow {
  return {
    pulled: runs.reduce((sum, { pulled }) => sum + pulled, 0),
    pushed: runs.reduce((sum, { pushed }) => sum + pushed, 0),
    merged: runs.reduce((sum, { merged }) => sum + merged.length, 0),
    conflicts: runs.flatMap(({ scope, conflicts }) => conflicts.map((one) => ({ scope, ...one }))),
    refused: runs.flatMap(({ scope, refused }) => refused.map((one) => ({ scope, ...one }))),
    ms: Math.round(ms),
    spaces: runs,
  };
}
