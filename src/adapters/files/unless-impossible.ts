import { MemoryError } from "../../core/shared/errors.ts";

/** What a cache cannot read or write costs making it again, nothing else: `undefined` where the disk says no. */
export function unlessImpossible<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}
