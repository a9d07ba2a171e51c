import http from "node:http";
import type { AddressInfo } from "node:net";
import type { WireMarks, WirePush } from "../../src/core/sync/protocol.ts";
import { afterEveryTest } from "./after-every-test.ts";
import { openSpace, type SyncSpace } from "./sync-space.ts";

/** A server of spaces on loopback, in memory, that implements the protocol. */
export interface SpaceServer {
  readonly url: string;
  readonly token: string;
  space(id: string): SyncSpace;
  /** All request bodies received, as one text. */
  received(): string;
  /** Answers the next requests with this status and these headers instead; `undefined` stops that. */
  answerWith(status: number | undefined, headers?: Readonly<Record<string, string>>): void;
  /** Executes the next push and cuts the connection before the answer. */
  cutAfterPush(): void;
}

const open = new Set<http.Server>();
afterEveryTest(async () => {
  for (const server of open) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  open.clear();
});

export async function startSpaceServer(token = "mdt_test"): Promise<SpaceServer> {
  const spaces = new Map<string, SyncSpace>();
  const names = new Map<string, string>();
  const bodies: string[] = [];
  let forced: { status: number; headers: Readonly<Record<string, string>> } | undefined;
  let isCut = false;
  const space = (id: string): SyncSpace => {
    const found = spaces.get(id) ?? openSpace();
    spaces.set(id, found);
    return found;
  };
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString();
      bodies.push(`${request.url ?? ""}\n${text}`);
      const send = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
        response.writeHead(status, { "content-type": "application/json", ...headers });
        response.end(JSON.stringify(body));
      };
      if (forced !== undefined) return send(forced.status, { error: "forced", message: "as asked" }, forced.headers);
      if (request.headers.authorization !== `Bearer ${token}`)
        return send(401, { error: "unauthorized", message: "no" });
      const url = new URL(request.url ?? "", "http://127.0.0.1");
      const asked = { method: request.method ?? "", url, text, id: String(request.headers["idempotency-key"]) };
      const [status, body] = routed(asked, space, names);
      if (!isCut || request.method !== "POST") return send(status, body);
      isCut = false;
      return void request.socket.destroy();
    });
  });
  open.add(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    token,
    space,
    received: () => bodies.join("\n"),
    answerWith(status, headers = {}) {
      forced = status === undefined ? undefined : { status, headers };
    },
    cutAfterPush() {
      isCut = true;
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly text: string;
  readonly id: string;
}

function routed(
  { method, url, text, id }: Asked,
  space: (id: string) => SyncSpace,
  names: Map<string, string>,
): readonly [number, unknown] {
  const number = (name: string): number => Number(url.searchParams.get(name) ?? 0);
  if (url.pathname === "/v1/spaces") {
    if (method === "GET")
      return [200, { spaces: [...names].map(([name, spaceId]) => ({ ...JSON.parse(name), id: spaceId })) }];
    const { kind, name, sealed } = JSON.parse(text);
    names.set(JSON.stringify({ kind, name, sealed }), `s${names.size}`);
    return [201, { id: `s${names.size - 1}`, kind, name, sealed }];
  }
  const [, found, what, key = ""] =
    /^\/v1\/spaces\/([^/]+)\/(changes|common|entries)(?:\/([^/]+))?$/u.exec(url.pathname) ?? [];
  if (found === undefined) return [404, { error: "not-found", message: "nothing there" }];
  if (what === "entries") {
    const entry = space(found).read(decodeURIComponent(key));
    return entry === undefined ? [404, { error: "not-found", message: "no such note" }] : [200, entry];
  }
  if (what === "common") {
    const { marks }: WireMarks = JSON.parse(text);
    return [200, { seq: space(found).common(marks) }];
  }
  if (method === "POST") {
    const push: WirePush = JSON.parse(text);
    return [200, space(found).push(id, push)];
  }
  const top = url.searchParams.has("top")
    ? { seq: number("top"), mark: url.searchParams.get("topMark") ?? "" }
    : undefined;
  const answer = space(found).pull(number("cursor"), url.searchParams.get("mark") ?? "", top, number("limit"));
  return answer.status === 200 ? [200, answer.page] : [409, { error: answer.error, message: "restored" }];
}
