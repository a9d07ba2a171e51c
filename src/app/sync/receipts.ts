import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { receiptsOf } from "./open-transport.ts";
import type { SyncedScope } from "../../core/sync/gates.ts";
import { keysStatus } from "./key-operations.ts";
import type { KeysStatus } from "./reports.ts";
import { spacesHere } from "./spaces-here.ts";

export interface DeviceOfSpace {
  readonly device: string;
  readonly user: string;
  /** ISO. */
  readonly seenAt: string;
  /** It has all that the space has. */
  readonly isCurrent: boolean;
}

/** One forget, and which devices have purged the note. Nobody keeps its name: the identity is all there is. */
export interface ForgetReceipt {
  readonly lineage: string;
  /** ISO. */
  readonly forgottenAt: string;
  readonly done: readonly string[];
  readonly open: readonly string[];
}

export interface SpaceDevices {
  readonly scope: SyncedScope;
  readonly remote: string;
  readonly kind: "git" | "server" | "store";
  /** `undefined` for a repository or a store of the memory API, which do not know who reads them. */
  readonly devices: readonly DeviceOfSpace[] | undefined;
  readonly receipts: readonly ForgetReceipt[];
  /** Who has the keys of an encrypted space; `null` for another. */
  readonly keys: KeysStatus | null;
}

/**
 * Asks the servers here how far each device is. A device is known from its first pull on, and has done what was there
 * when it asked last. @throws MemoryError `unavailable` where a server cannot be reached or says no.
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
