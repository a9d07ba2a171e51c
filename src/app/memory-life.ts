import { MemoryError } from "../core/shared/errors.ts";

/** What is running on a memory, so that closing waits for it. */
export interface MemoryLife {
  /** Starts work that closing waits for. Rejects once the memory is closed. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Stops new work from starting. Releases at once when nothing is running, else when the last work has ended. */
  close(): Promise<void>;
}

export function openLife(release: () => void): MemoryLife {
  const running = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    if (running.size > 0) await Promise.allSettled(running);
    release();
  };
  return {
    run(work) {
      if (closed !== undefined)
        return Promise.reject(
          new MemoryError(
            "invalid-input",
            "this memory is closed, so nothing was written; open it again with openMemory()",
          ),
        );
      const promise = work();
      const ended = (): void => void running.delete(promise);
      running.add(promise);
      promise.then(ended, ended);
      return promise;
    },
    close: () => (closed ??= end()),
  };
}
