import { isRecord } from "../../core/shared/json.ts";
import { deviceIdOf, lineageOf } from "../../core/server/memory-names.ts";
import type { Operation } from "../../core/server/memory-tables.ts";
import { denied, type Denial } from "./ports.ts";

/** Checks and parses the content of requests of the memory API. */

const invalid = (message: string): Denial => denied("invalid", message);

export type Query = (name: string) => string | undefined;

const STORE = { name: 255, description: 1024, pairs: 16, key: 64, value: 512 } as const;

export interface StoreWords {
  readonly name?: string;
  readonly description?: string;
  /** `null` removes a pair. */
  readonly metadata?: Readonly<Record<string, string | null>>;
}

export function parseNewStore(body: unknown): (StoreWords & { readonly name: string }) | Denial {
  const words = parseStoreWords(body);
  if ("kind" in words) return words;
  const { name, metadata = {} } = words;
  if (name === undefined) return invalid("name: a store has a name");
  if (Object.values(metadata).includes(null)) return invalid("metadata: a value is a text");
  return { ...words, name };
}

export function parseStoreWords(body: unknown): StoreWords | Denial {
  if (!isRecord(body)) return invalid("the body is a JSON object");
  const { name, description, metadata } = body;
  if (isGiven(name) && (!isText(name, STORE.name) || name === "" || /\p{Cc}/u.test(name)))
    return invalid(`name: 1 to ${STORE.name} characters, without control characters`);
  if (isGiven(description) && !isText(description, STORE.description))
    return invalid(`description: at most ${STORE.description} characters`);
  const pairs = isGiven(metadata) ? parsePairs(metadata) : {};
  if (pairs === undefined)
    return invalid(`metadata: keys have 1 to ${STORE.key} characters, values are texts of at most ${STORE.value}`);
  const tooMany = pairsFault(Object.values(pairs).filter((value) => value !== null).length);
  if (tooMany !== undefined) return tooMany;
  return {
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof description === "string" ? { description } : {}),
    metadata: pairs,
  };
}

export function pairsFault(count: number): Denial | undefined {
  return count > STORE.pairs
    ? invalid(`metadata: at most ${STORE.pairs} pairs, and this would be ${count}`)
    : undefined;
}

function parsePairs(value: unknown): Readonly<Record<string, string | null>> | undefined {
  if (!isRecord(value)) return undefined;
  const pairs: [string, string | null][] = [];
  for (const [key, text] of Object.entries(value)) {
    if (key === "" || !isText(key, STORE.key) || (text !== null && !isText(text, STORE.value))) return undefined;
    pairs.push([key, text]);
  }
  return Object.fromEntries(pairs);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A text of at most `most` code points, without lone surrogates or NUL, which the database cannot store. */
export function isText(value: unknown, most: number): value is string {
  return typeof value === "string" && [...value].length <= most && !/[\p{Cs}\0]/u.test(value);
}

export interface MemoryWords {
  readonly path?: string;
  readonly content?: string;
  readonly expected?: string;
}

export function parseNewMemory(body: unknown): (MemoryWords & { path: string; content: string }) | Denial {
  const words = parseMemoryWords(body);
  if ("kind" in words) return words;
  const { path, content } = words;
  if (path === undefined) return invalid("path: a memory has a path");
  if (content === undefined) return invalid('content: a memory has a text; "" makes an empty one');
  return { ...words, path, content };
}

export function parseMemoryWords(body: unknown): MemoryWords | Denial {
  if (!isRecord(body)) return invalid("the body is a JSON object");
  const { path, content, precondition } = body;
  if (isGiven(path) && typeof path !== "string") return invalid("path: a text");
  if (isGiven(content) && (typeof content !== "string" || /\p{Cs}/u.test(content)))
    return invalid("content: a text that can be written in UTF-8");
  const expected = isGiven(precondition) ? parsePrecondition(precondition) : undefined;
  if (typeof expected === "object") return expected;
  return {
    ...(typeof path === "string" ? { path } : {}),
    ...(typeof content === "string" ? { content } : {}),
    ...(expected === undefined ? {} : { expected }),
  };
}

function parsePrecondition(value: unknown): string | Denial {
  const { type, content_sha256: hash } = isRecord(value) ? value : {};
  if (type !== "content_sha256") return invalid('precondition: { "type": "content_sha256", "content_sha256": … }');
  return typeof hash === "string" ? parseHash("precondition.content_sha256", hash) : NO_HASH("precondition");
}

const NO_HASH = (name: string): Denial => invalid(`${name}: 64 lower-case hexadecimal digits`);

function parseHash(name: string, hash: string): string | Denial {
  return /^[0-9a-f]{64}$/u.test(hash) ? hash : NO_HASH(name);
}

/** `expected_content_sha256` of a deletion. */
export function parseExpected(query: Query): { readonly expected: string | undefined } | Denial {
  const text = query("expected_content_sha256");
  const expected = text === undefined ? undefined : parseHash("expected_content_sha256", text);
  return typeof expected === "object" ? expected : { expected };
}

/** Whether texts are wanted; `fallback` if the request does not say. */
export function parseView(query: Query, fallback: "basic" | "full"): { readonly full: boolean } | Denial {
  const view = query("view") ?? fallback;
  return view === "basic" || view === "full" ? { full: view === "full" } : invalid("view: basic or full");
}

const PAGE = { usual: 20, most: 100, full: 20 } as const;

export interface Page {
  readonly limit: number;
  /** Where the previous page ended. */
  readonly after: string | undefined;
}

export function parsePage(query: Query, full: boolean): Page | Denial {
  const given = query("limit") ?? String(PAGE.usual);
  const limit = /^\d{1,6}$/u.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > PAGE.most) return invalid(`limit: 1 to ${PAGE.most}`);
  const token = query("page");
  const after = token === undefined || token === "" ? undefined : Buffer.from(token, "base64url").toString();
  if (after !== undefined && pageToken(after) !== token) return invalid("page: use next_page of an answer as it is");
  return { limit: full ? Math.min(limit, PAGE.full) : limit, after };
}

