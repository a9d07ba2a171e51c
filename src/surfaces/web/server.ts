import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { MemoryError } from "../../core/shared/errors.ts";
import { nameHidden } from "../../core/shared/hidden.ts";
import { refuseForeign, refuseStranger } from "../http/guard.ts";
import type { SessionAnswer } from "./api.ts";
import type { Asset } from "./assets.ts";
import { readFields, textIn, answerOf, RequestError } from "./body.ts";
import { SECURE_HEADERS, type PageSessions } from "./session.ts";
import type { Jobs } from "./jobs.ts";
import { type Answer, ROUTES } from "./routes.ts";
import type { Source } from "./source.ts";

export interface PageServerOptions {
  readonly source: Source;
  readonly sessions: PageSessions;
  readonly jobs: Jobs;
  readonly assets: (path: string) => Asset | undefined;
  readonly port: number;
  /** Called for each request from the page, and when a page joins. */
  readonly used: () => void;
}

export interface PageServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The only host name of the page; a second one would be a second origin. */
const NAME = "127.0.0.1";
const API = "/api/";
const HEADERS_MS = 8_000;
const REQUEST_MS = 60_000;
/** Shorter answers are not compressed (characters). */
const WORTH_PACKING = 2_000;
const pack = promisify(gzip);

/** Serves the page and its API on 127.0.0.1. @throws MemoryError if the port is unavailable. */
export async function servePage(options: PageServerOptions): Promise<PageServer> {
  const bound = { port: options.port };
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, (request, response) => {
    void answer(options, bound.port, request, response);
  });
  bound.port = await bind(server, options.port);
  return {
    port: bound.port,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

async function answer(
  options: PageServerOptions,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const began = performance.now();
  try {
    const { status, body } = await routed(options, port, request, response);
    await sendJson(request, response, { status, body }, began);
  } catch (error) {
    if (error === SENT) return;
    const known = answerOf(error);
    if (known === undefined)
      process.stderr.write(
        nameHidden(
          `memdir: a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
        ),
      );
    const headers = error instanceof RequestError ? error.headers : {};
    const body = known?.body ?? { error: { code: "bug", message: "this is a bug in memdir; nothing is lost" } };
    await sendJson(request, response, { status: known?.status ?? 500, body }, began, headers);
  }
}

/** Signals that an answer other than JSON was already sent. */
const SENT = new Error("sent");

async function routed(
  options: PageServerOptions,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> {
  const refused = refuseForeign(request, port, [NAME]);
  if (refused !== undefined) throw new RequestError(refused.status, "foreign", refused.message);
  const base = `http://${NAME}:${port}`;
  const target = request.url ?? "/";
  if (!target.startsWith("/") || !URL.canParse(target, base))
    throw new RequestError(400, "invalid-input", "the target of the request is not a path");
  // Paths are compared exactly as sent, without decoding or normalising.
  const [path = "/"] = target.split("?", 1);
  const query = new URL(target, base).searchParams;
  if (path.startsWith(API)) return api(options, request, path.slice(API.length), query);
  sendAsset(options, request, response, path);
  throw SENT;
}

/** Only the page's own scripts may use the API; requests without the browser's mark come from programs. */
function refuseOtherSite(request: IncomingMessage, isPage: boolean): void {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin") return;
  const isVisit = request.headers["sec-fetch-mode"] === "navigate" && request.headers["sec-fetch-dest"] === "document";
  if (isPage && request.method === "GET" && isVisit) return;
  throw new RequestError(403, "foreign", "requests of other pages are not answered");
}

async function api(
  { source, sessions, jobs, used }: PageServerOptions,
  request: IncomingMessage,
  name: string,
  query: URLSearchParams,
): Promise<Answer> {
  refuseOtherSite(request, false);
  if (name === "session" && request.method === "POST") {
    const token = sessions.exchange(textIn(await readFields(request), "code"));
    if (token === undefined)
      throw new RequestError(401, "session", "this link was used or is too old; run `memdir web` again");
    used();
    return { status: 200, body: { token } satisfies SessionAnswer };
  }
  const stranger = refuseStranger(request, (token) => sessions.isKnown(token));
  if (stranger !== undefined)
    throw new RequestError(401, "session", "this page has no session here; run `memdir web` again", stranger.headers);
  used();
  const { method } = request;
  const route = method === "GET" || method === "POST" ? ROUTES[method].get(name) : undefined;
  if (route === undefined) {
    const others = (["GET", "POST"] as const).filter((one) => ROUTES[one].has(name));
    if (others.length === 0) throw new RequestError(404, "not-found", `there is no /api/${name.slice(0, 80)}`);
    throw new RequestError(405, "method", `ask with ${others.join(" or ")}`, { allow: others.join(", ") });
  }
  const fields = method === "POST" ? await readFields(request) : {};
  return route({ reading: source.reading(), jobs, query, fields });
}

function sendAsset(
  { assets }: PageServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  refuseOtherSite(request, path === "/");
  if (request.method !== "GET" && request.method !== "HEAD")
    throw new RequestError(405, "method", "ask with GET", { allow: "GET, HEAD" });
  const asset = assets(path);
  if (asset === undefined) throw new RequestError(404, "not-found", "there is no such file");
  response.writeHead(200, {
    ...SECURE_HEADERS,
    "content-type": asset.type,
    "content-length": Buffer.byteLength(asset.body),
  });
  response.end(request.method === "HEAD" ? undefined : asset.body);
}

async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body }: Answer,
  began: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answered = performance.now();
  const text = JSON.stringify(body);
  const isPacked = text.length > WORTH_PACKING && /\bgzip\b/u.test(String(request.headers["accept-encoding"] ?? ""));
  const bytes = isPacked ? await pack(text, { level: 3 }) : Buffer.from(text);
  response.writeHead(status, {
    ...SECURE_HEADERS,
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": bytes.length,
    "server-timing": `app;dur=${(answered - began).toFixed(1)}, json;dur=${(performance.now() - answered).toFixed(1)}`,
    ...(isPacked && { "content-encoding": "gzip" }),
    // The unread rest of a body that is too large is not read.
    ...(status === 413 && { connection: "close" }),
  });
  response.end(bytes);
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", (error) =>
      fail(
        new MemoryError(
          "unavailable",
          `port ${port} cannot be used (${error.message}); give another with --port, or 0 for a free one`,
          { cause: error },
        ),
      ),
    );
    server.listen(port, NAME, () => {
      const address = server.address();
      done(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
