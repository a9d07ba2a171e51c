import http from "node:http";
import { expect, test } from "vitest";
import { httpTransport } from "../../../src/adapters/http-sync/transport.ts";
import { START, type Transport } from "../../../src/core/sync/transport.ts";
import { describeTransport } from "../../contracts/transport.ts";
import { spaceTransport } from "../../support/sync-replica.ts";
import { startSpaceServer, type SpaceServer } from "../../support/sync-server.ts";
import { openSpace } from "../../support/sync-space.ts";

function transportTo({ url, token }: SpaceServer): Transport {
  return httpTransport({ url: `${url}/`, space: "s", token, timeoutMs: 20_000 });
}

describeTransport("HTTP", async () => {
  const server = await startSpaceServer();
  return { connect: () => transportTo(server), backup: () => server.space("s").backup() };
});

describeTransport("the model of a space", () => {
  const space = openSpace();
  return { connect: () => spaceTransport(space), backup: () => space.backup() };
});

const NOTE = { key: "a.md", lineage: "0".repeat(24), base: "", state: "live", body: "one\n" } as const;
const FIRST = { cursor: START, tops: [], limit: 10 } as const;

test.each([
  [401, { outcome: "denied", reason: "login" }],
  [402, { outcome: "denied", reason: "payment" }],
  [403, { outcome: "denied", reason: "role" }],
  [404, { outcome: "not-found" }],
  [409, { outcome: "history-changed" }],
  [410, { outcome: "compacted" }],
  [429, { outcome: "offline", retryAfterMs: 7_000 }],
  [500, { outcome: "offline" }],
  [503, { outcome: "offline", retryAfterMs: 7_000 }],
])("status %i of a pull has its meaning", async (status, expected) => {
  const server = await startSpaceServer();
  server.answerWith(status, status === 429 || status === 503 ? { "retry-after": "7" } : {});
  expect(await transportTo(server).pull(FIRST)).toMatchObject(expected);
});

test.each([
  "http://192.168.1.20:8787",
  "http://memory.example.org",
  "http://localhost.example.org",
  "http://127.0.0.1@x.y",
])("nothing goes to %s, where others could read the token on its way", async (url) => {
  let asked = 0;
  const fetch = (): Promise<never> => Promise.reject(new Error(`asked ${++asked}`));
  const transport = httpTransport({ url, space: "s", token: "mdt_secret", fetch });
  await expect(transport.pull(FIRST)).rejects.toMatchObject({ code: "refused" });
  await expect(transport.push("p", [NOTE])).rejects.toMatchObject({ code: "refused" });
  expect(asked).toBe(0);
});

test.each(["https://memory.example.org", "http://localhost:8787/", "http://[::1]:8787", "http://127.3.2.1"])(
  "%s is asked",
  async (url) => {
    let asked = 0;
    const fetch = (): Promise<never> => Promise.reject(new Error(`asked ${++asked}`));
    await httpTransport({ url, space: "s", token: "t", fetch }).pull(FIRST);
    expect(asked).toBeGreaterThan(0);
  },
);

test("a push whose answer is cut comes twice, is done once, and the same id is answered with what was done", async () => {
  const server = await startSpaceServer();
  const transport = transportTo(server);
  server.cutAfterPush();
  expect((await transport.push("p1", [NOTE])).outcome).toBe("pushed");
  expect(await transport.push("p1", [NOTE])).toMatchObject({
    outcome: "pushed",
    outcomes: [{ outcome: "done", key: "a.md", revision: "1" }],
  });
});

test("a server that is not there, one that is silent, and one that answers with a web page are offline", async () => {
  const nowhere = httpTransport({ url: "http://127.0.0.1:9", space: "s", token: "t" });
  expect((await nowhere.pull(FIRST)).outcome).toBe("offline");
  const silent: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    });
  const page: typeof fetch = async () => new Response("<html>sign in</html>", { status: 200 });
  const half: typeof fetch = async () => new Response(JSON.stringify({ head: 3, next: 3 }), { status: 200 });
  for (const fetch of [silent, page, half]) {
    const transport = httpTransport({ url: "http://127.0.0.1:9", space: "s", token: "t", timeoutMs: 50, fetch });
    expect((await transport.pull(FIRST)).outcome).toBe("offline");
  }
});

test("the token goes to the server and to no address that it points at", async () => {
  const server = await startSpaceServer();
  const seen: (RequestInit | undefined)[] = [];
  const spy: typeof fetch = (address, init) => {
    seen.push(init);
    return fetch(address, init);
  };
  await httpTransport({ url: server.url, space: "s", token: server.token, fetch: spy }).pull(FIRST);
  expect(new Headers(seen[0]?.headers).get("authorization")).toBe(`Bearer ${server.token}`);
  expect(seen[0]?.redirect).toBe("error");
  server.answerWith(302, { location: "http://127.0.0.1:9/" });
  expect((await transportTo(server).pull(FIRST)).outcome).toBe("offline");
});

test("a connection that a server closes while it is used again is no failure, and one that always breaks is offline", async () => {
  let requests = 0;
  let isBroken = (request: number): boolean => request === 2;
  const server = http.createServer((request, response) => {
    requests += 1;
    if (isBroken(requests)) request.socket.destroy();
    else response.end(JSON.stringify({ head: 0, headMark: "", next: 0, mark: "", changes: [] }));
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const transport = httpTransport({ url: `http://127.0.0.1:${port}`, space: "s", token: "t" });
  try {
    for (const asked of [1, 3]) {
      expect((await transport.pull(FIRST)).outcome).toBe("page");
      expect(requests).toBe(asked);
    }
    isBroken = () => true;
    expect((await transport.pull(FIRST)).outcome).toBe("offline");
    expect(requests).toBe(5);
  } finally {
    server.close();
  }
});
