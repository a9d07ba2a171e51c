import type { ScopedStore } from "./workspace.ts";
import { MemoryError } from "../../core/shared/errors.ts";

/** What making one store's state smaller may take; what is not done then is done another time (ms). */
const TIDY_MS = 20_000;

/** State that grows is made smaller, where that is due; that it cannot be takes nothing from what was written. */
export function tidyStores(stores: Iterable<ScopedStore>, deadline: number): void {
  for (const { store } of stores) {
    const left = Math.min(TIDY_MS, deadline - Date.now());
    try {
      if (left > 0) store.tidy(left);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
    }
  }
}
