import { isRecord, record } from "../../core/shared/json.ts";
import type { NoAnswer } from "../../core/sync/transport.ts";
import { ask, refusalOf, type HttpAnswer, type HttpRequest } from "./answer.ts";

/** A store of the memory API, hosted or on a `memdir-server`. */
export interface MemoryStorePlace {
  /** `https://api.anthropic.com`, with or without a `/` at the end. */
  readonly url: string;
  /** `memstore_…`. */
  readonly store: string;
  readonly key: string;
  /** The longest total wait that all answers of one run may ask for (ms). Default 60,000. */
  readonly patienceMs?: number;
  readonly wait?: (ms: number) => Promise<void>;
  readonly fetch?: typeof fetch;
}

/** A memory as the API shows it. */
export interface Memory {
  readonly id: string;
  readonly path: string;
  readonly version: string;
  readonly hash: string;
  /** ISO; used to find the newest, never to decide which text wins. */
  readonly at: string;
  /** Only if it was requested. */
  readonly content: string | undefined;
}

export interface MemoryVersion {
  readonly id: string;
  readonly memory: string;
  readonly operation: string;
  readonly hash: string | undefined;
  readonly isRedacted: boolean;
}

/** Why a write was not done, for reasons that concern only this write. */
export type NotWritten =
  | { readonly outcome: "missing" | "changed" }
  /** Another memory has this path, or a path above or below it. */
  | { readonly outcome: "path-conflict"; readonly path: string }
  | { readonly outcome: "refused"; readonly reason: "secret" | "size" | "key" };

export type Written = { readonly outcome: "written"; readonly memory: Memory } | NotWritten;

/** Ends a transport call that cannot continue; caught where the call began. */
export class Unanswered extends Error {
  readonly answer: NoAnswer;
  constructor(answer: NoAnswer) {
    super(answer.message);
    this.answer = answer;
  }
}

/** The API calls that sync needs. Each throws `Unanswered` if it got no answer. */
export interface MemoryStoreCalls {
  /** Whether the store is archived and so read-only. */
  isArchived(): Promise<boolean>;
  /** All memories, by path. */
  list(full: boolean): Promise<readonly Memory[]>;
  read(id: string): Promise<Memory | undefined>;
  create(path: string, content: string): Promise<Written>;
  update(id: string, change: { readonly path?: string; readonly content?: string }, expected: string): Promise<Written>;
  /** Without `expected` the memory is removed whatever its content. */
  remove(id: string, expected?: string): Promise<"removed" | "missing" | "changed">;
  version(id: string): Promise<MemoryVersion | undefined>;
  versions(memory: string): Promise<readonly MemoryVersion[]>;
  redact(version: string): Promise<"redacted" | "missing" | "refused">;
}

const HEADERS = { "anthropic-version": "2023-06-01", "anthropic-beta": "agent-memory-2026-07-22" } as const;
const PAGE = { basic: 100, full: 20 } as const;
const PATIENCE_MS = 60_000;
/** The most waits in a run, so that waits of 0 ms cannot repeat forever. */
const MOST_WAITS = 100;
/** The largest memory of the hosted service (bytes). */
const MEMORY_BYTES = 102_400;

/** Paths are relative to the store's path. */
type Send = (request: HttpRequest) => Promise<Answered>;
type Answered = Extract<HttpAnswer, { outcome: "answered" }>;

export function memoryStoreCalls(place: MemoryStorePlace): MemoryStoreCalls {
  const send = sender(place);
  const fail = (answer: Answered): never => {
    throw new Unanswered(refused(place, answer));
  };
  const good = (answer: Answered): Readonly<Record<string, unknown>> =>
    answer.status === 200 && isRecord(answer.body) ? answer.body : fail(answer);
  const one = async (path: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const answer = await send({ method: "GET", path });
    return answer.status === 404 ? undefined : good(answer);
  };
  const pages = async (path: string, query: Readonly<Record<string, string>>): Promise<readonly unknown[]> => {
    const items: unknown[] = [];
    for (let page: string | undefined; ;) {
      const search = new URLSearchParams({ ...query, ...(page !== undefined && { page }) });
      const body = good(await send({ method: "GET", path: `${path}?${search.toString()}` }));
      if (!Array.isArray(body["data"])) throw new Unanswered(unclear(place));
      items.push(...body["data"]);
      page = typeof body["next_page"] === "string" ? body["next_page"] : undefined;
      if (page === undefined) return items;
    }
  };
  const memory = (value: unknown): Memory => parsed(place, parseMemory(value));
  const written = async (request: HttpRequest): Promise<Written> => {
    const answer = await send(request);
    if (answer.status === 200) return { outcome: "written", memory: memory(answer.body) };
    return notWritten(answer, request.body) ?? fail(answer);
  };
  return {
    isArchived: async () => good(await send({ method: "GET", path: "" }))["archived_at"] !== null,
    async list(full) {
      const view = full ? "full" : "basic";
      const items = await pages("/memories", { view, limit: String(PAGE[view]) });
      return items.flatMap((item) => (isRecord(item) && item["type"] === "memory_prefix" ? [] : [memory(item)]));
    },
    async read(id) {
      const body = await one(`/memories/${id}?view=full`);
      return body === undefined ? undefined : memory(body);
    },
    create: (path, content) => written({ method: "POST", path: "/memories", body: { path, content } }),
    update: (id, change, expected) =>
      written({
        method: "POST",
        path: `/memories/${id}`,
        body: { ...change, precondition: { type: "content_sha256", content_sha256: expected } },
      }),
    async remove(id, expected) {
      const query = expected === undefined ? "" : `?expected_content_sha256=${expected}`;
      const answer = await send({ method: "DELETE", path: `/memories/${id}${query}` });
      if (answer.status === 404) return "missing";
      if (answer.status === 409) return "changed";
      good(answer);
      return "removed";
    },
    ...versionCalls({ send, good, one, pages, place }),
  };
}

