import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEveryTest } from "./after-every-test.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  /** Resolves when either side closes the connection. */
  readonly closed: Promise<void>;
}

export interface FakeProvider {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

export type Respond = (response: http.ServerResponse, attempt: number) => void;

const servers: http.Server[] = [];

/** A provider on loopback for one test. `respond` answers each request; attempts count from 1. */
export async function fakeProvider(respond: Respond): Promise<FakeProvider> {
  const requests: SeenRequest[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      const closed = new Promise<void>((resolve) => response.on("close", resolve));
      requests.push({
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body: text === "" ? undefined : JSON.parse(text),
        closed,
      });
      respond(response, requests.length);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${portOf(server)}`, requests };
}

function portOf(server: http.Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  return address.port;
}

/** Answers with JSON. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Respond {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(value));
  };
}

afterEveryTest(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
