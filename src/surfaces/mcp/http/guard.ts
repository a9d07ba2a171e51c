import type { IncomingMessage } from "node:http";
import { isToken } from "./token.ts";

export interface Refused {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LOCAL = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Why a request is not answered; `undefined` when it may be. A page on the web that makes a browser ask here names
 * itself in Origin, or its own name in Host; who is on this machine knows the token.
 */
export function refuse(request: IncomingMessage, port: number, token: string): Refused | undefined {
  const hosts = LOCAL.map((name) => `${name}:${port}`);
  const { host, origin, authorization } = request.headers;
  if (host === undefined || !hosts.includes(host.toLowerCase())) return { status: 403, message: "the Host of the request is not this server" };
  if (origin !== undefined && !hosts.some((one) => origin.toLowerCase() === `http://${one}`)) return { status: 403, message: "requests of web pages are not answered" };
  const [, given] = /^Bearer +(\S+)$/iu.exec(authorization ?? "") ?? [];
  if (given === undefined || !isToken(given, token)) return { status: 401, message: "send the token: Authorization: Bearer TOKEN", headers: { "www-authenticate": 'Bearer realm="memdir"' } };
  return undefined;
}
