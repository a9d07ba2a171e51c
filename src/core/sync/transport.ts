import type { Change, Outcome, RemoteEntry, Revision } from "./protocol.ts";

/**
 * A position in the history of a space, with the mark that proves it. Opaque to the client, which stores it, compares
 * it for equality and sends it back: over HTTP it is `SEQ.MARK`, in git a commit id. `START`: nothing was seen yet.
 *
 * A cursor covers everything up to its position: a pull from it returns each entry whose state changed since, once, in
 * its current state. A mark is random (or a hash over everything before), so a space that was restored from a backup
 * never reissues a cursor of the history that was undone.
 */
export type Cursor = string;
export const START: Cursor = "";

export interface Pull {
  readonly cursor: Cursor;
  /**
   * Every cursor from this space's answers since the last successful pull: `head` of pages and pushes. After a restore,
   * the cursor may still be in the space's history while later acknowledgements are not.
   */
  readonly tops: readonly Cursor[];
  /** The maximum number of entries of a page. */
  readonly limit: number;
  /**
   * Set while the space is pulled again from the start after `history-changed`: the answer of `common`. The transport
   * then gives `stoodAtSince` with every page.
   */
  readonly since?: Cursor | undefined;
}

export interface PulledEntry {
  readonly entry: RemoteEntry;
}

export interface Page {
  readonly outcome: "page";
  /** The space's current position. */
  readonly head: Cursor;
  /** The end of this page: the cursor of the next pull. Equal to `head` on the last page. */
  readonly next: Cursor;
  /** In the order of acceptance; a transport without an order puts forgotten ones first. */
  readonly changes: readonly PulledEntry[];
  /** Only with `since`: whether the entry under this key had this revision there. */
  readonly stoodAtSince?: (key: string, revision: Revision) => boolean;
}

/** Answers to any call that changed nothing, or whose effect is unknown (`offline` after a push was sent). */
export type NoAnswer =
  /** No such space, or none that this user may see. */
  | { readonly outcome: "not-found"; readonly message: string }
  /** Retrying does not help until the user acts: token, role, payment, quota. */
  | {
      readonly outcome: "denied";
      /** `key`: the space is encrypted, and this device cannot read it (yet). */
      readonly reason: "login" | "payment" | "role" | "quota" | "key";
      readonly message: string;
    }
  /** No connection, a timeout, a broken answer, or a failing server; or busy, with a time to wait. */
  | { readonly outcome: "offline"; readonly message: string; readonly retryAfterMs?: number };

/** A space's position, for callers that only ask for news. `undefined`: none, or not the one asked about. */
export type HeadAnswer = { readonly outcome: "head"; readonly head: Cursor | undefined } | NoAnswer;

export type PullAnswer =
  | Page
  /** The cursor or a top is not in the space's history: it was restored from a backup. */
  | { readonly outcome: "history-changed" }
  /** The cursor is older than the space's record of deletions. */
  | { readonly outcome: "compacted" }
  | NoAnswer;

export type PushAnswer =
  | {
      readonly outcome: "pushed";
      /** The position just before this push. Equal to the client's cursor if nothing came between. */
      readonly prev: Cursor;
      /** The position after it. */
      readonly head: Cursor;
      /** One per change, in the same order. */
      readonly outcomes: readonly Outcome[];
    }
  | NoAnswer;

export type CommonAnswer =
  /** The latest given cursor in the space's history; `START` if there is none. */
  { readonly outcome: "common"; readonly cursor: Cursor } | NoAnswer;

/**
 * The home of a space: a server or a branch of a git repository. Both keep the same promises
 * (test/contracts/transport.ts):
 *
 * - a push compares and swaps every entry by `base`, accepts groups as a whole, and never merges;
 * - a push id that was answered before gets the same answer without being repeated. A transport that cannot remember
 *   ids may answer `stale` for an entry that has moved on since, and `done` for one exactly as pushed;
 * - a forget overrides every base, ends the entries of its lineage under every name, and refuses the lineage forever;
 * - what was answered `done` is in every later pull, and a page is complete or absent.
 *
 * No call throws because of the network or the other side.
 */
export interface Transport {
  pull(request: Pull): Promise<PullAnswer>;
  /** `pushId` was written to this device's disk before sending. At most `LIMITS` changes and bytes. */
  push(pushId: string, changes: readonly Change[]): Promise<PushAnswer>;
  /** The current state of one entry; `undefined` if there is none. */
  read(key: string): Promise<{ readonly outcome: "entry"; readonly entry: RemoteEntry | undefined } | NoAnswer>;
  /** The size of a change, if it is not the UTF-8 bytes of its text. */
  readonly bytesOf?: (change: Change) => number;
  /** `marks`: earlier cursors of this client, newest first, at most `LIMITS.marks`. */
  common(marks: readonly Cursor[]): Promise<CommonAnswer>;
}
