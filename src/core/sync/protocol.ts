import { anonymousId } from "../notes/names.ts";
import type { Lineage } from "../notes/history.ts";

/**
 * The messages between replicas of a space. A space is the notes of one store of one owner; it holds the latest state
 * of every entry. The types are used twice:
 *
 * - on the wire of the HTTP server, where a revision is the entry's sequence number: `Change<number>`, 0 for "none";
 * - at the `Transport` port (transport.ts), where a revision is an opaque text: `Change`, `""` for "none".
 *
 * A JSON body on the wire has exactly the fields of these types.
 */

/**
 * Identifies a state of one entry. Opaque: a client compares it for equality and sends it back, never orders it. Over
 * HTTP it is the decimal sequence number, in git the entry's blob ids. `NO_REVISION`: the entry does not exist yet.
 */
export type Revision = string;
export const NO_REVISION: Revision = "";

/** The hand-written lines of MEMORY.md are sent as this one entry. */
export const LINES_KEY = "#lines";

export interface NoteChange<R = Revision> {
  /** Path of the note in its space, NFC (`project_x.md`, `agent/reviewer/feedback_y.md`), or `LINES_KEY`. */
  readonly key: string;
  readonly lineage: Lineage;
  /** The revision that the client last agreed on for this key. If the entry has another one now: `stale`. */
  readonly base: R;
  readonly state: "live" | "deleted";
  /** The text of a live note; absent for a deleted one. */
  readonly body?: string;
  /** Of a removal: `removedId` of the text that was removed. A server finds it by `base`. */
  readonly was?: string;
  /** Changes of one push with the same group are accepted together or not at all. */
  readonly group?: string;
}

/** Names nothing but a lineage: the message must not contain what is to be forgotten. Needs no base. */
export interface ForgetChange {
  readonly forget: Lineage;
}

export type Change<R = Revision> = NoteChange<R> | ForgetChange;

/** The answer to one change; answers come in the order of the changes. */
export type Outcome<R = Revision> =
  /** Accepted, now or earlier under the same push id. */
  | { readonly outcome: "done"; readonly key: string; readonly revision: R }
  /** The entry changed after `base`; `revision` is the current one, or none. */
  | { readonly outcome: "stale"; readonly key: string; readonly revision: R }
  /** The lineage was forgotten. */
  | { readonly outcome: "forgotten"; readonly key: string }
  /** A live entry has this name in different case or Unicode form (`foldedKey`). */
  | { readonly outcome: "taken"; readonly key: string }
  /** Another change of its group was not accepted. */
  | { readonly outcome: "group"; readonly key: string }
  /** Not accepted, and not to be resent unchanged; `rule` names the rule of the secret scan. */
  | {
      readonly outcome: "refused";
      readonly key: string;
      /** `sealed`: the space accepts only encrypted entries and this is not one, or its entry cannot be opened here. */
      readonly reason: "secret" | "size" | "key" | "sealed";
      readonly rule?: string;
    }
  | { readonly outcome: "done"; readonly forget: Lineage }
  /** Not part of the space until others agree (a pull request); it is sent again until then. */
  | { readonly outcome: "proposed"; readonly key: string }
  | { readonly outcome: "proposed"; readonly forget: Lineage };

/** The current state of one entry. A page lists entries in the order of acceptance. */
export type RemoteEntry<R = Revision> =
  | {
      readonly state: "live";
      readonly key: string;
      readonly lineage: Lineage;
      readonly revision: R;
      readonly body: string;
      /** For display only, never for decisions: who and when (ISO time). */
      readonly by?: string;
      readonly at?: string;
    }
  | {
      readonly state: "deleted";
      readonly key: string;
      readonly lineage: Lineage;
      readonly revision: R;
      /** `removedId` of the text that was removed; absent if the remote does not know it. */
      readonly was?: string;
      readonly by?: string;
      readonly at?: string;
    }
  /** `names`: `nameHash` of each key that the lineage held when it was forgotten and that no live note holds now. */
  | { readonly state: "forgotten"; readonly lineage: Lineage; readonly names: readonly string[] };

// The wire format of the HTTP server (design: `GET/POST …/changes`, `POST …/common`).

/** 200 of `GET /v1/spaces/:id/changes?cursor&mark&top&topMark&limit`. `next` with `mark` is the next cursor. */
export interface WirePage {
  readonly head: number;
  /** The mark at `head`: a space that falls back between two pages no longer has it. */
  readonly headMark: string;
  readonly next: number;
  /** The mark at `next`. */
  readonly mark: string;
  readonly changes: readonly RemoteEntry<number>[];
}

/** Body of `POST /v1/spaces/:id/changes`; the push id is the header `Idempotency-Key`. */
export interface WirePush {
  readonly changes: readonly Change<number>[];
}

/** 200 of the push: the position before it (`prev`) and after it. */
export interface WirePushed {
  readonly head: number;
  readonly mark: string;
  readonly prev: { readonly head: number; readonly mark: string };
  readonly outcomes: readonly Outcome<number>[];
}

/** Body of `POST /v1/spaces/:id/common`: the client's marks. Answer: the highest in the server's history, or seq 0. */
export interface WireMarks {
  readonly marks: readonly { readonly seq: number; readonly mark: string }[];
}
export interface WireCommon {
  readonly seq: number;
}

/**
 * Body of every answer that is not 2xx. 409 `history-changed`, 410 `compacted`, 401 `unauthorized`, 402 `payment`,
 * 403 `forbidden`, 404 `not-found`, 413 `too-large` or `quota`, 429 `slow-down` (with `Retry-After`, seconds).
 */
export interface WireError {
  readonly error: string;
  readonly message: string;
}

export const LIMITS = {
  /** UTF-8 bytes of one entry's body. */
  entryBytes: 250_000,
  /** The same for an encrypted entry, which holds a text of the same length. */
  sealedBytes: 350_000,
  /** UTF-8 bytes of all bodies of one push; a single larger entry is sent alone. */
  pushBytes: 200_000,
  /** UTF-8 bytes of the other bodies of a push with one larger entry. */
  besideBytes: 4_096,
  /** Changes of one push. */
  pushChanges: 500,
  /** Bytes of one HTTP request; JSON escapes lengthen bodies. */
  httpBytes: 600_000,
  /** Entries and bytes of bodies of one page; a page has at least one entry. */
  pageEntries: 500,
  pageBytes: 1_000_000,
  /** Marks of one `common`. */
  marks: 128,
  /** UTF-8 bytes of a key. */
  keyBytes: 600,
} as const;

/** The first bytes of an encrypted space's entries: a note, the keys of the space, a device that requests them. */
export const SEALED_HEADS = { note: "memdir-sealed-1 ", keys: "memdir-keys-1\n", device: "memdir-device-1\n" } as const;

export function isSealed(body: string): boolean {
  return Object.values(SEALED_HEADS).some((head) => body.startsWith(head));
}

/** Identifies the text that a removal removed: the first digits of its SHA-256 (hex). */
export function removedId(hash: string): string {
  return hash.slice(0, REMOVED_DIGITS);
}

const REMOVED_DIGITS = 24;

export function isRemovedId(text: string): boolean {
  return text.length === REMOVED_DIGITS && /^[0-9a-f]+$/u.test(text);
}

/** Tells that a name is free, to those who know it. A store's record of forgotten notes uses the same function. */
export function nameHash(key: string): string {
  return anonymousId(key);
}

/** Keys of live entries are unique in this form: some file systems cannot hold both `A.md` and `a.md`. */
export function foldedKey(key: string): string {
  return key.normalize("NFKC").toLowerCase().normalize("NFKC");
}
