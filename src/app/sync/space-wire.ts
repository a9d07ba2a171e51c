import type { SyncBase } from "../../core/sync/base.ts";
import type { Refused } from "../../core/sync/gates.ts";
import { plainTransport, replacing, sealedTransport, sealingAnew } from "../../core/sync/sealed.ts";
import { currentEpoch, type Keyring } from "../../core/sync/keyring.ts";
import type { Transport } from "../../core/sync/transport.ts";
import { counted } from "../../core/shared/text.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import { type OpenSpaceKeys, openSpaceKeys, pushIdAt } from "./space-keys.ts";
import type { SyncedSpace } from "./spaces.ts";

/** The connection of a run: the space as it is, or through encryption. */
export interface SpaceWire {
  readonly transport: Transport;
  readonly base: SyncBase;
  /** Treats this device's texts as newer than those that could not be opened. */
  replace(): void;
  /** Called after a complete run. */
  settle(): Promise<void>;
  aside(): readonly Refused[];
  /** Devices that ask for the keys. */
  requests(): number;
  notices(): readonly string[];
}

export function keysOf(
  { locations, clock }: Pick<OpenWorkspace, "locations" | "clock">,
  { state, scope }: SyncedSpace,
  transport: Transport,
): OpenSpaceKeys {
  const now = (): number => clock.now();
  const { memdirHome } = locations;
  return openSpaceKeys({ transport, memdirHome, state, name: scope, now, newPushId: () => pushIdAt(now()) });
}

export function wireTo(
  workspace: Pick<OpenWorkspace, "locations" | "clock">,
  space: SyncedSpace,
  transport: Transport,
  base: SyncBase,
): SpaceWire {
  if (space.isEncrypted !== true) return plainWire(transport, base);
  const keys = keysOf(workspace, space, transport);
  const before = keys.known.recovery;
  return {
    transport: sealedTransport({ transport, keys, state: () => base.state }),
    base: sealingAnew(base, () => epochOf(keys.known.ring)),
    replace() {
      const { set, taken } = replacing(keys.aside, base.state);
      base.write({ set, outbox: "empty" });
      keys.setAside(new Map(taken.map((wire) => [wire, undefined])));
    },
    settle: () => keys.settle(base.state),
    aside: () => [...keys.aside].map(([wire, { key = wire, problem }]) => ({ key, reason: "sealed", rule: problem })),
    requests: () => keys.known.requests.length,
    notices: () => noticesOf(keys, before),
  };
}

function epochOf(ring: Keyring | undefined): string | undefined {
  return ring === undefined ? undefined : currentEpoch(ring).id;
}

function noticesOf({ known }: OpenSpaceKeys, before: string | undefined): readonly string[] {
  const { recovery, requests, words } = known;
  return [
    ...(recovery !== undefined && recovery !== before
      ? [`the recovery phrase is in ${recovery}: write it down, keep it elsewhere, and remove the file`]
      : []),
    ...(words !== undefined ? [`on a device that has the key run: memdir sync approve --device ${words}`] : []),
    ...(requests.length > 0
      ? [
          `${counted(requests.length, "device asks", "devices ask")} for the key: memdir sync approve --device WORDS, with the words it shows`,
        ]
      : []),
  ];
}

function plainWire(transport: Transport, base: SyncBase): SpaceWire {
  return {
    transport: plainTransport(transport),
    base,
    replace() {},
    settle: async () => {},
    aside: () => [],
    requests: () => 0,
    notices: () => [],
  };
}
