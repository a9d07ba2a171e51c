import { MemoryError } from "../../core/shared/errors.ts";
import type { SyncedScope } from "../../core/sync/gates.ts";
import type { KeyDevice } from "../../core/sync/keyring.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { deviceIdHere, isThere, readKeys } from "./key-files.ts";
import { withKeys } from "./open-transport.ts";
import type { KeyHolder, KeysStatus } from "./reports.ts";
import { spacesHere } from "./spaces-here.ts";
import type { SyncedSpace } from "./spaces.ts";

/** What this device knows, without network access. `null` for a space that is not encrypted. */
export function keysStatus(memdirHome: string, { state, isEncrypted }: SyncedSpace): KeysStatus | null {
  if (isEncrypted !== true) return null;
  const { ring, words, requests, recovery, isRemoved } = readKeys(state);
  const here = deviceIdHere(memdirHome);
  const known = (ring?.devices ?? []).map((device) => holder(device, here));
  return {
    words: words ?? null,
    // A removed device notices when it can no longer open the keys; its list of devices is from before.
    devices: known.map((one) => (isRemoved && one.isHere ? { ...one, isRemoved } : one)),
    requests: requests.length,
    recovery: isThere(recovery) ? (recovery ?? null) : null,
  };
}

function holder({ id, name, since, removed }: KeyDevice, here: string | undefined): KeyHolder {
  return { id, name, since, isHere: id === here, isRemoved: removed !== undefined };
}

export interface ApprovedDevice {
  readonly scope: SyncedScope;
  readonly device: KeyHolder;
}

/** Gives the keys of the spaces here to the device that shows `words`. Call it after a sync, which fetches requests. */
export async function approveDevice(
  workspace: OpenWorkspace,
  words: string,
  scope?: string,
): Promise<readonly ApprovedDevice[]> {
  const approved: ApprovedDevice[] = [];
  for (const space of encryptedHere(workspace, scope)) {
    const device = await withKeys(workspace, space, (keys) => keys.approve(words));
    if (device !== undefined) approved.push({ scope: space.scope, device: holder(device, undefined) });
  }
  if (approved.length === 0)
    throw new MemoryError("not-found", "no device asks for the key with these words; compare them with what it shows");
  return approved;
}

export interface RemovedDevice {
  readonly scope: SyncedScope;
  readonly device: KeyHolder;
  /** The file with the new recovery phrase; the old phrase opens nothing new. */
  readonly recovery: string;
}

/** Removes a device, by name or id, by making new keys without it. The next sync encrypts every note again. */
export async function revokeDevice(
  workspace: OpenWorkspace,
  wanted: string,
  scope?: string,
): Promise<readonly RemovedDevice[]> {
  const here = deviceIdHere(workspace.locations.memdirHome);
  const found = encryptedHere(workspace, scope).flatMap((space) => {
    const devices = (readKeys(space.state).ring?.devices ?? []).filter(({ removed }) => removed === undefined);
    const meant = devices.filter(({ id, name }) => id.startsWith(wanted) || name === wanted);
    if (meant.length > 1)
      throw new MemoryError(
        "invalid-input",
        `${meant.length} devices of the ${space.scope} scope are called ${wanted}; give the id: ${meant.map(({ id, since }) => `${id} (since ${since.slice(0, 10)})`).join(", ")}`,
      );
    return meant.map((device) => ({ space, device }));
  });
  if (found.length === 0)
    throw new MemoryError("not-found", `no device ${wanted} has the key; \`memdir sync devices\` lists them`);
  if (found.some(({ device }) => device.id === here))
    throw new MemoryError("refused", "that is this device; revoke it on another one");
  const removed: RemovedDevice[] = [];
  for (const { space, device } of found) {
    const recovery = await withKeys(workspace, space, (keys) => keys.remove(device.id));
    removed.push({ scope: space.scope, device: { ...holder(device, here), isRemoved: true }, recovery });
  }
  return removed;
}

/** Obtains the keys of a space with its recovery phrase or file, without another device. */
export async function recoverSpace(workspace: OpenWorkspace, space: SyncedSpace, text: string): Promise<void> {
  await withKeys(workspace, space, (keys) => keys.recover(text));
}

function encryptedHere({ locations }: OpenWorkspace, scope: string | undefined): readonly SyncedSpace[] {
  const spaces = spacesHere(locations, scope).filter(({ isEncrypted }) => isEncrypted === true);
  if (spaces.length === 0) throw new MemoryError("not-found", "nothing here syncs encrypted");
  return spaces;
}
