import type { Conflict } from "../../core/sync/plan-pull.ts";
import type { Refused, SyncedScope } from "../../core/sync/gates.ts";
import type { RemoteKind } from "./spaces.ts";

/** `idle`: nothing was wrong the last time. `ask`: a person has to allow a removal. `key`: this device has no key of an encrypted space, or no key or token to log in with. `off` is not a state: such a store is not listed. */
export type SpaceState = "never-run" | "idle" | "offline" | "paused" | "ask" | "key";

export interface SpaceStatus {
  readonly scope: SyncedScope;
  /** The store's directory of notes. */
  readonly directory: string;
  readonly remote: string;
  readonly kind: RemoteKind;
  /** The server's id of it, the branch, or the store. */
  readonly space: string;
  /** What people call it: `--space` of whoever joins. */
  readonly name: string;
  readonly state: SpaceState;
  /** Why, and what to do about it; empty when idle. */
  readonly message: string;
  /** Where the space stood at the last run, and how far this device has pulled. */
  readonly head: string;
  readonly cursor: string;
  /** Changes here that are not there yet, by what the index knows. */
  readonly pending: number;
  /** Conflict copies in the store. */
  readonly conflicts: readonly string[];
  /** What the last run kept on this machine, and why. */
  readonly refused: readonly Refused[];
  /** Files that are neither read nor sent, because a note of their name was forgotten. */
  readonly unread: readonly string[];
  /** ISO time of the last run; `null` before the first. */
  readonly lastRun: string | null;
  /** Of an encrypted space; `null` for another. */
  readonly keys: KeysStatus | null;
  /** Whether it syncs automatically, and where the remote could not be reached, not before when (ISO). */
  readonly automatic: boolean;
  readonly retryAt: string | null;
}

/** What this device knows of the keys of an encrypted space. */
export interface KeysStatus {
  /** The words to approve this device with, while it waits for that. */
  readonly words: string | null;
  readonly devices: readonly KeyHolder[];
  /** So many devices ask for the keys. */
  readonly requests: number;
  /** The file with the recovery phrase, as long as it lies on this device. */
  readonly recovery: string | null;
}

export interface KeyHolder {
  readonly id: string;
  readonly name: string;
  /** ISO. */
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
  /** Forgotten notes of which unsent lines wait in `memdir review`. */
  readonly toReview: readonly string[];
  /** What a person should know of the remote: where to open a pull request, what its past still holds. */
  readonly notices: readonly string[];
  /** What it did not remove, because that needs a person's word. */
  readonly stopped?: { readonly where: "here" | "there"; readonly keys: readonly string[] };
}

/** Sums over all spaces, and each on its own. Exit 0 with conflicts; 4 when something was refused. */
export interface SyncNow {
  readonly pulled: number;
  readonly pushed: number;
  readonly merged: number;
  readonly conflicts: readonly (Conflict & { readonly scope: SyncedScope })[];
  readonly refused: readonly (Refused & { readonly scope: SyncedScope })[];
  readonly ms: number;
  readonly spaces: readonly SpaceRun[];
}

/** One line of `sync log`: a run that did something or failed. */
export interface SyncLogLine extends Pick<SpaceRun, "scope" | "state" | "message" | "pulled" | "pushed"> {
  /** ISO time. */
  readonly time: string;
  readonly conflicts: number;
  readonly refused: number;
}
