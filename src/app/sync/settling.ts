import { keepSettled, stampOf, type StorePlace } from "../../adapters/files/settled.ts";
import type { ExternalChanges } from "../../core/notes/store.ts";
import { version } from "../workspace/version.ts";
import { maySettle } from "./quiet.ts";
import type { SyncedSpace } from "./spaces.ts";

/** Notes in a run how the store looked when there was nothing left to do, for `quiet.ts` to know it again. */
export interface Settling {
  looking(): void;
  looked(changes: ExternalChanges): void;
  /** The last look found nothing to do, and the remote stands at `cursor`. */
  keep(cursor: string): void;
}

export function settlingOf(space: SyncedSpace, place: StorePlace, now: () => number): Settling {
  let seen: { readonly at: number; readonly stamp: string } | undefined;
  return {
    // Before the look: what changes later makes another stamp.
    looking() {
      const at = now();
      const stamp = maySettle(space) ? stampOf(place, at) : undefined;
      seen = stamp === undefined ? undefined : { at, stamp };
    },
    looked({ skipped }) {
      // Every status names a file that is not read.
      if (skipped.some(({ isForgotten }) => isForgotten === true)) seen = undefined;
    },
    keep(cursor) {
      if (seen !== undefined) keepSettled(space.state, { version: version(), ...seen, cursor });
    },
  };
}
