import { MemoryError, type MemoryErrorCode } from "../../src/core/shared/errors.ts";

/** The code of the `MemoryError` that `work` throws; `undefined` if it throws nothing. Other errors are rethrown. */
export function codeOf(work: () => unknown): MemoryErrorCode | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof MemoryError) return error.code;
    throw error;
  }
}
