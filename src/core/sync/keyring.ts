import { isRecord, parseJson } from "../shared/json.ts";
import { SEALED_HEADS } from "./protocol.ts";
import type { Vault } from "./vault.ts";

/** One key of a space. Removing a device starts a new one; earlier keys are kept to read older notes. */
export interface Epoch {
  readonly id: string;
  readonly key: string;
}

export interface KeyDevice {
  readonly id: string;
  readonly name: string;
  /** `age1…` */
  readonly recipient: string;
  /** ISO. */
  readonly since: string;
  readonly removed?: string;
}

/** The keys of an encrypted space and their holders. Stored in the space itself, each key wrapped for each device. */
export interface Keyring {
  /** Increases by one with each change. */
  readonly version: number;
  /** Oldest first; the last one seals. */
  readonly epochs: readonly Epoch[];
  /** Ids of keys that notes may be sealed with; more than one while notes are resealed. */
  readonly accepted: readonly string[];
  readonly devices: readonly KeyDevice[];
  /** The recovery recipient; it opens everything, as a device does. */
  readonly recovery: string;
  /** Approvals that other devices left for a device, by its id. */
  readonly approvals: Readonly<Record<string, Approval>>;
}

/** Proves to a new device that the keys come from a device that knew its words. */
export interface Approval {
  readonly epoch: string;
  readonly mac: string;
}

/** Asymmetric encryption for several readers. */
export interface KeyWrap {
  /** Returns base64. */
  wrap(text: string, recipients: readonly string[]): Promise<string>;
  /** `undefined` if it is not for this identity, or damaged. */
  unwrap(wrapped: string, identity: string): Promise<string | undefined>;
}

export const KEYS_ENTRY = "keys.md";

export function deviceEntry(id: string): string {
  return `device-${id}.md`;
}

export function isKeyEntry(key: string): boolean {
  return key === KEYS_ENTRY || /^device-[0-9a-f]{16}\.md$/u.test(key);
}

export function currentEpoch({ epochs }: Keyring): Epoch {
  const last = epochs.at(-1);
  if (last === undefined) throw new Error("a space without keys");
  return last;
}

export function hasKey({ devices }: Keyring, id: string): boolean {
  return devices.some((device) => device.id === id && device.removed === undefined);
}

interface Wire {
  readonly wrapped: string;
  readonly sealed: string;
  readonly proofs: Readonly<Record<string, string>>;
  readonly approvals: Readonly<Record<string, Approval>>;
}

const SEALED = "memdir keys";

/** The entry of a ring: keys wrapped for the devices, the rest sealed with the last key, and a proof by every key. */
export async function ringText({ vault, wrap }: Ports, ring: Keyring): Promise<string> {
  const { epochs, approvals, devices, recovery, ...rest } = ring;
  const readers = devices.flatMap(({ recipient, removed }) => (removed === undefined ? [recipient] : []));
  const wrapped = await wrap.wrap(JSON.stringify({ epochs }), [...readers, recovery]);
  const sealed = vault.seal(currentEpoch(ring).key, SEALED, JSON.stringify({ ...rest, devices, recovery }));
  const proofs = Object.fromEntries(epochs.map(({ id, key }) => [id, proofOf(vault, key, wrapped, sealed)]));
  const wire: Wire = { wrapped, sealed, proofs, approvals };
  return `${SEALED_HEADS.keys}${JSON.stringify(wire, undefined, 1)}\n`;
}

interface Ports {
  readonly vault: Vault;
  readonly wrap: KeyWrap;
}

/** A proof by a key shows that the writer knew that key. A removed device knows none of the later keys. */
function proofOf(vault: Vault, key: string, wrapped: string, sealed: string): string {
  return vault.tag(key, `memdir keys\0${wrapped}\0${sealed}`);
}

export type ReadRing =
  | { readonly outcome: "ring"; readonly ring: Keyring }
  | { readonly outcome: "closed" }
  | { readonly outcome: "damaged" };

/** `closed`: the keys are not wrapped for this identity. */
export async function readRing({ vault, wrap }: Ports, text: string, identity: string): Promise<ReadRing> {
  const wire = wireOf(text);
  if (wire === undefined) return { outcome: "damaged" };
  const opened = await wrap.unwrap(wire.wrapped, identity);
  if (opened === undefined) return { outcome: "closed" };
  const keys = parseJson(opened);
  const epochs = isRecord(keys) && Array.isArray(keys["epochs"]) ? keys["epochs"].flatMap(toEpoch) : [];
  const last = epochs.at(-1);
  const rest = last === undefined ? undefined : vault.open(last.key, SEALED, wire.sealed);
  const value = rest === undefined ? undefined : parseJson(rest);
  if (last === undefined || !isRecord(value)) return { outcome: "damaged" };
  const isProven = epochs.every(({ id, key }) => wire.proofs[id] === proofOf(vault, key, wire.wrapped, wire.sealed));
  const ring = isProven ? toRing({ ...value, epochs, approvals: wire.approvals }) : undefined;
  return ring === undefined ? { outcome: "damaged" } : { outcome: "ring", ring };
}

