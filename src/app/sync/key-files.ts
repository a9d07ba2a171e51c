import os from "node:os";
import { type AgeIdentity, newIdentity } from "../../adapters/crypto/age.ts";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { isRecord, parseJson, record } from "../../core/shared/json.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { type Keyring, toRing } from "../../core/sync/keyring.ts";
import type { Aside } from "../../core/sync/sealed.ts";
import type { SealProblem } from "../../core/sync/sealed-note.ts";

/** This device's identity in all encrypted spaces. */
export interface DeviceKey extends AgeIdentity {
  /** Reveals nothing about the key. */
  readonly id: string;
  readonly name: string;
}

/** A device's request for the keys of a space; its identity is readable only with its words. */
export interface KeyRequest {
  readonly id: string;
  readonly revision: string;
  readonly lineage: string;
  readonly text: string;
}

/** What this device knows of the keys of one space. If lost, it asks for them again. */
export interface KeyState {
  readonly ring: Keyring | undefined;
  /** The revision of the ring at the remote. */
  readonly revision: string;
  /** This device made the keys or had them before, so it needs no approval. */
  readonly isOwn: boolean;
  /** While a request is open: the words to enter on a device with the keys. */
  readonly words: string | undefined;
  /** The device was removed from the space. */
  readonly isRemoved: boolean;
  readonly requests: readonly KeyRequest[];
  readonly aside: ReadonlyMap<string, Aside>;
  /** The file with the recovery phrase, as written. */
  readonly recovery: string | undefined;
}

function deviceFile(memdirHome: string): string {
  return `${memdirHome}/keys/device.json`;
}

function deviceKeyIn(memdirHome: string): DeviceKey | undefined {
  const { identity, recipient, name } = record(parseJson(textAt(deviceFile(memdirHome))));
  if (typeof identity !== "string" || typeof recipient !== "string" || typeof name !== "string") return undefined;
  return { identity, recipient, name, id: deviceId(recipient) };
}

export function deviceIdHere(memdirHome: string): string | undefined {
  return deviceKeyIn(memdirHome)?.id;
}

/** Created with the first encrypted space. Only the user can read it. */
export async function deviceKey(memdirHome: string): Promise<DeviceKey> {
  const known = deviceKeyIn(memdirHome);
  if (known !== undefined) return known;
  const made = { ...(await newIdentity()), name: os.hostname() };
  nodeFiles.makeDirectory(`${memdirHome}/keys`);
  putFile(deviceFile(memdirHome), `${JSON.stringify(made, undefined, 2)}\n`, { named: true });
  return { ...made, id: deviceId(made.recipient) };
}

export function deviceId(recipient: string): string {
  return sha256(`memdir device\0${recipient}`).slice(0, 16);
}

function stateFile(state: string): string {
  return `${state}/sync/keys.json`;
}

export function readKeys(state: string): KeyState {
  const value = record(parseJson(textAt(stateFile(state))));
  const text = (name: string): string | undefined => (typeof value[name] === "string" ? value[name] : undefined);
  const rows = (name: string): readonly unknown[] => (Array.isArray(value[name]) ? value[name] : []);
  return {
    ring: toRing(value["ring"]),
    revision: text("revision") ?? "",
    isOwn: value["isOwn"] === true,
    words: text("words"),
    isRemoved: value["isRemoved"] === true,
    requests: rows("requests").flatMap(toRequest),
    aside: new Map(rows("aside").flatMap(toAside)),
    recovery: text("recovery"),
  };
}

export function writeKeys(state: string, keys: KeyState): void {
  nodeFiles.makeDirectory(`${state}/sync`);
  const aside = [...keys.aside].map(([wire, one]) => ({ wire, ...one }));
  putFile(stateFile(state), `${JSON.stringify({ ...keys, aside }, undefined, 1)}\n`, { named: true });
}

export function dropKeys(state: string): void {
  nodeFiles.remove(stateFile(state));
}

/** The recovery phrase, which opens everything, for the user to keep elsewhere. */
export function writeRecovery(memdirHome: string, name: string, recovery: AgeIdentity & { phrase: string }): string {
  const file = `${memdirHome}/keys/recovery-${name}.txt`;
  nodeFiles.makeDirectory(`${memdirHome}/keys`);
  const lines = [
    "# The recovery phrase of an encrypted space of memdir. Whoever has it can read all notes of the space.",
    "# Write it down, keep it away from this device, and remove this file.",
    `# phrase: ${recovery.phrase}`,
    recovery.identity,
  ];
  putFile(file, `${lines.join("\n")}\n`, { named: true });
  return file;
}

export function removeFile(file: string | undefined): void {
  if (file !== undefined) nodeFiles.remove(file);
}

export function isThere(file: string | undefined): boolean {
  return file !== undefined && nodeFiles.stat(file) !== undefined;
}

function toRequest(value: unknown): readonly KeyRequest[] {
  const { id, revision, lineage, text } = record(value);
  const fields = [id, revision, lineage, text];
  if (!fields.every((one) => typeof one === "string")) return [];
  return [{ id: String(id), revision: String(revision), lineage: String(lineage), text: String(text) }];
}

const PROBLEMS: readonly SealProblem[] = ["damaged", "older", "retired", "unsealed", "no-key"];

function toAside(value: unknown): readonly (readonly [string, Aside])[] {
  if (!isRecord(value)) return [];
  const { wire, key, revision, problem } = value;
  const known = PROBLEMS.find((one) => one === problem);
  if (typeof wire !== "string" || typeof revision !== "string" || known === undefined) return [];
  return [[wire, { key: typeof key === "string" ? key : undefined, revision, problem: known }]];
}

function textAt(file: string): string {
  const bytes = nodeFiles.read(file);
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}
