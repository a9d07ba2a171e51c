import type { Conflict } from "../../core/sync/plan-pull.ts";
import type { Refused, SyncedScope } from "../../core/sync/gates.ts";
import type { RemoteKind } from "./spaces.ts";

/**
 * `idle`: the last run had no problem. `ask`: the user has to allow a removal. `key`: this device lacks the key of an
 * encrypted space, or a key or token to log in with. `off` is not a state: such a store is not listed.
 */
export type SpaceState = "never-run" | "idle" | "offline" | "paused" | "ask" | "key";

export interface SpaceStatus {
  readonly scope: SyncedScope;
  /** The store's directory of notes. */
  readonly directory: string;
  readonly remote: string;
  readonly kind: RemoteKind;
  /** The server's id of the space, the branch, or the store. */
  readonly space: string;
  /** Its name for users: the `--space` for joining it. */
  readonly name: string;
  readonly state: SpaceState;
  /** The reason, and what to do about it; empty when idle. */
  readonly message: string;
  /** The revision of the space at the last run, and the revision that this device has pulled. */
  readonly head: string;
  readonly cursor: string;
  /** Local changes that are not at the remote yet, according to the index. */
  readonly pending: number;
  /** Conflict copies in the store. */
  readonly conflicts: readonly string[];
  /** What the last run did not send, and why. */
  readonly refused: readonly Refused[];
  /** Files that are neither read nor sent, because a note of that name was forgotten. */
  readonly unread: readonly string[];
  /** ISO time of the last run; `null` before the first. */
  readonly lastRun: string | null;
  /** Keys of an encrypted space; `null` for other spaces. */
  readonly keys: KeysStatus | null;
  /** Whether it syncs automatically, and the earliest next attempt (ISO) if the remote could not be reached. */
  readonly automatic: boolean;
  readonly retryAt: string | null;
}

/** What this device knows of the keys of an encrypted space. */
export interface KeysStatus {
  /** The words with which to approve this device, while it waits for approval. */
  readonly words: string | null;
  readonly devices: readonly KeyHolder[];
  /** Number of devices that ask for the keys. */
  readonly requests: number;
  /** The file with the recovery phrase, as long as it is on this device. */
  readonly recovery: string | null;
}

export interface KeyHolder {
  readonly id: string;
  readonly name: string;
  /** ISO time. */
  readonly since: string;
  readonly isHere: boolean;
  readonly isRemoved: boolean;
}

export interface SyncStatus {
  readonly spaces: readonly SpaceStatus[];
}

export interface SpaceRun {
  readonly scope: SyncedScope;
  readonly directory: string;
  readonly remote: string;
  readonly state: SpaceState;
  readonly message: string;
  readonly pulled: number;
  readonly pushed: number;
  readonly merged: readonly string[];
  readonly conflicts: readonly Conflict[];
  readonly refused: readonly Refused[];
  /** Names that cannot be a note on this device. */
  readonly held: readonly string[];
  /** Forgotten notes whose unsent lines wait in `memdir review`. */
  readonly toReview: readonly string[];
  /** Notices about the remote: where to open a pull request, what its history still contains. */
  readonly notices: readonly string[];
  /** Notes that it did not remove, because that needs the user's approval. */
  readonly stopped?: { readonly where: "here" | "there"; readonly keys: readonly string[] };
}

/** Sums over all spaces, and the result of each. Exit code 0 with conflicts; 4 when something was refused. */
export interface SyncNow {
  readonly pulled: number;
  readonly pushed: number;
  readonly merged: number;
  readonly conflicts: readonly (Conflict & { readonly scope: SyncedScope })[];
  readonly refused: readonly (Refused & { readonly scope: SyncedScope })[];
  readonly ms: number;
  readonly spaces: readonly SpaceRun[];
}

/** One line of `sync log`: a run that changed something or failed. */
export interface SyncLogLine extends Pick<SpaceRun, "scope" | "state" | "message" | "pulled" | "pushed"> {
  /** ISO time. */
  readonly time: string;
  readonly conflicts: number;
  readonly refused: number;
}