/** Whether `ring` continues the known one: it contains the last known sealing key. */
export function goesOnFrom(known: Keyring, { epochs }: Keyring): boolean {
  const { id, key } = currentEpoch(known);
  return epochs.some((epoch) => epoch.id === id && epoch.key === key);
}

/** An approval: a MAC of the key, made with the new device's words. */
export function approvalFor(vault: Vault, wordsKey: string, device: string, { id, key }: Epoch): Approval {
  return { epoch: id, mac: vault.tag(wordsKey, `memdir approved\0${device}\0${id}\0${key}`) };
}

export function isApproved(vault: Vault, wordsKey: string, device: string, { epochs, approvals }: Keyring): boolean {
  const approval = approvals[device];
  const epoch = epochs.find(({ id }) => id === approval?.epoch);
  return epoch !== undefined && approvalFor(vault, wordsKey, device, epoch).mac === approval?.mac;
}

/** Starts a new key without the removed device. The previous key is accepted until all notes are resealed. */
export function withoutDevice(vault: Vault, ring: Keyring, id: string, at: string, recovery: string): Keyring {
  const epoch = { id: vault.newId(), key: vault.newKey() };
  return {
    version: ring.version + 1,
    epochs: [...ring.epochs, epoch],
    accepted: [...ring.accepted, epoch.id],
    devices: ring.devices.map((device) => (device.id === id ? { ...device, removed: at } : device)),
    recovery,
    approvals: Object.fromEntries(Object.entries(ring.approvals).filter(([device]) => device !== id)),
  };
}

export function withDevice(ring: Keyring, device: KeyDevice, approval: Approval | undefined): Keyring {
  const { id } = device;
  return {
    ...ring,
    version: ring.version + 1,
    devices: [...ring.devices.filter((one) => one.id !== id), device],
    approvals: { ...ring.approvals, ...(approval !== undefined && { [id]: approval }) },
  };
}

/** A request for the keys. Only a reader who knows the words can tell who asks. */
export function requestText(
  vault: Vault,
  wordsKey: string,
  device: Pick<KeyDevice, "id" | "name" | "recipient">,
): string {
  const { id, ...told } = device;
  return `${SEALED_HEADS.device}${vault.seal(wordsKey, `memdir device\0${id}`, JSON.stringify(told))}\n`;
}

export function readRequest(
  vault: Vault,
  wordsKey: string,
  id: string,
  text: string,
): Pick<KeyDevice, "name" | "recipient"> | undefined {
  const opened = vault.open(wordsKey, `memdir device\0${id}`, text.slice(SEALED_HEADS.device.length).trim());
  const value = opened === undefined ? undefined : parseJson(opened);
  if (!isRecord(value)) return undefined;
  const { name, recipient } = value;
  return typeof name === "string" && typeof recipient === "string" ? { name, recipient } : undefined;
}

function wireOf(text: string): Wire | undefined {
  const value = text.startsWith(SEALED_HEADS.keys) ? parseJson(text.slice(SEALED_HEADS.keys.length)) : undefined;
  if (!isRecord(value)) return undefined;
  const { wrapped, sealed, proofs, approvals } = value;
  if (typeof wrapped !== "string" || typeof sealed !== "string" || !isRecord(proofs)) return undefined;
  return {
    wrapped,
    sealed,
    proofs: Object.fromEntries(Object.entries(proofs).map(([id, proof]) => [id, String(proof)])),
    approvals: approvalsOf(approvals),
  };
}

/** Parses a ring from this device's disk or from an entry; `undefined` if it is not one. */
export function toRing(value: unknown): Keyring | undefined {
  if (!isRecord(value) || typeof value["version"] !== "number" || typeof value["recovery"] !== "string")
    return undefined;
  const list = (name: string): readonly unknown[] => (Array.isArray(value[name]) ? value[name] : []);
  const epochs = list("epochs").flatMap(toEpoch);
  if (epochs.length === 0) return undefined;
  return {
    version: value["version"],
    epochs,
    accepted: list("accepted").map(String),
    devices: list("devices").flatMap(toDevice),
    recovery: value["recovery"],
    approvals: approvalsOf(value["approvals"]),
  };
}

function toEpoch(value: unknown): readonly Epoch[] {
  if (!isRecord(value)) return [];
  const { id, key } = value;
  return typeof id === "string" && typeof key === "string" ? [{ id, key }] : [];
}

function toDevice(value: unknown): readonly KeyDevice[] {
  if (!isRecord(value)) return [];
  const { id, name, recipient, since, removed } = value;
  if (typeof id !== "string" || typeof recipient !== "string") return [];
  const known = { id, name: String(name), recipient, since: String(since) };
  return [{ ...known, ...(typeof removed === "string" && { removed }) }];
}

function approvalsOf(value: unknown): Readonly<Record<string, Approval>> {
  const approvals = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    approvals.flatMap(([id, one]) =>
      isRecord(one) ? [[id, { epoch: String(one["epoch"]), mac: String(one["mac"]) }]] : [],
    ),
  );
}
