import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import { text as textOf } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listen, type Listening } from "../../../src/surfaces/mcp/http/serve.ts";
import { createSessions } from "../../../src/surfaces/mcp/http/endpoint.ts";
import { readToken } from "../../../src/surfaces/http/token.ts";
import { memoryOffer, TOOL_NAMES } from "../../../src/surfaces/mcp/memory-offer.ts";
import { openProjectMemory } from "../../../src/surfaces/mcp/project-memory.ts";
import { emptyHome } from "../../support/cli.ts";
import { scratch } from "../../support/scratch.ts";
import { callTool } from "./linked.ts";

const TOKEN = "a-token-for-tests-".repeat(2);
let root: string;
let server: Listening;

beforeEach(async () => {
  root = scratch();
  const open = (project: string | undefined) =>
    project === "forbidden"
      ? undefined
      : memoryOffer(openProjectMemory({ cwd: root, environment: emptyHome(root) }), TOOL_NAMES);
  server = await listen(open, { port: 0, token: TOKEN });
});

afterEach(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

const GOOD = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  authorization: `Bearer ${TOKEN}`,
};
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

/** A request with any headers, Host and Origin too. */
function ask(
  method: string,
  body: string | object | undefined,
  headers: Readonly<Record<string, string>> = {},
  path = "/mcp",
): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  return new Promise((done, fail) => {
    const request = http.request({ hostname, port, path, method, headers: { ...GOOD, ...headers } }, (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (chunk: string) => (text += chunk))
        .on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on("error", fail);
    request.end(typeof body === "object" ? JSON.stringify(body) : body);
  });
}

async function connect(): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { erase: true } }));
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    }),
  );
  return client;
}

