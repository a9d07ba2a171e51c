import { vault } from "../../src/adapters/crypto/seal.ts";
import type { Keyring } from "../../src/core/sync/keyring.ts";
import { type BaseEntry, emptyState } from "../../src/core/sync/base.ts";
import type { NoteChange, RemoteEntry } from "../../src/core/sync/protocol.ts";
import { type Aside, sealedTransport, type SpaceKeys } from "../../src/core/sync/sealed.ts";
import type { Transport } from "../../src/core/sync/transport.ts";
import { type Cipher, cipherOf } from "../../src/core/sync/sealed-note.ts";

export const TEST_RING: Keyring = {
  version: 1,
  epochs: [{ id: "0a0b0c0d", key: Buffer.alloc(32, 7).toString("base64") }],
  accepted: ["0a0b0c0d"],
  devices: [],
  recovery: "",
  approvals: {},
};

export interface KeysInMemory extends SpaceKeys {
  ring: Keyring;
  /** Every entry ever set aside. */
  readonly everAside: Aside[];
}

/** The keys of a space on a device that was approved long ago. */
export function keysInMemory(): KeysInMemory {
  const aside = new Map<string, Aside>();
  const keys: KeysInMemory = {
    ring: TEST_RING,
    everAside: [],
    aside,
    cipher: async () => cipherNow(),
    again: async () => cipherNow(),
    learn: async () => cipherNow(),
    setAside(changes) {
      for (const [wire, one] of changes) {
        if (one === undefined) aside.delete(wire);
        else {
          aside.set(wire, one);
          keys.everAside.push(one);
        }
      }
    },
  };
  const cipherNow = (): Cipher => cipherOf(vault, keys.ring);
  return keys;
}

/** A device that remembers what it pulled and pushed, as a run does, over a remote that sees no text. */
export function sealedDevice(transport: Transport, keys: SpaceKeys = keysInMemory()): Transport {
  const entries = new Map<string, BaseEntry>();
  const agree = ({ key, lineage, state }: NoteChange | NoteEntry, revision: string, body: string | undefined): void => {
    entries.set(key, { key, lineage, revision, state, hash: undefined, body });
  };
  const sealed = sealedTransport({ transport, keys, state: () => ({ ...emptyState, entries }) });
  return {
    ...sealed,
    async pull(request) {
      const answer = await sealed.pull(request);
      for (const { entry } of answer.outcome === "page" ? answer.changes : [])
        if (entry.state !== "forgotten") agree(entry, entry.revision, entry.state === "live" ? entry.body : undefined);
      return answer;
    },
    async push(id, changes) {
      const answer = await sealed.push(id, changes);
      for (const [at, outcome] of answer.outcome === "pushed" ? answer.outcomes.entries() : []) {
        const change = changes[at];
        if (outcome.outcome === "done" && "revision" in outcome && change !== undefined && "key" in change)
          agree(change, outcome.revision, change.body);
      }
      return answer;
    },
  };
}

type NoteEntry = Exclude<RemoteEntry, { state: "forgotten" }>;
