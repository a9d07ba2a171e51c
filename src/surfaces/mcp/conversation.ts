import { answerRequest, type Negotiated, negotiate } from "./methods.ts";
import {
  ERROR,
  errorMessage,
  type Incoming,
  type JsonObject,
  notificationMessage,
  objectOf,
  type Outgoing,
  type RequestId,
  resultMessage,
  RpcError,
  textOf,
  requestMessage,
} from "./json-rpc.ts";
import type { Call, ClientFacts, Offer } from "./offer.ts";

/** Requests from the server to its client, and their answers. */
export interface Asking {
  /** @throws RpcError if the client refuses, after the timeout, and when the signal fires. */
  request(send: (message: Outgoing) => void, asked: Asked): Promise<JsonObject>;
  take(answer: Extract<Incoming, { kind: "answer" }>): void;
  /** Rejects everything that is still waiting. */
  close(): void;
}

export interface Asked {
  readonly method: string;
  readonly params: JsonObject;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

interface Waiting {
  resolve(result: JsonObject): void;
  reject(reason: string): void;
}

function createAsking(): Asking {
  const waiting = new Map<RequestId, Waiting>();
  let count = 0;
  return {
    request(send, { method, params, timeoutMs, signal }) {
      const id = `memdir-${++count}`;
      return new Promise<JsonObject>((resolve, reject) => {
        const timer = setTimeout(() => give(`the client did not answer ${method} within ${timeoutMs} ms`), timeoutMs);
        const onAbort = (): void => give(`${method} was cancelled`);
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
          waiting.delete(id);
        };
        const give = (reason: string): void => {
          settle();
          reject(new RpcError(ERROR.internal, reason));
        };
        const take = (result: JsonObject): void => {
          settle();
          resolve(result);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        waiting.set(id, { resolve: take, reject: give });
        send(requestMessage(id, method, params));
      });
    },
    take({ id, result, error }) {
      if (result === undefined) waiting.get(id)?.reject(error ?? "the client gave no reason");
      else waiting.get(id)?.resolve(result);
    },
    close() {
      for (const { reject } of waiting.values()) reject("the conversation ended");
    },
  };
}

/** Sends messages that belong to one incoming message. */
export type Send = (message: Outgoing) => void;

/** One client's conversation with one offer, over any transport. */
export interface Conversation {
  /** Takes one message; resolves when all its answers were sent. Never rejects. */
  receive(message: Incoming, send: Send): Promise<void>;
  /** `undefined` before initialize. */
  readonly protocol: string | undefined;
  /** The number of requests in progress. */
  readonly busy: number;
  /** Cancels requests in progress and closes the offer. */
  close(): void;
}

export interface ConversationOptions {
  /** Set if requests can be sent to the client outside of its own requests (stdio). */
  readonly send?: Send;
  /** The maximum number of concurrent requests; further ones are refused. */
  readonly maxRequests?: number;
}

interface Request {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly send: Send;
  /** Must settle first; never rejects. */
  readonly before: Promise<void> | undefined;
}

const MAX_REQUESTS = 64;
/** Methods that read or change notes: each starts when the previous one has ended. */
const IN_ORDER: ReadonlySet<string> = new Set([
  "tools/call",
  "resources/list",
  "resources/read",
  "prompts/get",
  "completion/complete",
]);
const ROOTS_TIMEOUT_MS = 2000;

export function openConversation(offer: Offer, options: ConversationOptions = {}): Conversation {
  const asking = createAsking();
  const state: State = { underWay: new Map(), negotiated: undefined, rootsComing: undefined };
  const inOrder = createOrder();
  const notified = (method: string, params: JsonObject): void => {
    if (method === "notifications/cancelled") return cancel(state, params["requestId"]);
    const asksRoots = method === "notifications/initialized" || method === "notifications/roots/list_changed";
    if (
      asksRoots &&
      state.negotiated?.client.hasRoots === true &&
      offer.rootsKnown !== undefined &&
      options.send !== undefined
    )
      state.rootsComing = askRoots(asking, offer, options.send);
  };
  const maxRequests = options.maxRequests ?? MAX_REQUESTS;
  return {
    async receive(message, send) {
      if (message.kind === "request")
        return inOrder(message.method, (before) =>
          answer({ offer, asking, state, maxRequests }, { ...message, send, before }),
        );
      if (message.kind === "notification") return notified(message.method, message.params);
      if (message.kind === "invalid")
        return send(
          errorMessage(message.id, message.isJson === false ? ERROR.parse : ERROR.invalidRequest, message.reason),
        );
      asking.take(message);
    },
    get protocol() {
      return state.negotiated?.protocol;
    },
    get busy() {
      return state.underWay.size;
    },
    close() {
      for (const control of state.underWay.values()) control.abort();
      asking.close();
      offer.close();
    },
  };
}

interface State {
  readonly underWay: Map<RequestId, AbortController>;
  negotiated: Negotiated | undefined;
  /** Settled once the client has sent its roots, which may change the project. */
  rootsComing: Promise<void> | undefined;
}

interface Answering {
  readonly offer: Offer;
  readonly asking: Asking;
  readonly state: State;
  readonly maxRequests: number;
}

function cancel({ underWay }: State, id: unknown): void {
  if (typeof id === "string" || typeof id === "number") underWay.get(id)?.abort();
}

async function answer({ offer, asking, state, maxRequests }: Answering, request: Request): Promise<void> {
  const { id, method, params, send, before } = request;
  const { underWay } = state;
  if (underWay.size >= maxRequests)
    return send(
      errorMessage(id, ERROR.internal, `${underWay.size} requests are under way already; wait for one of them`),
    );
  const control = new AbortController();
  underWay.set(id, control);
  const { signal } = control;
  try {
    if (method === "initialize") state.negotiated = negotiate(params);
    if (method !== "ping" && state.negotiated === undefined) throw notYet(method);
    if (method !== "ping") await Promise.all([state.rootsComing, before]);
    if (signal.aborted) return;
    const client = state.negotiated?.client ?? NOBODY;
    const call = callOf({ client, signal, params, send, asking });
    const result = await answerRequest(offer, method, params, call, state.negotiated);
    // A cancelled request gets no answer.
    if (!signal.aborted) send(resultMessage(id, result));
  } catch (error) {
    if (!signal.aborted) send(messageOf(id, error));
  } finally {
    underWay.delete(id);
  }
}

function messageOf(id: RequestId, error: unknown): Outgoing {
  if (error instanceof RpcError) return errorMessage(id, error.code, error.message);
  const reason = error instanceof Error ? error.message : String(error);
  return errorMessage(id, ERROR.internal, `a bug in memdir: ${reason}`);
}

/** Runs a request's work, and tells it what to wait for. */
function createOrder(): (method: string, work: (before: Promise<void> | undefined) => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (method, work) => {
    if (!IN_ORDER.has(method)) return work(undefined);
    const done = work(last);
    // A refused request ends before its turn; those it waited for continue.
    last = Promise.all([last, done]).then(() => undefined);
    return done;
  };
}

async function askRoots(asking: Asking, offer: Offer, send: Send): Promise<void> {
  try {
    const { roots } = await asking.request(send, { method: "roots/list", params: {}, timeoutMs: ROOTS_TIMEOUT_MS });
    offer.rootsKnown?.(Array.isArray(roots) ? roots.flatMap((root) => textOf(objectOf(root)["uri"]) ?? []) : []);
  } catch (error) {
    // The client has no roots: the directory it started memdir in stays.
    if (!(error instanceof RpcError)) throw error;
  }
}

const NOBODY: ClientFacts = { name: "", canElicit: false, canSample: false, hasRoots: false };

/** A probe of an unsupported protocol gets the answer that makes a client fall back to `initialize`. */
function notYet(method: string): RpcError {
  return method.startsWith("server/")
    ? new RpcError(ERROR.methodNotFound, `there is no method ${method}`)
    : new RpcError(ERROR.invalidRequest, `${method} came before initialize`);
}

interface CallParts {
  readonly client: ClientFacts;
  readonly signal: AbortSignal;
  readonly params: JsonObject;
  readonly send: Send;
  readonly asking: Asking;
}

function callOf({ client, signal, params, send, asking }: CallParts): Call {
  const meta = objectOf(params["_meta"]);
  const token = meta["progressToken"];
  const notify = (method: string, values: JsonObject): void => {
    if (!signal.aborted) send(notificationMessage(method, values));
  };
  return {
    client,
    meta,
    signal,
    notify,
    request: (method, asks, timeoutMs) => asking.request(send, { method, params: asks, timeoutMs, signal }),
    progress(progress, total, message) {
      if (typeof token === "string" || typeof token === "number")
        notify("notifications/progress", {
          progressToken: token,
          progress,
          total,
          ...(message !== undefined && { message }),
        });
    },
  };
}