export function pageToken(last: string): string {
  return Buffer.from(last).toString("base64url");
}

export interface Times {
  readonly since: number | undefined;
  readonly until: number | undefined;
}

export function parseTimes(query: Query): Times | Denial {
  return parseTimesOf(query, "gte", "lte");
}

/** `from`, `to`: the query's names for the bounds. */
export function parseTimesOf(query: Query, from: string, to: string): Times | Denial {
  const since = timeOf(query(`created_at[${from}]`));
  const until = timeOf(query(`created_at[${to}]`));
  return since === "none" || until === "none" ? invalid("created_at: a time as RFC 3339 writes it") : { since, until };
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u;

function timeOf(text: string | undefined): number | undefined | "none" {
  if (text === undefined) return undefined;
  const ms = RFC3339.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? "none" : ms;
}

export function parseListing(query: Query): { readonly prefix: string; readonly grouped: boolean } | Denial {
  const prefix = query("path_prefix") ?? "/";
  if (!prefix.startsWith("/") || !prefix.endsWith("/") || /[\p{Cc}\p{Cs}]/u.test(prefix))
    return invalid("path_prefix: begins and ends with /");
  const depth = query("depth") ?? "0";
  return depth === "0" || depth === "1" ? { prefix, grouped: depth === "1" } : invalid("depth: 0 or 1");
}

export interface VersionFilter extends Times {
  readonly lineage: string | undefined;
  readonly operation: Operation | undefined;
  readonly deviceId: string | undefined;
  /** Asks for something this server never has: versions of sessions or of service accounts. */
  readonly nothing: boolean;
}

const OPERATIONS: readonly Operation[] = ["created", "modified", "deleted"];

export function parseVersionFilter(query: Query): VersionFilter | Denial {
  const times = parseTimes(query);
  if ("kind" in times) return times;
  const wanted = query("operation");
  const operation = OPERATIONS.find((one) => one === wanted);
  if (wanted !== undefined && operation === undefined) return invalid(`operation: one of ${OPERATIONS.join(", ")}`);
  const memory = query("memory_id");
  const key = query("api_key_id");
  const lineage = memory === undefined ? undefined : lineageOf(memory);
  const deviceId = key === undefined ? undefined : deviceIdOf(key);
  const unknown = (memory !== undefined && lineage === undefined) || (key !== undefined && deviceId === undefined);
  const others = query("session_id") !== undefined || query("service_account_id") !== undefined;
  return { ...times, lineage, operation, deviceId, nothing: unknown || others };
}
