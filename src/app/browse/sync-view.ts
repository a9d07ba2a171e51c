import { MemoryError } from "../../core/shared/errors.ts";
import { nameHidden } from "../../core/shared/hidden.ts";
import { syncWorkerAtWork } from "../background/want-sync.ts";
import { syncDevices } from "../sync/receipts.ts";
import type { SpaceStatus, SyncStatus } from "../sync/reports.ts";
import { waitingForPerson } from "../sync/sync-notice.ts";
import { syncLog, syncStatus } from "../sync/sync.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import type { Reading } from "./note-list.ts";
import WORDS from "./skill-words.json" with { type: "json" };
import type { DevicesView, SyncItem, SyncView } from "./tend-shapes.ts";

export interface SyncHere extends SyncStatus {
  /** The id of the process that syncs now. */
  readonly worker: number | undefined;
  /** What waits for the user, or why that is unknown. */
  readonly waiting: string | undefined;
}

export function syncHere(workspace: OpenWorkspace): SyncHere {
  const worker = syncWorkerAtWork(workspace.locations.memdirHome);
  try {
    const waiting = waitingForPerson(workspace.locations, workspace.clock.now());
    return { ...syncStatus(workspace), worker, waiting };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { spaces: [], worker, waiting: error.message };
  }
}

/** The same for the page, with the last runs. Uses no network. */
export function syncView({ workspace }: Reading): SyncView {
  const { spaces, worker, waiting } = syncHere(workspace);
  return {
    spaces: spaces.map(syncItem),
    working: worker !== undefined,
    runs: spaces.length === 0 ? [] : syncLog(workspace),
    ...(waiting !== undefined && { waiting: nameHidden(waiting) }),
  };
}

function syncItem({ keys, lastRun, retryAt, refused, ...space }: SpaceStatus): SyncItem {
  const { scope, directory, remote, kind, state, message, pending, conflicts, automatic } = space;
  return {
    scope,
    directory,
    remote,
    kind,
    space: space.space,
    state,
    message,
    pending,
    conflicts,
    automatic,
    refused: refused.map(({ key, reason }) => ({ path: key, why: WORDS.refused[reason] })),
    ...(lastRun !== null && { lastRun }),
    ...(retryAt !== null && { retryAt }),
    ...(keys !== null && {
      keys: {
        devices: keys.devices
          .filter(({ isRemoved }) => !isRemoved)
          .map(({ id, name, isHere }) => ({ id, name, here: isHere })),
        requests: keys.requests,
        ...(keys.words !== null && { words: keys.words }),
      },
    }),
  };
}

/** Asks the servers which devices read each space. @throws MemoryError if one cannot be reached. */
export async function devicesView({ workspace }: Reading): Promise<DevicesView> {
  const spaces = await syncDevices(workspace);
  return {
    spaces: spaces.map(({ scope, remote, kind, devices, receipts }) => ({
      scope,
      remote,
      kind,
      openForgets: receipts.filter(({ open }) => open.length > 0).length,
      ...(devices !== undefined && {
        devices: devices.map(({ device, user, seenAt, isCurrent }) => ({
          device,
          user,
          seen: seenAt,
          current: isCurrent,
        })),
      }),
    })),
  };
}
