import { mayWrite, modeIn } from "./modes.ts";
import { settleTransfer, type Settled, type Transfer } from "./transfer.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { isAlive } from "./alive.ts";
import type { Locations } from "./locations.ts";
import { openStoreAt } from "./open-store.ts";
import { isTransferPending } from "./pending-transfers.ts";
import { pendingTransfers, recordsIn, sweepTransfers } from "./transfer-records.ts";

/** What became of a transfer that a killed process left half done. */
export type CutOff = Settled | { readonly kind: "stuck"; readonly transfer: Transfer; readonly message: string };

/** Nobody moves notes longer than this (ms): a process of that number is another one by then. */
const LONGEST_MS = 600_000;

/**
 * Finishes what killed processes left between two stores; costs one look at a directory when there is nothing. What the
 * mode of either scope forbids to write waits.
 */
export function settleTransfers(
  locations: Pick<Locations, "memdirHome" | "hasGit" | "environment" | "modes">,
  clock: Clock,
  lockTimeoutMs?: number,
): readonly CutOff[] {
  const { memdirHome } = locations;
  if (!isTransferPending(memdirHome)) return [];
  sweepTransfers(memdirHome, clock.now());
  const records = recordsIn(memdirHome);
  const isAtWork = ({ pid, time }: Transfer): boolean =>
    pid !== process.pid && isAlive(pid) && clock.now() - Date.parse(time) <= LONGEST_MS;
  const isAllowed = ({ from, to }: Transfer): boolean =>
    [from, to].every(({ scope }) => mayWrite(modeIn(locations.modes, scope).mode));
  return pendingTransfers(memdirHome)
    .filter((transfer) => isAllowed(transfer) && !isAtWork(transfer))
    .map((transfer): CutOff => {
      try {
        return withStores(
          locations,
          clock,
          transfer,
          (stores) => settleTransfer(stores, transfer, records),
          lockTimeoutMs,
        );
      } catch (error) {
        if (error instanceof MemoryError) return { kind: "stuck", transfer, message: error.message }; // tried again by the next command
        throw error;
      }
    });
}

/** Opens both ends of a transfer for as long as the work takes. */
export function withStores<T>(
  locations: Pick<Locations, "hasGit" | "environment">,
  clock: Clock,
  { from, to }: Transfer,
  work: (stores: { source: NoteStore; target: NoteStore }) => T,
  lockTimeoutMs?: number,
): T {
  const source = openStoreAt(from, locations, clock, lockTimeoutMs);
  const target = openStoreAt(to, locations, clock, lockTimeoutMs);
  try {
    return work({ source, target });
  } finally {
    source.close();
    target.close();
  }
}
