import type { IncomingMessage } from "node:http";

export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The names of this machine for itself. */
export const LOCAL_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Why a request does not come from a program of this machine, or from the server's own page; `undefined` when it may.
 * A page on the web that makes a browser ask here names itself in Origin, or its own name in Host.
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

/** Why a request is not answered though it may come from here: it does not know the token. */
export function refuseStranger(request: IncomingMessage, isKnown: (token: string) => boolean): Refused | undefined {
  const [, given] = /^Bearer +(\S+)$/iu.exec(request.headers.authorization ?? "") ?? [];
  if (given !== undefined && isKnown(given)) return undefined;
  return {
    status: 401,
    message: "send the token: Authorization: Bearer TOKEN",
    headers: { "www-authenticate": 'Bearer realm="memdir"' },
  };
}
