import { isRecord, parseJson } from "../../core/shared/json.ts";
import { parseError } from "./parse.ts";
import type { NoAnswer } from "../../core/sync/transport.ts";

/** Where a server is and who asks. */
export interface HttpServer {
  /** `https://memory.example.org`, with or without a `/` at the end. */
  readonly url: string;
  readonly token: string | undefined;
  /** How long an answer may take (ms). Default 30,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

export type HttpAnswer =
  | { readonly outcome: "answered"; readonly status: number; readonly body: unknown; readonly message: string }
  | Extract<NoAnswer, { outcome: "offline" }>;

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** After the server's address, with a `/` at the start. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 30_000;
const LONGEST_WAIT_MS = 600_000;
/** No answer of this protocol is larger: a page has at most 1 MB of texts, and JSON escapes. */
const MOST_BYTES = 16_000_000;

/** One request. Whatever keeps an answer away is `offline`, and so are failing and busy servers. */
export async function ask(server: HttpServer, request: HttpRequest): Promise<HttpAnswer> {
  const address = server.url.replace(/\/+$/u, "") + request.path;
  try {
    const response = await (server.fetch ?? fetch)(address, {
      method: request.method,
      // Another host must not get the token.
      redirect: "error",
      signal: AbortSignal.timeout(server.timeoutMs ?? TIMEOUT_MS),
      headers: {
        accept: "application/json",
        ...(server.token !== undefined && { authorization: `Bearer ${server.token}` }),
        ...(request.body !== undefined && { "content-type": "application/json" }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    const text = await bounded(response);
    return judged(server, response, text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { outcome: "offline", message: `${server.url} cannot be reached: ${reasonOf(error)}` };
  }
}

function judged(server: HttpServer, response: Response, text: string | undefined): HttpAnswer {
  const { status } = response;
  const body = text === undefined ? undefined : parseJson(text);
  const message = parseError(body).message || `status ${status}`;
  if (status === 429 || status >= 500)
    return { outcome: "offline", message: `${server.url} is busy: ${message}`, ...waitOf(response) };
  // A whole answer or none: half a page must not look like an empty one.
  if (!isRecord(body) && status !== 404)
    return { outcome: "offline", message: `${server.url} gave an answer that is not memdir's (status ${status})` };
  return { outcome: "answered", status, body, message };
}

async function bounded(response: Response): Promise<string | undefined> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of response.body) {
    text += decoder.decode(part, { stream: true });
    if (text.length > MOST_BYTES) return undefined;
  }
  return text + decoder.decode();
}

/** Retry-After in seconds; a date is rounded to now. */
function waitOf(response: Response): { readonly retryAfterMs?: number } {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: Math.min(seconds * 1_000, LONGEST_WAIT_MS) } : {};
}

function reasonOf(error: Error): string {
  if (error.name === "TimeoutError") return "no answer in time";
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** What an answer that is not good means, the same for every call. */
export function refusalOf(
  server: HttpServer,
  { status, body, message }: Extract<HttpAnswer, { outcome: "answered" }>,
): NoAnswer {
  const where = server.url;
  switch (status) {
    case 401:
      return { outcome: "denied", reason: "login", message: `${where} does not know this token: ${message}` };
    case 402:
      return { outcome: "denied", reason: "payment", message: `${where}: ${message}` };
    case 403:
      return { outcome: "denied", reason: "role", message: `${where} does not allow it: ${message}` };
    case 404:
      return { outcome: "not-found", message: `${where} has no such space, or not for you` };
    case 413:
      return {
        outcome: "denied",
        reason: "quota",
        message: `${where}: ${parseError(body).error === "quota" ? "the space is full" : message}`,
      };
    default:
      return { outcome: "offline", message: `${where} answered with status ${status}: ${message}` };
  }
}
