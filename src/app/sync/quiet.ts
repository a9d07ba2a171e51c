import { readSettled, stampOf, type Settled } from "../../adapters/files/settled.ts";
import { openNetwork } from "../../adapters/git/sync/network.ts";
import { httpTransport } from "../../adapters/http-sync/transport.ts";
import { type HeadAnswer, START } from "../../core/sync/transport.ts";
import type { Locations } from "../workspace/locations.ts";
import { mayWrite, modeIn } from "../workspace/modes.ts";
import { isWorkPending } from "../workspace/pending-transfers.ts";
import { version } from "../workspace/version.ts";
import { branchOf } from "./git-spaces.ts";
import type { SpaceRun, SyncStatus } from "./reports.ts";
import { noteQuietRun, readLastRun } from "./run-records.ts";
import { emptyRun, spaceStatus } from "./space-status.ts";
import { spacesHere } from "./spaces-here.ts";
import { type SyncedSpace, tokenIn } from "./spaces.ts";

/**
 * The latest answers of remotes, by the store's directory, so that a full run need not ask again. For a server only
 * failures are kept.
 */
export type Heard = ReadonlyMap<string, HeadAnswer>;

type Place = Pick<Locations, "memdirHome" | "stores" | "modes" | "environment">;

/**
 * One sync of the spaces here for the case that neither this device nor any remote has anything new. It compares names
 * and times of the files and asks each remote once, without opening an index. `runs` is `undefined` if a full sync is
 * needed.
 */
export async function syncQuietly(
  place: Place,
  scope: string | undefined,
  now: () => number,
): Promise<{ readonly runs: readonly SpaceRun[] | undefined; readonly heard: Heard }> {
  const heard = new Map<string, HeadAnswer>();
  const spaces = spacesHere(place, scope);
  const settled = spaces.map((space) => settledHere(place, space));
  if (spaces.length === 0 || settled.includes(undefined)) return { runs: undefined, heard };
  for (const [at, space] of spaces.entries()) {
    const answer = await headOf(space, place.environment, settled[at]?.cursor ?? START);
    if (answer.outcome !== "head" || answer.head !== settled[at]?.cursor) {
      if (answer.outcome !== "head" || space.kind === "git") heard.set(space.directory, answer);
      return { runs: undefined, heard };
    }
  }
  for (const [at, { state }] of spaces.entries())
    // Another run that ended meanwhile has newer information.
    if (isAsBefore(readSettled(state), settled[at])) noteQuietRun(state, now());
  return { runs: spaces.map((space) => emptyRun(space)), heard };
}

/** The result of `syncStatus` for the same case; it asks no remote. */
export function statusQuietly(place: Place, scope: string | undefined): SyncStatus | undefined {
  const spaces = spacesHere(place, scope);
  const found = spaces.flatMap((space) => {
    const settled = settledHere(place, space);
    if (settled === undefined) return [];
    const conflicts = readLastRun(space.state)?.conflicts ?? [];
    return [spaceStatus(place, space, { pending: 0, cursor: settled.cursor, conflicts, unread: [], keys: null })];
  });
  return found.length === spaces.length ? { spaces: found } : undefined;
}

/** The saved state of a store, if nothing changed since a sync that left nothing to do. */
function settledHere({ memdirHome, stores, modes }: Place, space: SyncedSpace): Settled | undefined {
  if (!maySettle(space) || space.paused !== undefined || !mayWrite(modeIn(modes, space.scope).mode)) return undefined;
  if (isWorkPending(memdirHome)) return undefined;
  const store = stores.find(({ directory }) => directory === space.directory);
  const settled = readSettled(space.state);
  if (store === undefined || settled === undefined || settled.version !== version()) return undefined;
  const last = readLastRun(space.state);
  if (last === undefined || last.refused.length > 0) return undefined;
  return stampOf(store, settled.at) === settled.stamp ? settled : undefined;
}

/** Other spaces have more to ask in every run: devices that wait for a key, or the state of a pull request. */
export function maySettle({ kind, isEncrypted, proposals }: SyncedSpace): boolean {
  return kind !== "store" && isEncrypted !== true && proposals === undefined;
}

function isAsBefore(now: Settled | undefined, then: Settled | undefined): boolean {
  return now?.at === then?.at && now?.stamp === then?.stamp;
}

async function headOf(
  { kind, remote, space, tokenFile, state }: SyncedSpace,
  environment: Place["environment"],
  cursor: string,
): Promise<HeadAnswer> {
  if (kind === "git")
    return openNetwork(`${state}/sync/sync.git`, remote, environment).headOf(`refs/heads/${branchOf(space)}`);
  const transport = httpTransport({ url: remote, space, token: tokenIn(tokenFile) });
  const answer = await transport.pull({ cursor, tops: [], limit: 1 });
  if (answer.outcome === "page")
    return { outcome: "head", head: answer.changes.length === 0 ? answer.head : undefined };
  return answer.outcome === "history-changed" || answer.outcome === "compacted"
    ? { outcome: "head", head: undefined }
    : answer;
}
