import { MemoryError } from "../../core/shared/errors.ts";

/** For what may as well not be done: a disk that is full or read-only costs doing it again, nothing else. */
export function unlessImpossible<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}
