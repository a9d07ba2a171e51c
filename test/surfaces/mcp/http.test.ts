import fs from "node:fs";
import http from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listen, type Listening } from "../../../src/surfaces/mcp/http/serve.ts";
import { createSessions } from "../../../src/surfaces/mcp/http/sessions.ts";
import { readToken } from "../../../src/surfaces/mcp/http/token.ts";
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
  const open = (project: string | undefined) => (project === "forbidden" ? undefined : memoryOffer(openProjectMemory({ cwd: root, environment: emptyHome(root) }), TOOL_NAMES));
  server = await listen(open, { port: 0, token: TOKEN });
});

afterEach(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

const GOOD = { "content-type": "application/json", accept: "application/json, text/event-stream", authorization: `Bearer ${TOKEN}` };
const INITIALIZE = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } } };

/** A request with any headers, Host and Origin too. */
function ask(method: string, body: string | object | undefined, headers: Readonly<Record<string, string>> = {}, path = "/mcp"): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  return new Promise((done, fail) => {
    const request = http.request({ hostname, port, path, method, headers: { ...GOOD, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on("error", fail);
    request.end(typeof body === "object" ? JSON.stringify(body) : body);
  });
}

async function connect(): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { erase: true } }));
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } }));
  return client;
}

describe("memory over HTTP", () => {
  it("serves several official clients at once on one store, and asks the person over the stream", async () => {
    const clients = await Promise.all([connect(), connect(), connect()]);
    await Promise.all(clients.map((client, index) => callTool(client, "remember", { text: `Service number ${index} deploys on Tuesdays.`, name: `service ${index}` })));
    const [first] = clients;
    if (first === undefined) throw new Error("there is no client");
    expect((await callTool(first, "list")).fields).toMatchObject({ total: 3 });
    expect(await callTool(first, "forget", { note: "service 1", purge: true })).toMatchObject({ isError: false, fields: { outcome: "purged" } });
    await Promise.all(clients.map((client) => client.close()));
  });

  it("answers no page of the web, no other host, and nobody without the token", async () => {
    const port = new URL(server.url).port;
    expect((await ask("POST", INITIALIZE, { host: "evil.example" })).status).toBe(403);
    expect((await ask("POST", INITIALIZE, { host: `127.0.0.1.evil.example:${port}` })).status).toBe(403);
    expect((await ask("POST", INITIALIZE, { origin: "https://evil.example" })).status).toBe(403);
    expect((await ask("POST", INITIALIZE, { origin: "null" })).status).toBe(403);
    for (const authorization of ["", "Bearer ", "Bearer wrong", `Basic ${TOKEN}`]) expect(await ask("POST", INITIALIZE, { authorization })).toMatchObject({ status: 401, headers: { "www-authenticate": expect.stringContaining("Bearer") } });
    expect((await ask("POST", INITIALIZE, { origin: `http://localhost:${port}`, host: `localhost:${port}` })).status).toBe(200);
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
    expect((await ask("POST", { jsonrpc: "2.0", id: 1, method: "tools/list" }, { "mcp-session-id": "nobody" })).status).toBe(404);
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

  it("makes room for a new session by ending the one that was idle longest, and never a busy one", () => {
    let time = 0;
    const closed: string[] = [];
    const sessions = createSessions(() => time++, 2);
    const conversation = (name: string, busy: number) => () => ({ receive: async () => undefined, protocol: undefined, busy, close: () => void closed.push(name) });
    const first = sessions.open(conversation("first", 0));
    sessions.open(conversation("second", 0));
    sessions.find(first?.id ?? "");
    sessions.open(conversation("third", 1));
    expect(closed).toEqual(["second"]);
    sessions.open(conversation("fourth", 1));
    expect(closed).toEqual(["second", "first"]);
    expect(sessions.open(conversation("fifth", 0))).toBeUndefined();
  });
});

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
    fs.writeFileSync(file, `${TOKEN}\n`, { mode: 0o644 });
    expect(() => readToken(file)).toThrow("can be read by others");
    fs.writeFileSync(file, "short\n");
    fs.chmodSync(file, 0o600);
    expect(() => readToken(file)).toThrow("it needs 24");
  });
});
