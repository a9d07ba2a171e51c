import os from "node:os";
import { type AgeIdentity, newIdentity } from "../../adapters/crypto/age.ts";
import { nodeFiles, putFile } from "../../adapters/files/node-files.ts";
import { isRecord, parseJson, record } from "../../core/shared/json.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { type Keyring, toRing } from "../../core/sync/keyring.ts";
import type { Aside } from "../../core/sync/sealed.ts";
import type { SealProblem } from "../../core/sync/sealed-note.ts";

/** What this device proves itself with, in all encrypted spaces. */
export interface DeviceKey extends AgeIdentity {
  /** Says nothing of the key. */
  readonly id: string;
  readonly name: string;
}

/** A device that asks for the keys of a space; who it is can be read with its words. */
export interface KeyRequest {
  readonly id: string;
  readonly revision: string;
  readonly lineage: string;
  readonly text: string;
}

/** What this device knows of the keys of one space. Lost: it asks for them again. */
export interface KeyState {
  readonly ring: Keyring | undefined;
  /** The remote's revision of the ring. */
  readonly revision: string;
  /** This device made the keys, or had them once: nobody has to vouch for them. */
  readonly isOwn: boolean;
  /** Asked for and not given yet: the words that a device with the keys is told. */
  readonly words: string | undefined;
  /** The keys were taken from this device. */
  readonly isRemoved: boolean;
  readonly requests: readonly KeyRequest[];
  readonly aside: ReadonlyMap<string, Aside>;
  /** The file with the recovery phrase, as it was written. */
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

/** Made at the first encrypted space. Only its person can read it. */
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

/** Words that open everything, for the person to keep elsewhere. */
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
