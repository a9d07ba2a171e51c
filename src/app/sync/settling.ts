import { keepSettled, stampOf, type StorePlace } from "../../adapters/files/settled.ts";
import type { ExternalChanges } from "../../core/notes/store.ts";
import { version } from "../workspace/version.ts";
import { maySettle } from "./quiet.ts";
import type { SyncedSpace } from "./spaces.ts";

/** Records during a run how the store looked when nothing was left to do, so that `quiet.ts` recognizes it. */
export interface Settling {
  looking(): void;
  looked(changes: ExternalChanges): void;
  /** The last check found nothing to do, and the remote is at `cursor`. */
  keep(cursor: string): void;
}

export function settlingOf(space: SyncedSpace, place: StorePlace, now: () => number): Settling {
  let seen: { readonly at: number; readonly stamp: string } | undefined;
  return {
    // Taken before the check, so that any later change gives another stamp.
    looking() {
      const at = now();
      const stamp = maySettle(space) ? stampOf(place, at) : undefined;
      seen = stamp === undefined ? undefined : { at, stamp };
    },
    looked({ skipped }) {
      // Every status names files that are not read.
      if (skipped.some(({ isForgotten }) => isForgotten === true)) seen = undefined;
    },
    keep(cursor) {
      if (seen !== undefined) keepSettled(space.state, { version: version(), ...seen, cursor });
    },
  };
}
