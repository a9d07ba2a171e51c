import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type Denial, isDenial } from "../../app/server/ports.ts";

/** Addresses of the memory API, whose answers have the form its clients expect. */
export const MEMORY_API = "/v1/memory_stores";

export const DREAMS_API = "/v1/dreams";

export const DREAM_SESSIONS_API = "/v1/dream_sessions";

type Kind = readonly [status: ContentfulStatusCode, type: string];

const KINDS: Readonly<Record<Denial["reason"], Kind>> = {
  invalid: [400, "invalid_request_error"],
  secret: [400, "invalid_request_error"],
  quota: [400, "invalid_request_error"],
  "too-large": [413, "invalid_request_error"],
  unauthorized: [401, "authentication_error"],
  forbidden: [403, "permission_error"],
  "not-found": [404, "not_found_error"],
  conflict: [409, "conflict_error"],
  stale: [409, "conflict_error"],
  "history-changed": [409, "conflict_error"],
  compacted: [409, "conflict_error"],
  precondition: [409, "memory_precondition_failed_error"],
  "path-conflict": [409, "memory_path_conflict_error"],
  unavailable: [503, "api_error"],
};

export function isMemoryApi(context: Context): boolean {
  const { path } = context.req;
  return [MEMORY_API, DREAMS_API, DREAM_SESSIONS_API].some((api) => path === api || path.startsWith(`${api}/`));
}

/** The result of an operation as JSON; a denial as the error class that clients know. */
export function memoryAnswer(context: Context, value: object): Response {
  if (!isDenial(value)) return context.json(value);
  const { reason, message, detail } = value;
  const [status, type] = KINDS[reason];
  if (reason === "path-conflict") return memoryError(context, status, { type, message, ...detail });
  const code = reason === "secret" || reason === "quota" ? { details: { error_code: reason, ...detail } } : {};
  return memoryError(context, status, { type, message, ...code });
}

export function memoryError(context: Context, status: ContentfulStatusCode, error: object): Response {
  // A client would resend a conflict, which would conflict again.
  if (status === 409) context.header("x-should-retry", "false");
  return context.json({ type: "error", error, request_id: context.get("requestId") }, status);
}

const STATUS: Readonly<Record<Denial["reason"], ContentfulStatusCode>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  precondition: 409,
  "path-conflict": 409,
  "history-changed": 409,
  compacted: 410,
  stale: 412,
  "too-large": 413,
  quota: 413,
  secret: 422,
  unavailable: 503,
};

/** The result of an operation as JSON; a denial with its status. */
export function answer(context: Context, value: object, status: ContentfulStatusCode = 200): Response {
  if (!isDenial(value)) return context.json(value, status);
  const { reason, message, detail } = value;
  if (reason === "unauthorized") context.header("WWW-Authenticate", "Bearer");
  return context.json({ error: reason, message, ...detail }, STATUS[reason]);
}

/** The JSON of a request; `undefined` if it is invalid, which each parser refuses with its own message. */
export async function jsonOf(context: Context): Promise<unknown> {
  try {
    return await context.req.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