interface Asking {
  readonly place: MemoryStorePlace;
  readonly send: Send;
  readonly good: (answer: Answered) => Readonly<Record<string, unknown>>;
  readonly one: (path: string) => Promise<Readonly<Record<string, unknown>> | undefined>;
  readonly pages: (path: string, query: Readonly<Record<string, string>>) => Promise<readonly unknown[]>;
}

function versionCalls({
  place,
  send,
  good,
  one,
  pages,
}: Asking): Pick<MemoryStoreCalls, "version" | "versions" | "redact"> {
  return {
    async version(id) {
      const body = await one(`/memory_versions/${id}?view=basic`);
      return body === undefined ? undefined : parsed(place, parseVersion(body));
    },
    async versions(of) {
      const items = await pages("/memory_versions", { memory_id: of, view: "basic", limit: String(PAGE.basic) });
      return items.map((item) => parsed(place, parseVersion(item)));
    },
    async redact(version) {
      const answer = await send({ method: "POST", path: `/memory_versions/${version}/redact`, body: {} });
      if (answer.status === 404) return "missing";
      if (answer.status === 409 || answer.status === 400) return "refused";
      good(answer);
      return "redacted";
    },
  };
}

/** Sends, and waits as long as the server asks, within this run's patience. */
function sender({ url, store, key, patienceMs = PATIENCE_MS, wait = later, fetch }: MemoryStorePlace): Send {
  const server = { url, token: undefined, ...(fetch !== undefined && { fetch }) };
  const base = `/v1/memory_stores/${encodeURIComponent(store)}`;
  let left = patienceMs;
  return async (request) => {
    const headers = { ...HEADERS, "x-api-key": key };
    for (let waits = 0; ; waits++) {
      const answer = await ask(server, { ...request, path: base + request.path, headers });
      if (answer.outcome === "answered") return answer;
      const { retryAfterMs } = answer;
      if (retryAfterMs === undefined || retryAfterMs > left || waits >= MOST_WAITS) throw new Unanswered(answer);
      left -= retryAfterMs;
      await wait(retryAfterMs);
    }
  };
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function notWritten({ status, body }: Answered, sent: unknown): NotWritten | undefined {
  const { type, conflicting_path: path, details } = record(record(body)["error"]);
  if (status === 404) return { outcome: "missing" };
  if (status === 409)
    return type === "memory_path_conflict_error"
      ? { outcome: "path-conflict", path: typeof path === "string" ? path : "" }
      : { outcome: "changed" };
  const code = record(details)["error_code"];
  if ((status !== 400 && status !== 413) || code === "quota") return undefined;
  if (code === "secret") return { outcome: "refused", reason: "secret" };
  const { content } = record(sent);
  const isLarge = typeof content === "string" && Buffer.byteLength(content) > MEMORY_BYTES;
  return { outcome: "refused", reason: isLarge ? "size" : "key" };
}

/** Translates the service's errors for a person who syncs. */
function refused(place: MemoryStorePlace, answer: Answered): NoAnswer {
  const said = record(record(answer.body)["error"]);
  const message = typeof said["message"] === "string" ? said["message"] : answer.message;
  if (answer.status === 404)
    return { outcome: "not-found", message: `${place.url} has no store ${place.store}, or not for this key` };
  if (record(said["details"])["error_code"] === "quota")
    return { outcome: "denied", reason: "quota", message: `${place.url}: ${message}` };
  return refusalOf({ url: place.url, token: undefined }, { ...answer, message });
}

function unclear({ url }: MemoryStorePlace): NoAnswer {
  return { outcome: "offline", message: `${url} gave an answer that this memdir does not understand` };
}

function parsed<T>(place: MemoryStorePlace, value: T | undefined): T {
  if (value === undefined) throw new Unanswered(unclear(place));
  return value;
}

/** An API name used in an address; any other text could lead to a different address. */
const ID = /^[A-Za-z0-9_-]{1,128}$/u;

function parseMemory(value: unknown): Memory | undefined {
  const { id, path, content, content_sha256: hash, memory_version_id: version, updated_at: at } = record(value);
  if (typeof id !== "string" || !ID.test(id) || typeof path !== "string" || typeof hash !== "string") return undefined;
  if (typeof version !== "string" || !ID.test(version)) return undefined;
  return { id, path, version, hash, at: String(at), content: typeof content === "string" ? content : undefined };
}

function parseVersion(value: unknown): MemoryVersion | undefined {
  const { id, memory_id: memory, operation, content_sha256: hash, redacted_at: redacted } = record(value);
  if (typeof id !== "string" || !ID.test(id) || typeof memory !== "string") return undefined;
  return {
    id,
    memory,
    operation: String(operation),
    hash: typeof hash === "string" ? hash : undefined,
    isRedacted: typeof redacted === "string",
  };
}
