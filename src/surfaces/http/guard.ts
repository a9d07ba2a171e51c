import type { IncomingMessage } from "node:http";

export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** This machine's names for itself. */
export const LOCAL_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Refuses a request that comes neither from a program on this machine nor from the server's own page; `undefined` if it
 * may. A web page that makes a browser send requests here is recognised by its Origin, or by its own name in Host.
 */
export function refuseForeign(request: IncomingMessage, port: number, names: readonly string[]): Refused | undefined {
  const hosts = names.map((name) => `${name}:${port}`);
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host.toLowerCase()))
    return { status: 403, message: "the Host of the request is not this server" };
  if (origin !== undefined && !hosts.some((one) => origin.toLowerCase() === `http://${one}`))
    return { status: 403, message: "requests of web pages are not answered" };
  return undefined;
}

/** Refuses a request without the token, though it may come from here. */
export function refuseStranger(request: IncomingMessage, isKnown: (token: string) => boolean): Refused | undefined {
  const [, given] = /^Bearer +(\S+)$/iu.exec(request.headers.authorization ?? "") ?? [];
  if (given !== undefined && isKnown(given)) return undefined;
  return {
    status: 401,
    message: "send the token: Authorization: Bearer TOKEN",
    headers: { "www-authenticate": 'Bearer realm="memdir"' },
  };
}
