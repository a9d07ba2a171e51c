import type { IncomingMessage, ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";
import type { Conversation } from "../conversation.ts";
import { ERROR, errorMessage, type Incoming, type Outgoing, readMessage } from "../json-rpc.ts";
import { PROTOCOLS } from "../methods.ts";
import type { Offer } from "../offer.ts";
import { LOCAL_NAMES, type Refused, refuseForeign, refuseStranger } from "../../http/guard.ts";
import { isToken } from "../../http/token.ts";

/** The answer to one POST: a single JSON body if that is all, otherwise a stream of events. */
interface Reply {
  send(message: Outgoing): void;
  /** Call it when everything for the request was sent. */
  finish(): void;
}

/** A question to the user may take minutes; a line at this interval (ms) keeps proxies from closing the stream. */
const ALIVE_MS = 15_000;

function openReply(response: ServerResponse, headers: Readonly<Record<string, string>>, expected: number): Reply {
  let first: Outgoing | undefined;
  let alive: NodeJS.Timeout | undefined;
  const event = (message: Outgoing): void => {
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  };
  const stream = (): void => {
    response.writeHead(200, {
      ...headers,
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
    });
    alive = setInterval(() => response.write(": alive\n\n"), ALIVE_MS).unref();
    response.once("close", () => clearInterval(alive));
  };
  return {
    send(message) {
      if (alive !== undefined) return event(message);
      if (expected === 1 && first === undefined && !("method" in message)) {
        first = message;
        return;
      }
      stream();
      event(message);
    },
    finish() {
      clearInterval(alive);
      if (alive !== undefined) response.end();
      else if (first !== undefined) sendJson(response, 200, first, headers);
      // The request was cancelled, so there is no answer.
      else response.writeHead(202, headers).end();
    },
  };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { ...headers, "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
}

interface Session {
  readonly id: string;
  readonly conversation: Conversation;
}

/** Conversations by id, limited in number. A busy session is never ended to make room. */
interface Sessions {
  /** `undefined` if there is no room: the client retries after `RETRY_SECONDS`. */
  open(conversation: () => Conversation): Session | undefined;
  find(id: string): Session | undefined;
  end(id: string): boolean;
  endAll(): void;
}

/** Each session may hold an index and its lock open: some five files. */
const MOST_SESSIONS = 512;

/** A session that was idle for this long is ended if others need room (ms). */
const SPARE_MS = 10 * 60_000;

/** A session that was idle for this long is ended in any case (ms). */
const IDLE_MS = 60 * 60_000;

const RETRY_SECONDS = 30;

export function createSessions(now: () => number, most = MOST_SESSIONS): Sessions {
  const sessions = new Map<string, Session & { used: number }>();
  const end = (id: string): boolean => {
    sessions.get(id)?.conversation.close();
    return sessions.delete(id);
  };
  const idleLongerThan = (ms: number): readonly string[] =>
    [...sessions.values()]
      .filter(({ used, conversation }) => conversation.busy === 0 && now() - used > ms)
      .toSorted((one, other) => one.used - other.used)
      .map(({ id }) => id);
  const makeRoom = (): boolean => {
    for (const id of idleLongerThan(IDLE_MS)) end(id);
    if (sessions.size < most) return true;
    const [longest] = idleLongerThan(SPARE_MS);
    return longest !== undefined && end(longest);
  };
  return {
    open(conversation) {
      if (!makeRoom()) return undefined;
      const session = { id: randomUUID(), conversation: conversation(), used: now() };
      sessions.set(session.id, session);
      return session;
    },
    find(id) {
      const session = sessions.get(id);
      if (session !== undefined) session.used = now();
      return session;
    },
    end,
    endAll() {
      for (const id of sessions.keys()) end(id);
    },
  };
}

/** The offer for the project that a client names; `undefined` if the project is not allowed. */
export type OpenOffer = (project: string | undefined) => Offer | undefined;

export interface EndpointOptions {
  readonly openOffer: OpenOffer;
  readonly open: (offer: Offer) => Conversation;
  readonly token: string;
  readonly port: () => number;
  readonly mostSessions?: number;
}

export interface Endpoint {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): void;
}

const PATH = "/mcp";

const BASE = "http://127.0.0.1";

const MAX_BODY_BYTES = 4_000_000;

/** The protocol over HTTP: each client message is its own POST, answered by a body or a stream. */
export function createEndpoint({ openOffer, open, token, port, mostSessions }: EndpointOptions): Endpoint {
  const sessions = createSessions(() => performance.now(), mostSessions);

  const post = async (
    request: IncomingMessage,
    response: ServerResponse,
    project: string | undefined,
  ): Promise<void> => {
    const wrong = wrongHeaders(request);
    if (wrong !== undefined) return fail(response, wrong.status, wrong.message);
    const body = await readBody(request);
    if (body === undefined) return fail(response, 413, `a message has at most ${MAX_BODY_BYTES} bytes`);
    const messages = messagesIn(body);
    if (messages === undefined)
      return sendJson(response, 400, errorMessage(undefined, ERROR.parse, "the body is not JSON"));
    const session = sessionFor(sessions, headerOf(request, "mcp-session-id"), messages, () => {
      const offer = openOffer(project);
      return offer === undefined ? undefined : () => open(offer);
    });
    if ("status" in session) return fail(response, session.status, session.message, session.headers);
    const { conversation } = session;
    if (messages.length > 1 && (conversation.protocol ?? "") >= "2025-06-18")
      return fail(response, 400, "one message a request, since protocol 2025-06-18");
    const invalid = messages.find((message) => message.kind === "invalid");
    if (invalid !== undefined)
      return sendJson(response, 400, errorMessage(invalid.id, ERROR.invalidRequest, invalid.reason));
    const requests = messages.filter(({ kind }) => kind === "request").length;
    if (requests === 0) {
      for (const message of messages) await conversation.receive(message, () => undefined);
      response.writeHead(202).end();
      return;
    }
    const reply = openReply(response, { "mcp-session-id": session.id }, requests);
    await Promise.all(messages.map((message) => conversation.receive(message, (out) => reply.send(out))));
    reply.finish();
  };

  return {
    async handle(request, response) {
      // Checked before anything else in the request.
      const refused =
        refuseForeign(request, port(), LOCAL_NAMES) ?? refuseStranger(request, (given) => isToken(given, token));
      if (refused !== undefined) return fail(response, refused.status, refused.message, refused.headers);
      const target = request.url ?? "/";
      if (!URL.canParse(target, BASE)) return fail(response, 400, "the target of the request is not a URL");
      const { pathname, searchParams } = new URL(target, BASE);
      if (pathname !== PATH) return fail(response, 404, `the address is ${PATH}`);
      if (request.method === "POST") return post(request, response, searchParams.get("project") ?? undefined);
      if (request.method !== "DELETE")
        return fail(response, 405, "messages are sent with POST; there is no stream to listen to", {
          allow: "POST, DELETE",
        });
      if (sessions.end(headerOf(request, "mcp-session-id") ?? "")) response.writeHead(204).end();
      else fail(response, 404, "there is no such session");
    },
    close: () => sessions.endAll(),
  };
}

/** The session of a POST, opened by initialize; or the reason for refusing it. */
function sessionFor(
  sessions: Sessions,
  id: string | undefined,
  messages: readonly Incoming[],
  begin: () => (() => Conversation) | undefined,
): Session | Refused {
  if (id !== undefined)
    return sessions.find(id) ?? { status: 404, message: "there is no such session; begin with initialize" };
  const [only, ...others] = messages;
  if (only?.kind !== "request" || only.method !== "initialize" || others.length > 0)
    return { status: 400, message: "send the Mcp-Session-Id that initialize was answered with" };
  const conversation = begin();
  if (conversation === undefined)
    return { status: 403, message: "this project is not one of those that the server was started for" };
  return (
    sessions.open(conversation) ?? {
      status: 503,
      message: `all sessions are in use; try again in ${RETRY_SECONDS} seconds`,
      headers: { "retry-after": String(RETRY_SECONDS) },
    }
  );
}

function wrongHeaders(request: IncomingMessage): { readonly status: number; readonly message: string } | undefined {
  if (!/^application\/json\s*(?:;|$)/iu.test(request.headers["content-type"] ?? ""))
    return { status: 415, message: "send application/json" };
  const accepted = (request.headers.accept ?? "").toLowerCase();
  const takes = (type: string): boolean => accepted.includes(type) || accepted.includes("*/*");
  if (!takes("application/json") || !takes("text/event-stream"))
    return { status: 406, message: "accept application/json and text/event-stream" };
  const protocol = headerOf(request, "mcp-protocol-version");
  if (protocol !== undefined && !PROTOCOLS.some((one) => one === protocol))
    return {
      status: 400,
      message: `protocol ${protocol.slice(0, 40)} is not spoken here; ${PROTOCOLS.join(", ")} are`,
    };
  return undefined;
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

function messagesIn(body: string): readonly Incoming[] | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) && value.length > 0 ? value.map(readMessage) : [readMessage(value)];
  } catch {
    // Not JSON: the caller reports it.
    return undefined;
  }
}

/** `undefined` if it is too long; the rest is then not read. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > MAX_BODY_BYTES) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}

function fail(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendJson(response, status, errorMessage(undefined, ERROR.invalidRequest, message), {
    ...headers,
    ...(status === 413 && { connection: "close" }),
  });
}
