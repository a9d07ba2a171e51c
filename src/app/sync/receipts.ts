import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { receiptsOf } from "./open-transport.ts";
import type { SyncedScope } from "../../core/sync/gates.ts";
import { keysStatus } from "./key-operations.ts";
import type { KeysStatus } from "./reports.ts";
import { spacesHere } from "./spaces-here.ts";

export interface DeviceOfSpace {
  readonly device: string;
  readonly user: string;
  /** ISO time. */
  readonly seenAt: string;
  /** It has everything that the space has. */
  readonly isCurrent: boolean;
}

/** One forget, and which devices have purged the note. Its name is kept nowhere; only the lineage is. */
export interface ForgetReceipt {
  readonly lineage: string;
  /** ISO time. */
  readonly forgottenAt: string;
  readonly done: readonly string[];
  readonly open: readonly string[];
}

export interface SpaceDevices {
  readonly scope: SyncedScope;
  readonly remote: string;
  readonly kind: "git" | "server" | "store";
  /** `undefined` for a repository or a store of the memory API: they do not know their readers. */
  readonly devices: readonly DeviceOfSpace[] | undefined;
  readonly receipts: readonly ForgetReceipt[];
  /** The devices with the keys of an encrypted space; `null` for other spaces. */
  readonly keys: KeysStatus | null;
}

/**
 * Asks the servers here how far each device has synced. A device is known from its first pull, and has applied
 * everything up to its last request. @throws MemoryError `unavailable` if a server cannot be reached or refuses.
 */
export async function syncDevices({ locations }: OpenWorkspace, scope?: string): Promise<readonly SpaceDevices[]> {
  const spaces: SpaceDevices[] = [];
  for (const space of spacesHere(locations, scope)) {
    const { remote, kind } = space;
    const keys = keysStatus(locations.memdirHome, space);
    if (kind !== "server") {
      spaces.push({ scope: space.scope, remote, kind, devices: undefined, receipts: [], keys });
      continue;
    }
    const { head, devices, forgets } = await receiptsOf(space);
    const named = (isDone: (revision: number) => boolean): readonly string[] =>
      devices.filter(({ revision }) => isDone(revision)).map(({ device, user }) => `${device} of ${user}`);
    spaces.push({
      scope: space.scope,
      remote,
      kind,
      keys,
      devices: devices.map(({ device, user, seenAt, revision }) => ({
        device,
        user,
        seenAt,
        isCurrent: revision >= head,
      })),
      receipts: forgets.map(({ lineage, forgottenAt, revision }) => ({
        lineage,
        forgottenAt,
        done: named((at) => at >= revision),
        open: named((at) => at < revision),
      })),
    });
  }
  return spaces;
}
