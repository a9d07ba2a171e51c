import { anonymousId } from "../notes/names.ts";
import type { Lineage } from "../notes/history.ts";

/**
 * What replicas of a space say to one another. A space is the notes of one store of one owner; it holds the latest
 * state of every entry. The types are used twice:
 *
 * - on the wire of the HTTP server a revision is the entry's sequence number, so `Change<number>`, with 0 for "none";
 * - at the `Transport` port (transport.ts) a revision is an opaque text, so `Change` with `""` for "none".
 *
 * A JSON body on the wire has exactly the fields of these types.
 */

/**
 * Names a state of one entry. Opaque: a client compares it for equality and sends it back, never orders it. Over HTTP
 * it is the decimal sequence number, in git the entry's blob ids. `NO_REVISION`: the entry is not there yet.
 */
export type Revision = string;
export const NO_REVISION: Revision = "";

/** Hand-written lines of MEMORY.md travel as this one entry. */
export const LINES_KEY = "#lines";

export interface NoteChange<R = Revision> {
  /** Path of the note in its space, NFC (`project_x.md`, `agent/reviewer/feedback_y.md`), or `LINES_KEY`. */
  readonly key: string;
  readonly lineage: Lineage;
  /** The revision that the client last agreed on under this key. Another one there now: `stale`. */
  readonly base: R;
  readonly state: "live" | "deleted";
  /** The text of a live note; absent for a deleted one. */
  readonly body?: string;
  /** Changes of one push with the same group are accepted together or not at all. */
  readonly group?: string;
}

/** Names a lineage and nothing else: the message that forgets must not carry what it forgets. Needs no base. */
export interface ForgetChange {
  readonly forget: Lineage;
}

export type Change<R = Revision> = NoteChange<R> | ForgetChange;

/** The answer to one change; answers come in the order of the changes. */
export type Outcome<R = Revision> =
  /** Accepted, also when it was accepted before under the same push id. */
  | { readonly outcome: "done"; readonly key: string; readonly revision: R }
  /** Someone changed the entry after `base`; `revision` is what is there now, none if nothing is. */
  | { readonly outcome: "stale"; readonly key: string; readonly revision: R }
  /** The lineage was forgotten. */
  | { readonly outcome: "forgotten"; readonly key: string }
  /** A live entry has this name in other case or Unicode form (`foldedKey`). */
  | { readonly outcome: "taken"; readonly key: string }
  /** Another change of its group was not accepted. */
  | { readonly outcome: "group"; readonly key: string }
  /** Not accepted and not to be sent again as it is; `rule` names the rule of the secret scan. */
  | {
      readonly outcome: "refused";
      readonly key: string;
      /** `sealed`: what the space takes is encrypted, and this is not; or what it has cannot be opened here. */
      readonly reason: "secret" | "size" | "key" | "sealed";
      readonly rule?: string;
    }
  | { readonly outcome: "done"; readonly forget: Lineage }
  /** Not part of the space until other people agree (a pull request): it is sent again until then. */
  | { readonly outcome: "proposed"; readonly key: string }
  | { readonly outcome: "proposed"; readonly forget: Lineage };

/** One entry as it is now. A page has them in the order in which they were accepted. */
export type RemoteEntry<R = Revision> =
  | {
      readonly state: "live";
      readonly key: string;
      readonly lineage: Lineage;
      readonly revision: R;
      readonly body: string;
      /** For people only, never for a decision: who and when (ISO time). */
      readonly by?: string;
      readonly at?: string;
    }
  | {
      readonly state: "deleted";
      readonly key: string;
      readonly lineage: Lineage;
      readonly revision: R;
      readonly by?: string;
      readonly at?: string;
    }
  /** `names`: `nameHash` of every key the lineage held when it was forgotten and that nothing live holds now. */
  | { readonly state: "forgotten"; readonly lineage: Lineage; readonly names: readonly string[] };

// What follows is the wire of the HTTP server (design: `GET/POST …/changes`, `POST …/common`).

/** 200 of `GET /v1/spaces/:id/changes?cursor&mark&top&topMark&limit`. `next` with `mark` is the next cursor. */
export interface WirePage {
  readonly head: number;
  readonly next: number;
  /** The mark at `next`. */
  readonly mark: string;
  readonly changes: readonly RemoteEntry<number>[];
}

/** Body of `POST /v1/spaces/:id/changes`; the push id is the header `Idempotency-Key`. */
export interface WirePush {
  readonly changes: readonly Change<number>[];
}

/** 200 of the push: where the space stood before (`prev`) and stands after it. */
export interface WirePushed {
  readonly head: number;
  readonly mark: string;
  readonly prev: { readonly head: number; readonly mark: string };
  readonly outcomes: readonly Outcome<number>[];
}

/** Body of `POST /v1/spaces/:id/common`: marks of the client, any order. Answer: the highest that is in the server's past; seq 0 when none. */
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
  /** The same of an encrypted entry, which holds as long a text. */
  sealedBytes: 350_000,
  /** UTF-8 bytes of all bodies of one push; a single larger entry travels alone. */
  pushBytes: 200_000,
  /** UTF-8 bytes of the other bodies of a push with one larger entry. */
  besideBytes: 4_096,
  /** Changes of one push. */
  pushChanges: 500,
  /** Bytes of one HTTP request: JSON escapes make bodies longer. */
  httpBytes: 600_000,
  /** Entries and bytes of bodies of one page; a page has at least one entry. */
  pageEntries: 500,
  pageBytes: 1_000_000,
  /** Marks of one `common`. */
  marks: 128,
  /** UTF-8 bytes of a key. */
  keyBytes: 600,
} as const;

/** How an entry of an encrypted space begins: a note, the keys of the space, a device that asks for them. */
export const SEALED_HEADS = { note: "memdir-sealed-1 ", keys: "memdir-keys-1\n", device: "memdir-device-1\n" } as const;

export function isSealed(body: string): boolean {
  return Object.values(SEALED_HEADS).some((head) => body.startsWith(head));
}

/** Tells those who know a name that it is free, and others nothing. The same function as a store's record of what was forgotten. */
export function nameHash(key: string): string {
  return anonymousId(key);
}

/** Keys of live entries are unique in this form: some file systems cannot hold both `A.md` and `a.md`. */
export function foldedKey(key: string): string {
  return key.normalize("NFKC").toLowerCase().normalize("NFKC");
}
