import { isRecord, parseJson } from "../shared/json.ts";
import { isLineage, type Lineage } from "../notes/history.ts";
import { currentEpoch, type Keyring } from "./keyring.ts";
import { LINES_KEY, NO_REVISION, SEALED_HEADS, type NoteChange, type Revision } from "./protocol.ts";
import type { Vault } from "./vault.ts";

/** Why an encrypted entry is not accepted. */
export type SealProblem =
  /** Not what a device with the key wrote for this place: altered, truncated, or moved from another note. */
  | "damaged"
  /** An earlier state of the note than this device has seen. */
  | "older"
  /** Sealed with a key that was replaced. */
  | "retired"
  /** A text that is not encrypted, or a removal that no device signed. */
  | "unsealed"
  /** Sealed with a key that no device of the space has. */
  | "no-key";

export interface OpenedNote {
  readonly key: string;
  readonly lineage: Lineage;
  readonly state: "live" | "deleted";
  readonly text: string;
  readonly place: SealedPlace;
}

/** The key that sealed a state of a note, and the state's number, which is higher than its predecessor's. */
export interface SealedPlace {
  readonly epoch: string;
  readonly n: number;
}

/** An entry as stored on the remote. */
export interface WireNote {
  readonly key: string;
  readonly lineage: Lineage;
  readonly body: string;
}

/** Seals notes for the remote and opens them, with the keys of one space. */
export interface Cipher {
  /** The name on the remote: it never changes, and means nothing without the first key. */
  name(key: string): string;
  seal(change: Pick<NoteChange, "key" | "lineage" | "state" | "body">, n: number): WireNote;
  open(wire: WireNote): OpenedNote | SealProblem;
  readonly epoch: string;
  isAccepted(epoch: string): boolean;
}

const NAME_DIGITS = 40;
const LINEAGE_DIGITS = 24;

export function cipherOf(vault: Vault, ring: Keyring): Cipher {
  const names = vault.tag(ring.epochs[0]?.key ?? "", "memdir names");
  const keys = new Map(ring.epochs.map(({ id, key }) => [id, key]));
  const { id: epoch, key: seals } = currentEpoch(ring);
  const name = (key: string): string => `${vault.tag(names, `name\0${key}`).slice(0, NAME_DIGITS)}.md`;
  // All stores keep their hand-written lines under the same lineage, which would reveal the entry.
  const lines = vault.tag(names, "lines").slice(0, LINEAGE_DIGITS);
  const context = (id: string, { key, lineage }: Pick<WireNote, "key" | "lineage">): string =>
    `memdir note\0${id}\0${key}\0${lineage}`;
  return {
    name,
    epoch,
    isAccepted: (id) => ring.accepted.includes(id),
    seal({ key, lineage, state, body = "" }, n) {
      const place = { key: name(key), lineage: key === LINES_KEY ? lines : lineage };
      const header = JSON.stringify({ key, lineage, state, n });
      const sealed = vault.seal(seals, context(epoch, place), `${header}\n${body}`);
      return { ...place, body: `${SEALED_HEADS.note}${epoch} ${sealed}\n` };
    },
    open(wire) {
      if (!wire.body.startsWith(SEALED_HEADS.note)) return "unsealed";
      const [id = "", sealed = ""] = wire.body.slice(SEALED_HEADS.note.length).replace(/\n$/u, "").split(" ");
      const key = keys.get(id);
      if (key === undefined) return "no-key";
      const text = vault.open(key, context(id, wire), sealed);
      const note = text === undefined ? undefined : noteIn(text, id);
      return note === undefined || name(note.key) !== wire.key ? "damaged" : note;
    },
  };
}

function noteIn(text: string, epoch: string): OpenedNote | undefined {
  const end = text.indexOf("\n");
  const header = parseJson(text.slice(0, end));
  if (!isRecord(header)) return undefined;
  const { key, lineage, state, n } = header;
  if (typeof key !== "string" || !isLineage(lineage) || typeof n !== "number") return undefined;
  if (state !== "live" && state !== "deleted") return undefined;
  return { key, lineage, state, text: text.slice(end + 1), place: { epoch, n } };
}

/** A client's revision of an encrypted entry: its place, followed by the remote's revision. */
export function sealedRevision({ epoch, n }: SealedPlace, revision: Revision): Revision {
  return revision === NO_REVISION ? NO_REVISION : `${epoch}.${n}.${revision}`;
}

export function placeOf(revision: Revision): SealedPlace | undefined {
  const [, epoch, n] = /^([0-9a-f]*)\.(\d+)\./u.exec(revision) ?? [];
  return epoch === undefined ? undefined : { epoch, n: Number(n) };
}

export function remoteRevision(revision: Revision): Revision {
  return revision.replace(/^[0-9a-f]*\.\d+\./u, "");
}

/** Bytes of the header without the name. */
const OVERHEAD = 150;
/** 256 bytes in base64. */
const BUCKET = 342;

/** The size of a sealed text, at most. */
export function sealedBytes(key: string, text: string): number {
  return Math.ceil((Buffer.byteLength(key) + Buffer.byteLength(text) + OVERHEAD) / 256) * BUCKET + OVERHEAD;
}
