/**
 * One writer at a time for a store, across processes. Held only for the length of a synchronous
 * function, and released by the kernel when the holder dies.
 */
export interface StoreLock {
  /** Runs `work` under the lock. @throws MemoryError `locked` when it was not free within `timeoutMs`. */
  run<T>(timeoutMs: number, work: () => T): T;
  close(): void;
}
