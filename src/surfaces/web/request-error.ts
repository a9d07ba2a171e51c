import { MemoryError, type MemoryErrorCode } from "../../core/shared/errors.ts";
import type { ErrorAnswer } from "./api.ts";

/** Why a request is not answered as it asks; said in the answer and nowhere else. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const STATUS: Readonly<Record<MemoryErrorCode, number>> = {
  "invalid-input": 400,
  "not-found": 404,
  conflict: 409,
  refused: 403,
  locked: 503,
  permission: 503,
  "disk-full": 503,
  corrupt: 500,
  unavailable: 503,
  io: 503,
};

/** The answer to a request that failed; `undefined` for a bug. */
export function answerOf(error: unknown): { readonly status: number; readonly body: ErrorAnswer } | undefined {
  if (error instanceof RequestError)
    return { status: error.status, body: { error: { code: error.code, message: error.message } } };
  if (error instanceof MemoryError)
    return { status: STATUS[error.code], body: { error: { code: error.code, message: error.message } } };
  return undefined;
}
