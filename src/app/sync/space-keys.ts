import { randomBytes } from "node:crypto";
import { ageWrap, newDeviceWords, newRecovery, recoveryIn } from "../../adapters/crypto/age.ts";
import { vault } from "../../adapters/crypto/seal.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { SyncState } from "../../core/sync/base.ts";
import * as rings from "../../core/sync/keyring.ts";
import type { Keyring } from "../../core/sync/keyring.ts";
import { isSealed, NO_REVISION, type NoteChange, type RemoteEntry } from "../../core/sync/protocol.ts";
import { isOfEarlierKey, type SpaceKeys, timedPushId } from "../../core/sync/sealed.ts";
import { type Cipher, cipherOf } from "../../core/sync/sealed-note.ts";
import { type NoAnswer, START, type Transport } from "../../core/sync/transport.ts";
import {
  type DeviceKey,
  deviceId,
  deviceKey,
  type KeyState,
  readKeys,
  removeFile,
  writeKeys,
  writeRecovery,
} from "./key-files.ts";

export interface SpaceKeysPlace {
  /** Transport to the remote, without encryption. */
  readonly transport: Transport;
  readonly memdirHome: string;
  /** memdir's own directory of the store. */
  readonly state: string;
  /** Name of the space in file names. */
  readonly name: string;
  readonly now: () => number;
  readonly newPushId: () => string;
}

/** The keys of one space on this device. They are stored in the space itself, encrypted for each device. */
export interface OpenSpaceKeys extends SpaceKeys {
  readonly known: KeyState;
  /** Gives the keys to the device that shows these words; `undefined` if no device asks with them. */
  approve(words: string): Promise<rings.KeyDevice | undefined>;
  /** Makes a new key and a new recovery phrase without that device. Returns the file with the phrase. */
  remove(id: string): Promise<string>;
  /** Obtains the keys by the recovery phrase or file. */
  recover(text: string): Promise<void>;
  /** After a complete run: once every note uses the newest key, earlier keys are no longer accepted. */
  settle(state: SyncState): Promise<void>;
}

const PORTS = { vault, wrap: ageWrap };
const KEYS_LINEAGE = sha256("memdir keys of a space").slice(0, 24);
const ATTEMPTS = 3;

const refused = (message: string): NoAnswer => ({ outcome: "denied", reason: "role", message });
const missing = (message: string): NoAnswer => ({ outcome: "denied", reason: "key", message });
const WAITS = missing("key missing: this device waits until one that has the key approves it");
const REMOVED = missing(
  "key missing: this device was removed from the space; its notes stay here. `memdir sync setup` asks for the key again",
);
const FOREIGN = refused("the keys at the remote do not come from a device of this space; nothing was taken");

export function pushIdAt(now: number): string {
  return timedPushId(now, randomBytes(10).toString("hex"));
}

export function openSpaceKeys(place: SpaceKeysPlace): OpenSpaceKeys {
  return new Keys(place);
}

class Keys implements OpenSpaceKeys {
  readonly #place: SpaceKeysPlace;
  #known: KeyState;
  #cipher: Cipher | undefined;
  #device: DeviceKey | undefined;

  constructor(place: SpaceKeysPlace) {
    this.#place = place;
    this.#known = readKeys(place.state);
  }

  get known(): KeyState {
    return this.#known;
  }

  get aside(): KeyState["aside"] {
    return this.#known.aside;
  }

  setAside(changes: Parameters<SpaceKeys["setAside"]>[0]): void {
    const aside = new Map(this.aside);
    for (const [wire, one] of changes) {
      if (one === undefined) aside.delete(wire);
      else aside.set(wire, one);
    }
    this.#save({ aside });
  }

