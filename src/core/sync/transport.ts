import type { Change, Outcome, RemoteEntry } from "./protocol.ts";

/**
 * A place in the past of a space, with the mark that proves it. Opaque to the client, which stores it, compares it for
 * equality and sends it back: over HTTP `SEQ.MARK`, in git the id of a commit. `START`: nothing was seen yet.
 *
 * A cursor names everything up to there: a pull from it gives every entry whose state changed since, however often,
 * once, as it is now. A mark is random (or a hash over everything before), so a space that was restored from a backup
 * and went on never has a cursor that it gave out in the life that was undone.
 */
export type Cursor = string;
export const START: Cursor = "";

export interface Pull {
  readonly cursor: Cursor;
  /**
   * Every cursor that an answer of this space gave since the last pull that was good: `head` of pages and pushes. The
   * cursor can stand behind a restored backup and still be in its past; what was acknowledged later is not.
   */
  readonly tops: readonly Cursor[];
  /** Entries of a page at most. */
  readonly limit: number;
  /**
   * Set while the space is pulled again from the start after `history-changed`: what `common` gave. The transport
   * then sets `isOld` of every entry whose present state already stood there at `since`.
   */
  readonly since?: Cursor | undefined;
}

export interface PulledEntry {
  readonly entry: RemoteEntry;
  /** Only with `since`. */
  readonly isOld?: boolean;
}

export interface Page {
  readonly outcome: "page";
  /** Where the space stands now. */
  readonly head: Cursor;
  /** Where this page ends: the cursor of the next pull. Equal to `head` on the last page. */
  readonly next: Cursor;
  /** In the order in which they were accepted; a transport without such an order puts forgotten ones first. */
  readonly changes: readonly PulledEntry[];
}

/** Answers that every call may get; nothing was changed then, or it is not known (`offline` after a push was sent). */
export type NoAnswer =
  /** No such space, or none that this person may see. */
  | { readonly outcome: "not-found"; readonly message: string }
  /** Sending again does not help until a person acts: token, role, payment, quota. */
  | {
      readonly outcome: "denied";
      /** `key`: the space is encrypted, and this device cannot read it (yet). */
      readonly reason: "login" | "payment" | "role" | "quota" | "key";
      readonly message: string;
    }
  /** No connection, no answer in time, a broken answer, a failing server; or busy, then with a time to wait. */
  | { readonly outcome: "offline"; readonly message: string; readonly retryAfterMs?: number };

/** Where a space stands, for whoever only asks whether something is new. `undefined`: nowhere, or elsewhere than asked. */
export type HeadAnswer = { readonly outcome: "head"; readonly head: Cursor | undefined } | NoAnswer;

export type PullAnswer =
  | Page
  /** The cursor or a top is not in the past of the space: it was restored from a backup. */
  | { readonly outcome: "history-changed" }
  /** The cursor is older than what the space remembers of deletions. */
  | { readonly outcome: "compacted" }
  | NoAnswer;

export type PushAnswer =
  | {
      readonly outcome: "pushed";
      /** Where the space stood just before this push. Equal to the client's cursor: nothing came between. */
      readonly prev: Cursor;
      /** Where it stands after it. */
      readonly head: Cursor;
      /** One for each change, in their order. */
      readonly outcomes: readonly Outcome[];
    }
  | NoAnswer;

export type CommonAnswer =
  /** The latest of the given cursors that is in the past of the space; `START` when none is. */
  { readonly outcome: "common"; readonly cursor: Cursor } | NoAnswer;

/**
 * Where a space lives: a server or a branch of a git repository. Both keep the same promises (test/contracts/transport.ts):
 *
 * - a push compares and swaps every entry by `base`, accepts groups as a whole, and never merges;
 * - a push id that was answered before is answered the same, without doing it again. A transport that cannot remember
 *   ids may answer `stale` where the entry has moved on since, and `done` where it is exactly as the push left it;
 * - a forget beats every base, ends the entries of its lineage under every name, and refuses the lineage for ever;
 * - what was answered `done` is in every later pull, and a page is whole or not there at all.
 *
 * No call throws for what the network or the other side does.
 */
export interface Transport {
  pull(request: Pull): Promise<PullAnswer>;
  /** `pushId` was on this device's disk before it was sent. At most `LIMITS` of changes and bytes. */
  push(pushId: string, changes: readonly Change[]): Promise<PushAnswer>;
  /** One entry as it is now; `undefined` where there is none. */
  read(key: string): Promise<{ readonly outcome: "entry"; readonly entry: RemoteEntry | undefined } | NoAnswer>;
  /** What a change weighs where it is not the UTF-8 bytes of its text. */
  readonly bytesOf?: (change: Change) => number;
  /** `marks`: cursors this client stood at, newest first, at most `LIMITS.marks`. */
  common(marks: readonly Cursor[]): Promise<CommonAnswer>;
}
