import { codeOf, MemoryError } from "../../core/shared/errors.ts";
import { isRecord, parseJson, record } from "../../core/shared/json.ts";
import { isOpenAddress } from "../../core/shared/open-address.ts";
import { type Answer, type Ask, request } from "./request.ts";
import type { NoAnswer } from "../../core/sync/transport.ts";
import type { Outcome, RemoteEntry, WireCommon, WireError, WirePage, WirePushed } from "../../core/sync/protocol.ts";

/** Parses a server's answers field by field; `undefined` for an answer that does not follow the protocol. */
export function parsePage(value: unknown): WirePage | undefined {
  if (!isRecord(value) || !Array.isArray(value["changes"])) return undefined;
  const { head, headMark, next, mark } = value;
  const changes = value["changes"].map(parseEntry);
  if (!isSeq(head) || !isSeq(next) || !changes.every(isThere)) return undefined;
  return typeof headMark === "string" && typeof mark === "string" ? { head, headMark, next, mark, changes } : undefined;
}

export function parseEntry(value: unknown): RemoteEntry<number> | undefined {
  if (!isRecord(value) || typeof value["lineage"] !== "string") return undefined;
  const { state, key, lineage, revision, body, names, was, by, at } = value;
  if (state === "forgotten")
    return Array.isArray(names) ? { state, lineage, names: names.filter((one) => typeof one === "string") } : undefined;
  if (typeof key !== "string" || !isSeq(revision)) return undefined;
  const told = { ...(typeof by === "string" && { by }), ...(typeof at === "string" && { at }) };
  if (state === "deleted") return { state, key, lineage, revision, ...(typeof was === "string" && { was }), ...told };
  return state === "live" && typeof body === "string" ? { state, key, lineage, revision, body, ...told } : undefined;
}

export function parsePushed(value: unknown): WirePushed | undefined {
  if (!isRecord(value) || !Array.isArray(value["outcomes"]) || !isRecord(value["prev"])) return undefined;
  const { head, mark } = value;
  const before = value["prev"];
  const outcomes = value["outcomes"].map(parseOutcome);
  if (!isSeq(head) || typeof mark !== "string" || !outcomes.every(isThere)) return undefined;
  if (!isSeq(before["head"]) || typeof before["mark"] !== "string") return undefined;
  return { head, mark, prev: { head: before["head"], mark: before["mark"] }, outcomes };
}

function parseOutcome(value: unknown): Outcome<number> | undefined {
  if (!isRecord(value)) return undefined;
  const { outcome, key, revision, forget, reason, rule } = value;
  if (outcome === "done" && typeof forget === "string") return { outcome, forget };
  if (typeof key !== "string") return undefined;
  if (outcome === "done") return isSeq(revision) ? { outcome, key, revision } : undefined;
  if (outcome === "stale") return isSeq(revision) ? { outcome, key, revision } : undefined;
  if (outcome === "forgotten" || outcome === "taken" || outcome === "group") return { outcome, key };
  const known = (["secret", "size", "key", "sealed"] as const).find((one) => one === reason);
  if (outcome !== "refused" || known === undefined) return undefined;
  return { outcome, key, reason: known, ...(typeof rule === "string" && { rule }) };
}

export function parseCommon(value: unknown): WireCommon | undefined {
  return isRecord(value) && isSeq(value["seq"]) ? { seq: value["seq"] } : undefined;
}

/** The server's error code and message; empty if it sent none. */
function parseError(value: unknown): WireError {
  const { error, message } = record(value);
  return {
    error: typeof error === "string" ? error : "",
    message: typeof message === "string" ? message : "",
  };
}

function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** The server's address and the caller's token. */
export interface HttpServer {
  /** `https://memory.example.org`, with or without a `/` at the end. */
  readonly url: string;
  readonly token: string | undefined;
  /** Timeout for an answer (ms). Default 30,000. */
  readonly timeoutMs?: number;
  readonly fetch?: Ask;
}

export type HttpAnswer =
  | { readonly outcome: "answered"; readonly status: number; readonly body: unknown; readonly message: string }
  | Extract<NoAnswer, { outcome: "offline" }>;

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path after the server's address, starting with `/`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 30_000;

const LONGEST_WAIT_MS = 600_000;

