/** Codes a caller may branch on. One error class for broken invariants and failing resources. */
export type MemoryErrorCode =
  | "invalid-input"
  | "not-found"
  | "conflict"
  | "refused"
  | "locked"
  | "permission"
  | "disk-full"
  | "corrupt"
  | "unavailable"
  | "io";

/**
 * A failing resource or a broken invariant. Expected outcomes (not found, conflict, refused) are
 * returned as unions by the functions that can meet them; this is thrown for the rest.
 * The message says what failed, with which value, and what to do about it.
 */
export class MemoryError extends Error {
  readonly code: MemoryErrorCode;

  constructor(code: MemoryErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "MemoryError";
    this.code = code;
  }
}

/** Also of a class of another bundle: parts of memdir that are loaded late come with their own. */
export function isMemoryError(error: unknown): error is MemoryError {
  return error instanceof Error && error.name === "MemoryError";
}

/** The code of what the system or Node refused (`ENOENT`); empty for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
