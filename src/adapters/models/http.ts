import type { ModelFailure, ModelMessage, ModelRequest, ModelResult, TokenUsage } from "../../core/models/model.ts";
import { parseJson } from "../../core/shared/json.ts";

/** Turns a model's text into a result. Servers without constrained output often put a fence around JSON. */
export function structuredAnswer(text: string, usage: TokenUsage, ms: number): ModelResult {
  const value = parseJson(text.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/u, "$1"));
  if (typeof value !== "object" || value === null)
    return {
      kind: "invalid-answer",
      reason: `the model did not answer with JSON: ${JSON.stringify(text.slice(0, 80))}`,
      ms,
      usage,
    };
  return { kind: "answer", value, usage, ms };
}

/** Joins consecutive messages of one role: some providers reject two in a row. */
export function turnsOf(
  messages: readonly ModelMessage[],
): { readonly role: ModelMessage["role"]; readonly texts: readonly string[] }[] {
  const turns: { role: ModelMessage["role"]; texts: string[] }[] = [];
  for (const { role, text } of messages) {
    const last = turns.at(-1);
    if (last?.role === role) last.texts.push(text);
    else turns.push({ role, texts: [text] });
  }
  return turns;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Never shown: removed from the provider's messages. */
  readonly key: string | undefined;
  readonly request: Pick<ModelRequest, "signal" | "timeoutMs">;
  /** Most bytes of an answer. Default one megabyte. */
  readonly mostBytes?: number;
}

export type Reply = { readonly kind: "reply"; readonly json: unknown; readonly ms: number } | ModelFailure;

/** Enough for an answer of a few hundred tokens (bytes). */
const MOST_BYTES = 1 << 20;

/** Posts, and reads a bounded answer. Closes the connection on timeout, on cancel and if the answer is too long. */
export async function post(what: Post): Promise<Reply> {
  const started = performance.now();
  const ms = (): number => performance.now() - started;
  const { signal, timeoutMs } = what.request;
  const timeout = AbortSignal.timeout(Math.max(1, Math.round(timeoutMs)));
  const stop = new AbortController();
  const signals = signal === undefined ? [timeout, stop.signal] : [signal, timeout, stop.signal];
  try {
    // The key may go only to its intended address, so redirects are not followed.
    const response = await fetch(what.url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any(signals),
      headers: { "content-type": "application/json", accept: "application/json", ...what.headers },
      body: JSON.stringify(what.body),
    });
    const { mostBytes = MOST_BYTES } = what;
    const text = await readBounded(response, mostBytes);
    if (text === undefined)
      return { kind: "invalid-answer", reason: `${hostOf(what.url)} sent more than ${mostBytes} bytes`, ms: ms() };
    return response.ok ? parse(text, what, ms()) : failureOf(response, text, what, ms());
  } catch (error) {
    if (signal?.aborted === true) return { kind: "cancelled", reason: "cancelled by the caller", ms: ms() };
    if (timeout.aborted)
      return {
        kind: "timeout",
        reason: `no answer from ${hostOf(what.url)} within ${Math.round(timeoutMs)} ms`,
        ms: ms(),
      };
    // fetch rejects with a TypeError for every network failure; its cause gives the reason.
    if (!(error instanceof TypeError)) throw error;
    return {
      kind: "unavailable",
      reason: `${hostOf(what.url)} cannot be reached: ${causeOf(error)}`,
      ms: ms(),
      retryAfterMs: 0,
    };
  } finally {
    stop.abort();
  }
}

/** `undefined` if the answer is too long. */
async function readBounded(response: Response, mostBytes: number): Promise<string | undefined> {
  if (response.body === null) return "";
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    if (!(part instanceof Uint8Array)) continue;
    size += part.byteLength;
    if (size > mostBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parse(text: string, what: Post, ms: number): Reply {
  const json = parseJson(text);
  return json === undefined
    ? { kind: "invalid-answer", reason: `${hostOf(what.url)} did not answer with JSON`, ms }
    : { kind: "reply", json, ms };
}

function failureOf(response: Response, text: string, what: Post, ms: number): ModelFailure {
  const { status } = response;
  const host = hostOf(what.url);
  // A provider's message about a key may quote it, so only the status is passed on.
  if (status === 401 || status === 403)
    return { kind: "unauthorised", reason: `${host} does not accept the key (HTTP ${status})`, ms };
  const said = `${host} answered HTTP ${status}${messageOf(text, what.key)}`;
  if (status === 429) return { kind: "rate-limited", reason: said, ms, retryAfterMs: retryAfterMs(response.headers) };
  const again = status >= 500 || status === 408 || status === 409;
  return { kind: "unavailable", reason: said, ms, ...(again && { retryAfterMs: retryAfterMs(response.headers) }) };
}

/** `retry-after` in seconds or as a date, and the finer `retry-after-ms`; 0 if both are missing. */
function retryAfterMs(headers: Headers): number {
  const fine = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(fine)) return Math.max(0, fine);
  const text = headers.get("retry-after");
  if (text === null) return 0;
  const ms = /^\d+(?:\.\d+)?$/u.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function messageOf(text: string, key: string | undefined): string {
  const error = member(parseJson(text), "error");
  const message = typeof error === "string" ? error : member(error, "message");
  if (typeof message !== "string") return "";
  const safe = key === undefined || key === "" ? message : message.replaceAll(key, "(key)");
  return `: ${safe.replace(/\s+/gu, " ").slice(0, 300)}`;
}

function causeOf(error: TypeError): string {
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the server";
}

/** A member of parsed JSON, `undefined` if there is none. */
export function member(value: unknown, ...path: readonly (string | number)[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** A count of tokens; 0 if the provider gives none. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