describe("memory over HTTP", () => {
  it("serves several official clients at once on one store, and asks the person over the stream", async () => {
    const clients = await Promise.all([connect(), connect(), connect()]);
    await Promise.all(
      clients.map((client, index) =>
        callTool(client, "remember", {
          text: `Service number ${index} deploys on Tuesdays.`,
          name: `service ${index}`,
        }),
      ),
    );
    const [first] = clients;
    if (first === undefined) throw new Error("there is no client");
    expect((await callTool(first, "list")).fields).toMatchObject({ total: 3 });
    expect(await callTool(first, "forget", { note: "service 1", purge: true })).toMatchObject({
      isError: false,
      fields: { outcome: "purged" },
    });
    await Promise.all(clients.map((client) => client.close()));
  });

  it("answers no page of the web, no other host, and nobody without the token", async () => {
    const port = new URL(server.url).port;
    expect((await ask("POST", INITIALIZE, { host: "evil.example" })).status).toBe(403);
    expect((await ask("POST", INITIALIZE, { host: `127.0.0.1.evil.example:${port}` })).status).toBe(403);
    expect((await ask("POST", INITIALIZE, { origin: "https://evil.example" })).status).toBe(403);
    expect((await ask("POST", INITIALIZE, { origin: "null" })).status).toBe(403);
    for (const authorization of ["", "Bearer ", "Bearer wrong", `Basic ${TOKEN}`])
      expect(await ask("POST", INITIALIZE, { authorization })).toMatchObject({
        status: 401,
        headers: { "www-authenticate": expect.stringContaining("Bearer") },
      });
    expect(
      (await ask("POST", INITIALIZE, { origin: `http://localhost:${port}`, host: `localhost:${port}` })).status,
    ).toBe(200);
  });

  it("says what is wrong with a request", async () => {
    expect((await ask("GET", undefined)).status).toBe(405);
    expect((await ask("POST", INITIALIZE, {}, "/other")).status).toBe(404);
    expect((await ask("POST", INITIALIZE, { "content-type": "text/plain" })).status).toBe(415);
    expect((await ask("POST", INITIALIZE, { accept: "text/html" })).status).toBe(406);
    expect((await ask("POST", INITIALIZE, { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
    expect((await ask("POST", "{")).status).toBe(400);
    expect((await ask("POST", { ...INITIALIZE, jsonrpc: "1.0" })).status).toBe(400);
    expect((await ask("POST", { jsonrpc: "2.0", id: 1, method: "tools/list" })).status).toBe(400);
    expect(
      (await ask("POST", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-session-id": "nobody" })).status,
    ).toBe(404);
    expect((await ask("POST", "x".repeat(4_100_000)).catch(() => ({ status: 413 }))).status).toBe(413);
    expect((await ask("POST", INITIALIZE, {}, "/mcp?project=forbidden")).status).toBe(403);
  });

  it("keeps a session until it is deleted", async () => {
    const { headers } = await ask("POST", INITIALIZE);
    const session = { "mcp-session-id": String(headers["mcp-session-id"]) };
    expect((await ask("POST", { jsonrpc: "2.0", method: "notifications/initialized" }, session)).status).toBe(202);
    expect((await ask("POST", { jsonrpc: "2.0", id: 2, method: "tools/list" }, session)).status).toBe(200);
    expect((await ask("DELETE", undefined, session)).status).toBe(204);
    expect((await ask("POST", { jsonrpc: "2.0", id: 3, method: "tools/list" }, session)).status).toBe(404);
    expect((await ask("DELETE", undefined, session)).status).toBe(404);
  });

  it("keeps 200 sessions at once", async () => {
    const begun = await Promise.all(Array.from({ length: 200 }, () => ask("POST", INITIALIZE)));
    const ids = begun.map(({ headers }) => String(headers["mcp-session-id"]));
    expect(new Set(ids).size).toBe(200);
    const second = await Promise.all(
      ids.map((id) => ask("POST", { jsonrpc: "2.0", id: 2, method: "tools/list" }, { "mcp-session-id": id })),
    );
    expect(second.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it("ends no session in use for a new one, and says when to come again", async () => {
    await server.close();
    server = await listen(() => memoryOffer(openProjectMemory({ cwd: root, environment: emptyHome(root) }), []), {
      port: 0,
      token: TOKEN,
      mostSessions: 2,
    });
    const [first] = [await ask("POST", INITIALIZE), await ask("POST", INITIALIZE)];
    expect(await ask("POST", INITIALIZE)).toMatchObject({ status: 503, headers: { "retry-after": "30" } });
    const session = { "mcp-session-id": String(first.headers["mcp-session-id"]) };
    expect((await ask("POST", { jsonrpc: "2.0", id: 2, method: "tools/list" }, session)).status).toBe(200);
    await ask("DELETE", undefined, session);
    expect((await ask("POST", INITIALIZE)).status).toBe(200);
  });

  it("gives the place of a session that was idle for ten minutes to a new one, longest idle first, never a busy one's", () => {
    let minutes = 0;
    const closed: string[] = [];
    const sessions = createSessions(() => minutes * 60_000, 2);
    const conversation = (name: string, busy: number) => () => ({
      receive: async () => undefined,
      protocol: undefined,
      busy,
      close: () => void closed.push(name),
    });
    const first = sessions.open(conversation("first", 0));
    minutes = 1;
    sessions.open(conversation("second", 0));
    minutes = 9;
    sessions.find(first?.id ?? "");
    expect(sessions.open(conversation("third", 1))).toBeUndefined();
    minutes = 12;
    sessions.open(conversation("third", 1));
    expect(closed).toEqual(["second"]);
    minutes = 20;
    sessions.open(conversation("fourth", 1));
    expect(closed).toEqual(["second", "first"]);
    minutes = 1000;
    expect(sessions.open(conversation("fifth", 0))).toBeUndefined();
  });

  it("answers while hundreds of connections send nothing, and closes those", async () => {
    await server.close();
    server = await listen(() => memoryOffer(openProjectMemory({ cwd: root, environment: emptyHome(root) }), []), {
      port: 0,
      token: TOKEN,
      headersMs: 400,
    });
    const { port } = new URL(server.url);
    const idle = await Promise.all(Array.from({ length: 300 }, () => connected(Number(port))));
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask("POST", INITIALIZE)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    await Promise.all(idle.map((socket) => once(socket.resume(), "close")));
  });

  it("asks for the token before it looks at the target of a request", async () => {
    const { port } = new URL(server.url);
    const head = `Host: 127.0.0.1:${port}\r\nConnection: close\r\n`;
    const bad = "POST http://[ HTTP/1.1\r\n";
    expect(await spoken(Number(port), `${bad}${head}\r\n`)).toMatch(/^HTTP\/1\.1 401 /u);
    expect(await spoken(Number(port), `${bad}${head}Authorization: Bearer ${TOKEN}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /u,
    );
  });
});

function connected(port: number): Promise<net.Socket> {
  return new Promise((done, fail) => {
    const socket = net.connect(port, "127.0.0.1", () => done(socket));
    // Closed by the server while nothing was sent.
    socket.on("error", fail);
  });
}

/** What the server says to some bytes until it closes. */
async function spoken(port: number, bytes: string): Promise<string> {
  const socket = await connected(port);
  socket.write(bytes);
  return await textOf(socket);
}

describe("the token", () => {
  it("is made once, for its owner's eyes only", () => {
    const file = `${root}/new/mcp-token`;
    const made = readToken(file);
    expect(made).toMatchObject({ isNew: true, text: expect.stringMatching(/^[\w-]{43}$/u) });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(readToken(file)).toEqual({ isNew: false, text: made.text });
  });

  it("is refused when others can read it, or when it can be guessed", () => {
    const file = `${root}/token`;
    fs.writeFileSync(file, `${TOKEN}\n`);
    for (const bit of [0o040, 0o020, 0o010, 0o004, 0o002, 0o001]) {
      fs.chmodSync(file, 0o600 | bit);
      expect(() => readToken(file), bit.toString(8)).toThrow("can be read by others");
    }
    fs.writeFileSync(file, "short\n");
    fs.chmodSync(file, 0o600);
    expect(() => readToken(file)).toThrow("it needs 24");
  });
});
