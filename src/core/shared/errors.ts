/**
 * Says, without a full stop, why Node's `parseArgs` refused a command line. `unknown` supplies the advice for an
 * unknown option.
 */
export function argumentProblem(error: TypeError, unknown: (option: string) => string): string {
  const option = /'(-[^' ]*)/u.exec(error.message)?.[1] ?? "";
  const code = "code" in error ? error.code : undefined;
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") return unknown(option);
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL")
    return `unexpected argument "${/'([^']*)'/u.exec(error.message)?.[1] ?? ""}"`;
  if (code !== "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return error.message;
  return error.message.includes("does not take")
    ? `${option} takes no value`
    : `${option} needs a value; write ${option}=VALUE if it begins with a dash`;
}

/** Codes a caller may branch on. One error class covers broken invariants and failing resources. */
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

/** Also `true` for the class of another bundle: parts of memdir that load later bring their own copy. */
export function isMemoryError(error: unknown): error is MemoryError {
  return error instanceof Error && error.name === "MemoryError";
}

const SYSTEM_FAILURES: ReadonlyMap<string, MemoryErrorCode> = new Map([
  ["EACCES", "permission"],
  ["EPERM", "permission"],
  ["EROFS", "permission"],
  ["ENOSPC", "disk-full"],
  ["EDQUOT", "disk-full"],
]);

/** What the system lacked when it refused: a permission or disk space; `io` for anything else. */
export function failureCode(error: unknown): MemoryErrorCode {
  return SYSTEM_FAILURES.get(codeOf(error)) ?? "io";
}

/** The code of a system or Node error (`ENOENT`); empty for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