/** No answer of this protocol is larger: a page has at most 1 MB of text, plus JSON escapes. */
const MOST_BYTES = 16_000_000;

/**
 * Sends one request. A missing answer, a failing server and a busy server are all `offline`. A server may close an idle
 * connection just as it is reused, so a request that is safe to repeat is sent once more when the connection breaks.
 * @throws MemoryError `refused` for an address over which the token and the notes would be sent unencrypted.
 */
export async function ask(server: HttpServer, asked: HttpRequest): Promise<HttpAnswer> {
  if (isOpenAddress(server.url))
    throw new MemoryError(
      "refused",
      `without HTTPS others on the way to ${server.url} can read the token and the notes, so nothing was sent: use an https:// address, or reach the server as http://127.0.0.1 through a tunnel (\`ssh -L 8787:127.0.0.1:8787 HOST\`)`,
    );
  try {
    return await askOnce(server, asked);
  } catch (error) {
    const again = isBroken(error) && mayComeTwice(asked) ? () => askOnce(server, asked) : () => Promise.reject(error);
    return again().catch((last: unknown): HttpAnswer => {
      if (!(last instanceof Error)) throw last;
      return { outcome: "offline", message: `${server.url} cannot be reached: ${reasonOf(last)}` };
    });
  }
}

function mayComeTwice({ method, path, headers }: HttpRequest): boolean {
  return method === "GET" || headers?.["idempotency-key"] !== undefined || path.endsWith("/common");
}

const BROKEN = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

/** The connection ended before the whole answer arrived. */
function isBroken(error: unknown): boolean {
  return error instanceof Error && [codeOf(error), codeOf(error.cause)].some((code) => BROKEN.has(String(code)));
}

async function askOnce(server: HttpServer, asked: HttpRequest): Promise<HttpAnswer> {
  const address = server.url.replace(/\/+$/u, "") + asked.path;
  const response = await (server.fetch ?? request)(address, {
    method: asked.method,
    // No other host may get the token.
    redirect: "error",
    signal: AbortSignal.timeout(server.timeoutMs ?? TIMEOUT_MS),
    headers: {
      accept: "application/json",
      ...(server.token !== undefined && { authorization: `Bearer ${server.token}` }),
      ...(asked.body !== undefined && { "content-type": "application/json" }),
      ...asked.headers,
    },
    ...(asked.body !== undefined && { body: JSON.stringify(asked.body) }),
  });
  const text = await bounded(response);
  return judged(server, response, text);
}

function judged(server: HttpServer, response: Answer, text: string | undefined): HttpAnswer {
  const { status } = response;
  const body = text === undefined ? undefined : parseJson(text);
  const message = parseError(body).message || `status ${status}`;
  if (status === 429 || status >= 500)
    return { outcome: "offline", message: `${server.url} is busy: ${message}`, ...waitOf(response) };
  // A truncated answer is rejected: half a page must not look like an empty one.
  if (!isRecord(body) && status !== 404)
    return { outcome: "offline", message: `${server.url} gave an answer that is not memdir's (status ${status})` };
  return { outcome: "answered", status, body, message };
}

async function bounded(response: Answer): Promise<string | undefined> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of response.body) {
    text += decoder.decode(part, { stream: true });
    if (text.length > MOST_BYTES) return undefined;
  }
  return text + decoder.decode();
}

/** Retry-After in seconds; a date is ignored. */
function waitOf(response: Answer): { readonly retryAfterMs?: number } {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: Math.min(seconds * 1_000, LONGEST_WAIT_MS) } : {};
}

/** OpenSSL's error codes for an answer that is not TLS. */
const NO_TLS: ReadonlySet<string> = new Set([
  "EPROTO",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
]);

function reasonOf(error: Error): string {
  if (error.name === "TimeoutError") return "no answer in time";
  if ([codeOf(error), codeOf(error.cause)].some((code) => NO_TLS.has(code)))
    return "it does not speak HTTPS there; a server of your own on this machine has an address with http://, another one needs HTTPS before it";
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Explains an unsuccessful answer, in the same way for every call. */
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
      return {
        outcome: "denied",
        reason: "role",
        message: `${where} does not allow it: ${message.replace(/\.$/u, "")}; ask its owner for a role that may`,
      };
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