  async cipher(): Promise<Cipher | NoAnswer> {
    const { ring, isRemoved } = this.#known;
    if (ring === undefined || isRemoved) return this.again();
    return (this.#cipher ??= cipherOf(vault, ring));
  }

  async again(): Promise<Cipher | NoAnswer> {
    const answer = await this.#place.transport.read(rings.KEYS_ENTRY);
    if (answer.outcome !== "entry") return answer;
    if (answer.entry?.state === "live") return this.#adopt(answer.entry.body, answer.entry.revision);
    // A restored remote may be from before the keys.
    return this.#known.ring === undefined ? this.#begin() : this.#give(this.#known.ring, NO_REVISION);
  }

  async learn(entries: readonly RemoteEntry[]): Promise<Cipher | NoAnswer> {
    const requests = new Map(this.#known.requests.map((one) => [one.id, one]));
    let isOther = false;
    for (const entry of entries) {
      if (entry.state === "forgotten") continue;
      const id = /^device-(.*)\.md$/u.exec(entry.key)?.[1];
      if (id === undefined) isOther ||= entry.revision !== this.#known.revision;
      else if (entry.state === "deleted") requests.delete(id);
      else requests.set(id, { id, revision: entry.revision, lineage: entry.lineage, text: entry.body });
    }
    this.#save({ requests: [...requests.values()] });
    return isOther ? this.again() : this.cipher();
  }

  async approve(words: string): Promise<rings.KeyDevice | undefined> {
    const spoken = spokenWords(words);
    for (const { id, revision, lineage, text } of this.#known.requests) {
      const key = vault.stretch(spoken, id);
      const told = rings.readRequest(vault, key, id, text);
      if (told === undefined || deviceId(told.recipient) !== id) continue;
      const device = { ...told, id, since: this.#today() };
      const request: NoteChange = { key: rings.deviceEntry(id), lineage, base: revision, state: "deleted" };
      await this.#change((ring) => {
        const approval = rings.approvalFor(vault, key, id, rings.currentEpoch(ring));
        return rings.withDevice(ring, device, approval);
      }, request);
      this.#save({ requests: this.#known.requests.filter((one) => one.id !== id) });
      return device;
    }
    return undefined;
  }

  async remove(id: string): Promise<string> {
    const recovery = await newRecovery();
    const before = this.#known.recovery;
    const epoch = vault.newId();
    const file = writeRecovery(this.#place.memdirHome, `${this.#place.name}-${epoch}`, recovery);
    try {
      await this.#change((ring) => rings.withoutDevice(vault, ring, id, this.#today(), recovery.recipient));
    } catch (error) {
      removeFile(file);
      throw error;
    }
    // The previous phrase opens nothing new any more.
    if (before !== file) removeFile(before);
    this.#save({ recovery: file });
    return file;
  }

  async recover(text: string): Promise<void> {
    const identity = recoveryIn(text);
    if (identity === undefined)
      throw new MemoryError("invalid-input", "that is neither a recovery phrase of twelve words nor a recovery file");
    const device = await this.#own();
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const answer = await this.#place.transport.read(rings.KEYS_ENTRY);
      if (answer.outcome !== "entry") throw new MemoryError("unavailable", messageOf(answer));
      const { entry } = answer;
      if (entry?.state !== "live") throw new MemoryError("not-found", "there is no encrypted space to recover there");
      const read = await rings.readRing(PORTS, entry.body, identity);
      if (read.outcome !== "ring")
        throw new MemoryError(
          "refused",
          "the recovery phrase does not open this space; it may be from before a removal",
        );
      const { id, name, recipient } = device;
      const ring = rings.withDevice(read.ring, { id, name, recipient, since: this.#today() }, undefined);
      if (await this.#push(ring, entry.revision)) return;
    }
    throw new MemoryError("unavailable", "others change the keys at the same time; try again");
  }

  async settle({ entries }: SyncState): Promise<void> {
    const { ring } = this.#known;
    if (ring === undefined || ring.accepted.length < 2 || this.aside.size > 0) return;
    const { id } = rings.currentEpoch(ring);
    if ([...entries.values()].some((entry) => isOfEarlierKey(entry, id))) return;
    await this.#push({ ...ring, version: ring.version + 1, accepted: [id] }, this.#known.revision);
  }

  /** There are no keys yet: this device makes them if the space is empty. */
  async #begin(): Promise<Cipher | NoAnswer> {
    const first = await this.#place.transport.pull({ cursor: START, tops: [], limit: 20 });
    if (first.outcome === "history-changed" || first.outcome === "compacted") return FOREIGN;
    if (first.outcome !== "page") return first;
    const notes = first.changes.filter(({ entry }) => !("key" in entry && rings.isKeyEntry(entry.key)));
    if (notes.some(({ entry }) => entry.state === "live" && isSealed(entry.body)))
      return refused("the space has encrypted notes and no keys any more");
    if (notes.length > 0)
      return refused(
        "the space has notes that are not encrypted: set it up without --encrypt, or name another one with --space",
      );
    const device = await this.#own();
    const recovery = await newRecovery();
    const epoch = { id: vault.newId(), key: vault.newKey() };
    const { id, name, recipient } = device;
    const ring: Keyring = {
      version: 1,
      epochs: [epoch],
      accepted: [epoch.id],
      devices: [{ id, name, recipient, since: this.#today() }],
      recovery: recovery.recipient,
      approvals: {},
    };
    const file = writeRecovery(this.#place.memdirHome, `${this.#place.name}-${epoch.id}`, recovery);
    this.#save({ isOwn: true, recovery: file });
    const given = await this.#give(ring, NO_REVISION);
    if (!("outcome" in given) || given.outcome === "offline") return given;
    removeFile(file);
    this.#save({ isOwn: false, recovery: undefined });
    return given;
  }

  /** Accepts the keys at the remote if they include this device and come from a trusted one. */
  async #adopt(text: string, revision: string): Promise<Cipher | NoAnswer> {
    const device = await this.#own();
    const { ring: mine, isOwn, words } = this.#known;
    const read = await rings.readRing(PORTS, text, device.identity);
    if (read.outcome === "damaged") return FOREIGN;
    if (read.outcome === "closed" || !rings.hasKey(read.ring, device.id)) {
      if (mine === undefined) return this.#ask(device);
      this.#save({ isRemoved: true });
      return REMOVED;
    }
    const { ring } = read;
    if (mine !== undefined) {
      // A restored remote has an earlier state of the keys.
      if (ring.version < mine.version) return this.#give(mine, revision);
      if (!rings.goesOnFrom(mine, ring)) return FOREIGN;
    } else if (!isOwn) {
      if (words === undefined) return this.#ask(device);
      if (!rings.isApproved(vault, vault.stretch(spokenWords(words), device.id), device.id, ring)) return WAITS;
    }
    return this.#take(ring, revision);
  }

  #take(ring: Keyring, revision: string): Cipher {
    this.#save({ ring, revision, isOwn: true, words: undefined, isRemoved: false });
    return (this.#cipher = cipherOf(vault, ring));
  }

  async #ask(device: DeviceKey): Promise<NoAnswer> {
    if (this.#known.words !== undefined) return WAITS;
    const { transport, newPushId } = this.#place;
    const key = rings.deviceEntry(device.id);
    const there = await transport.read(key);
    if (there.outcome !== "entry") return there;
    const words = newDeviceWords();
    const body = rings.requestText(vault, vault.stretch(spokenWords(words), device.id), device);
    const base = there.entry?.state === "live" ? there.entry.revision : NO_REVISION;
    const lineage = sha256(`memdir request\0${device.id}\0${words}`).slice(0, 24);
    const answer = await transport.push(newPushId(), [{ key, lineage, base, state: "live", body }]);
    if (answer.outcome !== "pushed") return answer;
    const [outcome] = answer.outcomes;
    // The request's name was removed before: continue from its revision.
    const again =
      outcome?.outcome === "stale"
        ? await transport.push(newPushId(), [{ key, lineage, base: outcome.revision, state: "live", body }])
        : answer;
    if (again.outcome !== "pushed") return again;
    this.#save({ words });
    return WAITS;
  }

  /** Puts the keys known here into the space. If another device was faster, its keys are used. */
  async #give(ring: Keyring, base: string): Promise<Cipher | NoAnswer> {
    const pushed = await this.#send(ring, base);
    if (typeof pushed === "string") return this.#take(ring, pushed);
    if (pushed.outcome !== "stale") return pushed;
    const answer = await this.#place.transport.read(rings.KEYS_ENTRY);
    if (answer.outcome !== "entry") return answer;
    if (answer.entry?.state === "live") {
      if (this.#known.ring === undefined) this.#save({ isOwn: false });
      return this.#adopt(answer.entry.body, answer.entry.revision);
    }
    const again = await this.#send(ring, pushed.revision);
    return typeof again === "string" ? this.#take(ring, again) : FOREIGN;
  }

  /** Changes the current keys at the remote. @throws MemoryError if that is impossible. */
  async #change(next: (ring: Keyring) => Keyring, also?: NoteChange): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const cipher = await this.again();
      if ("outcome" in cipher) throw new MemoryError("unavailable", messageOf(cipher));
      const { ring, revision } = this.#known;
      if (ring !== undefined && (await this.#push(next(ring), revision, also))) return;
    }
    throw new MemoryError("unavailable", "others change the keys at the same time; try again");
  }

  /** `false`: the keys at the remote have changed meanwhile. */
  async #push(ring: Keyring, base: string, also?: NoteChange): Promise<boolean> {
    const pushed = await this.#send(ring, base, also);
    if (typeof pushed === "string") {
      this.#take(ring, pushed);
      return true;
    }
    if (pushed.outcome === "stale") return false;
    throw new MemoryError("unavailable", messageOf(pushed));
  }

  async #send(
    ring: Keyring,
    base: string,
    also?: NoteChange,
  ): Promise<string | { readonly outcome: "stale"; readonly revision: string } | NoAnswer> {
    const body = await rings.ringText(PORTS, ring);
    const change: NoteChange = { key: rings.KEYS_ENTRY, lineage: KEYS_LINEAGE, base, state: "live", body };
    const { transport, newPushId } = this.#place;
    const answer = await transport.push(newPushId(), [change, ...(also === undefined ? [] : [also])]);
    if (answer.outcome !== "pushed") return answer;
    const [outcome] = answer.outcomes;
    if (outcome?.outcome === "done" && "revision" in outcome) return outcome.revision;
    if (outcome?.outcome === "stale") return { outcome: "stale", revision: outcome.revision };
    return refused(`the remote does not take the keys of the space (${outcome?.outcome ?? "no answer"})`);
  }

  async #own(): Promise<DeviceKey> {
    return (this.#device ??= await deviceKey(this.#place.memdirHome));
  }

  #save(change: Partial<KeyState>): void {
    this.#known = { ...this.#known, ...change };
    writeKeys(this.#place.state, this.#known);
  }

  #today(): string {
    return new Date(this.#place.now()).toISOString();
  }
}

/** Accepts any case and separators. */
function spokenWords(words: string): string {
  return (words.toLowerCase().match(/[a-z]+/gu) ?? []).join("-");
}

function messageOf(answer: NoAnswer): string {
  return answer.message;
}
