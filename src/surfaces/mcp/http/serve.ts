import { nameHidden } from "../../../core/shared/hidden.ts";
import { realpathSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { type Environment, locate } from "../../../app/workspace/locations.ts";
import { MemoryError } from "../../../core/shared/errors.ts";
import type { HttpChoice } from "../arguments.ts";
import { openConversation } from "../conversation.ts";
import { memoryOffer } from "../memory-offer.ts";
import type { Offer } from "../offer.ts";
import { isWithin, openProjectMemory } from "../project-memory.ts";
import { createEndpoint, type OpenOffer } from "./endpoint.ts";
import { readToken } from "../../http/token.ts";

export interface HttpServerOptions {
  readonly tools: readonly string[];
  readonly dir: string | undefined;
  readonly http: HttpChoice;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Listens on the loopback interface until the signal. @throws MemoryError for an unusable token, project or port. */
export async function serveHttp({ tools, dir, http, environment, signal }: HttpServerOptions): Promise<void> {
  const { memdirHome, cwd } = locate({ environment, ...(dir !== undefined && { dir }) });
  const file = resolve(http.tokenFile ?? join(memdirHome, "mcp-token"));
  const token = readToken(file);
  const projects = http.projects.length === 0 ? [cwd] : http.projects.map(realDirectory);
  const openOffer = (project: string | undefined): Offer | undefined => {
    const wanted = project === undefined ? projects[0] : projectIn(project, projects);
    return wanted === undefined
      ? undefined
      : memoryOffer(openProjectMemory({ environment, cwd: wanted, ...(dir !== undefined && { dir }) }), tools);
  };
  const listening = await listen(openOffer, { port: http.port, token: token.text });
  process.stderr.write(`memdir listens on ${listening.url} for clients that send the token in ${file}\n`);
  if (token.isNew) process.stderr.write(`The token, shown this once: ${token.text}\n`);
  await new Promise<void>((done) =>
    signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true }),
  );
  await listening.close();
}

export interface ListenOptions {
  readonly port: number;
  readonly token: string;
  readonly mostSessions?: number;
  /** How long a connection may take to send its headers (ms). */
  readonly headersMs?: number;
}

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Silent connections are closed after this (ms), long before they could block others. */
const HEADERS_MS = 8_000;
const REQUEST_MS = 60_000;
const MOST_CONNECTIONS = 2_048;

/** Serves one kind of offer on 127.0.0.1. @throws MemoryError if the port is unavailable. */
export async function listen(
  openOffer: OpenOffer,
  { port, token, mostSessions, headersMs = HEADERS_MS }: ListenOptions,
): Promise<Listening> {
  const bound = { port };
  const endpoint = createEndpoint({
    openOffer,
    token,
    port: () => bound.port,
    open: (offer) => openConversation(offer),
    ...(mostSessions !== undefined && { mostSessions }),
  });
  const server = createServer(
    { headersTimeout: headersMs, requestTimeout: REQUEST_MS, connectionsCheckingInterval: headersMs / 4 },
    (request, response) => void answer(endpoint.handle, request, response),
  );
  server.maxConnections = MOST_CONNECTIONS;
  bound.port = await bind(server, port);
  return {
    url: `http://127.0.0.1:${bound.port}/mcp`,
    async close() {
      endpoint.close();
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

async function answer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await handle(request, response);
  } catch (error) {
    process.stderr.write(
      nameHidden(`memdir: a request failed: ${error instanceof Error ? error.message : String(error)}\n`),
    );
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
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
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      done(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function realDirectory(directory: string): string {
  try {
    return realpathSync(directory);
  } catch (error) {
    throw new MemoryError("invalid-input", `--project ${directory} is not there`, { cause: error });
  }
}

/** The directory named by a client, with links resolved, if it is in one of those allowed at the start. */
function projectIn(project: string, allowed: readonly string[]): string | undefined {
  try {
    const real = realpathSync(project);
    return allowed.some((directory) => isWithin(real, directory)) ? real : undefined;
  } catch {
    // Missing: the same answer as for one that is not allowed, so as not to reveal which it was.
    return undefined;
  }
}
