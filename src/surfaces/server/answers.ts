import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isDenial, type Denial } from "../../app/server/denial.ts";

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

/** What an operation gave, as JSON; a denial with its status. */
export function answer(context: Context, value: object, status: ContentfulStatusCode = 200): Response {
  if (!isDenial(value)) return context.json(value, status);
  const { reason, message, detail } = value;
  if (reason === "unauthorized") context.header("WWW-Authenticate", "Bearer");
  return context.json({ error: reason, message, ...detail }, STATUS[reason]);
}

/** The JSON of a request; `undefined` for what is none, which every parser refuses with its own words. */
export async function jsonOf(context: Context): Promise<unknown> {
  try {
    return await context.req.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
