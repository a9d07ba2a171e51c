import { createServer } from "node:https";
import { createServer as createNetServer, type AddressInfo } from "node:net";
import { serve, type HttpBindings, type ServerType } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { codeOf, MemoryError } from "../../core/shared/errors.ts";
import { isRecord } from "../../core/shared/json.ts";
import type { Env, Tls } from "./options.ts";

export interface Listening {
  readonly url: string;
  /** Takes no new requests, waits for those under way, and cuts what is still open after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: Tls | undefined;
}

const KEEP_ALIVE_MS = 30_000;

/** Starts to listen. @throws MemoryError where the address cannot be had. */
export async function listen(app: Hono<Env>, options: ListenOptions): Promise<Listening> {
  const { host, port, tls } = options;
  const secure = tls === undefined ? {} : { createServer, serverOptions: tls };
  const { server, address } = await new Promise<{ server: ServerType; address: AddressInfo }>((resolve, reject) => {
    const started = serve({ fetch: app.fetch, hostname: host, port, ...secure }, (info) =>
      resolve({ server: started, address: info }),
    );
    started.once("error", (error) => reject(unheard(error, options)));
    // A busy device takes its time between two requests of one run.
    if ("keepAliveTimeout" in started) started.keepAliveTimeout = KEEP_ALIVE_MS;
  });
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shownHost}:${address.port}`,
    stop: (graceMs) => stop(server, graceMs),
  };
}

/** Whether the address can be had, asked before anything is made that only a server which listens is for. @throws MemoryError */
export async function checkAddressIsFree({ host, port }: ListenOptions): Promise<void> {
  const probe = createNetServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", (error) => reject(unheard(error, { host, port })));
      probe.listen({ host, port }, resolve);
    });
  } finally {
    probe.close();
  }
}

function unheard(error: Error, { host, port }: ListenOptions): Error {
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return new MemoryError("unavailable", `Another program listens on ${host}, port ${port}. Choose another --port.`);
    case "EACCES":
      return new MemoryError("permission", `This user may not listen on port ${port}. Choose another --port.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new MemoryError("invalid-input", `This machine has no address ${host}. Choose another --host.`);
    default:
      return error;
  }
}

function stop(server: ServerType, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      if ("closeAllConnections" in server) server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    if ("closeIdleConnections" in server) server.closeIdleConnections();
  });
}

/** The other end of the connection. */
export function addressOf(context: Context): string {
  const bindings: unknown = context.env;
  return isRecord(bindings) && isBound(bindings) ? (bindings.incoming.socket.remoteAddress ?? "") : "";
}

function isBound(bindings: object): bindings is HttpBindings {
  return "incoming" in bindings;
}
