import { MemoryError, type MemoryErrorCode } from "../../core/shared/errors.ts";

/** What a script can tell from the exit code; documented in `memdir help`. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  conflict: 5,
  unavailable: 6,
  interrupted: 130,
} as const;

/** A mistake in the command line itself. */
export class UsageError extends Error {}

const CODES: Readonly<Record<MemoryErrorCode, number>> = {
  "invalid-input": EXIT.usage,
  "not-found": EXIT.notFound,
  conflict: EXIT.conflict,
  refused: EXIT.refused,
  locked: EXIT.unavailable,
  permission: EXIT.unavailable,
  "disk-full": EXIT.unavailable,
  unavailable: EXIT.unavailable,
  corrupt: EXIT.failed,
  io: EXIT.failed,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  return error instanceof MemoryError ? CODES[error.code] : EXIT.failed;
}
