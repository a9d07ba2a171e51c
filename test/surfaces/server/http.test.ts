import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openServer, type OpenServer } from "../../../src/app/server/open-server.ts";
import { ratesOf, USUAL_RATES } from "../../../src/app/server/access.ts";
import { record } from "../../../src/core/shared/json.ts";
import { createApp } from "../../../src/surfaces/server/app.ts";
import { A_SECRET } from "../../support/planted-secrets.ts";
import { giveCluster } from "../../support/embedded-cluster.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";

type Who = "admin" | "writer" | "reader" | "stranger" | "nobody";
const ROLES: readonly Who[] = ["admin", "writer", "reader", "stranger", "nobody"];

let open: OpenServer;
let app: ReturnType<typeof createApp>;
let space = "";
const tokens = new Map<Who, string>();
const log: string[] = [];
let clockMs = 0;
let made = 0;

async function request(who: Who, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const token = tokens.get(who);
  return app.request(path.replace("SPACE", space), {
    method,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

function appWith(rates = USUAL_RATES): ReturnType<typeof createApp> {
  return createApp({
    server: open.server,
    rates: ratesOf(rates, { now: () => clockMs }),
    log: (line) => log.push(JSON.stringify(line)),
    now: () => clockMs,
    addressOf: () => "192.0.2.1",
  });
}

beforeAll(async () => {
  const directory = scratchForFile();
  await giveCluster(directory);
  open = await openServer({ directory });
  const { server, localToken } = open;
  app = appWith();
  const owner = await server.access(localToken, undefined);
  if ("kind" in owner) throw new Error(owner.message);
  const user = async (name: Who, role: "admin" | "writer" | "reader", inSpace?: string): Promise<void> => {
    const added = await server.tokens.add(owner, { user: name, space: inSpace, role, days: 1, device: name });
    if ("kind" in added) throw new Error(added.message);
    tokens.set(name, added.token);
  };
  await user("admin", "admin");
  const answer = await request("admin", "POST", "/v1/spaces", { kind: "team", name: "shop" });
  space = String(record(await answer.json())["id"]);
  await user("writer", "writer", space);
  await user("reader", "reader", space);
  await user("stranger", "admin");
});
afterAll(() => open.close());
beforeEach(() => {
  // Each test has fresh rate limits: minutes pass between them.
  clockMs += 600_000;
  log.length = 0;
});

const lineage = (): string => (made += 1).toString(16).padStart(24, "0");
const pushId = (): Record<string, string> => ({ "idempotency-key": `push-${(made += 1)}-of-test` });
const newNote = () => ({
  changes: [{ key: `n${(made += 1)}.md`, lineage: lineage(), base: 0, state: "live", body: "x" }],
});
const CREATE = { "if-none-match": "*" };

/** Method, path, the statuses of admin, writer, reader, stranger and nobody, and what is sent. */
type Row = readonly [
  string,
  string,
  readonly number[],
  ((() => unknown) | undefined)?,
  (() => Record<string, string>)?,
];
const TABLE: readonly Row[] = [
  ["GET", "/v1/me", [200, 200, 200, 200, 401]],
  ["GET", "/v1/spaces", [200, 200, 200, 200, 401]],
  ["POST", "/v1/spaces", [201, 403, 403, 201, 401], () => ({ kind: "user", name: "mine" })],
  ["GET", "/v1/tokens", [200, 200, 200, 200, 401]],
  ["POST", "/v1/tokens", [201, 403, 403, 201, 401], () => ({ role: "admin" })],
  ["POST", "/v1/tokens", [403, 403, 403, 403, 401], () => ({ role: "reader", user: "mallory" })],
  ["DELETE", "/v1/tokens/0123456789abcdef", [404, 404, 404, 404, 401]],
  ["GET", "/v1/spaces/SPACE/changes", [200, 200, 200, 404, 401]],
  ["POST", "/v1/spaces/SPACE/changes", [200, 200, 403, 404, 401], newNote, pushId],
  ["POST", "/v1/spaces/SPACE/common", [200, 200, 200, 404, 401], () => ({ marks: [] })],
  ["GET", "/v1/spaces/SPACE/entries/there.md", [200, 200, 200, 404, 401]],
  ["PUT", "/v1/spaces/SPACE/entries/NEW", [200, 200, 403, 404, 401], () => "text", () => CREATE],
  [
    "DELETE",
    "/v1/spaces/SPACE/entries/not-there.md",
    [200, 412, 403, 404, 401],
    undefined,
    () => ({ "if-match": '"0"' }),
  ],
  ["GET", "/v1/spaces/SPACE/versions?key=there.md", [200, 200, 200, 404, 401]],
  ["GET", "/v1/spaces/SPACE/versions/1", [200, 200, 200, 404, 401]],
  ["GET", "/v1/spaces/SPACE/members", [200, 403, 403, 404, 401]],
  ["POST", "/v1/spaces/SPACE/members", [200, 403, 403, 404, 401], () => ({ user: "reader", role: "reader" })],
  ["DELETE", "/v1/spaces/SPACE/members/00000000-0000-4000-8000-000000000000", [404, 403, 403, 404, 401]],
  ["GET", "/v1/spaces/SPACE/audit", [200, 403, 403, 404, 401]],
  ["GET", "/v1/spaces/SPACE/receipts", [200, 200, 200, 404, 401]],
  ["GET", `/v1/spaces/SPACE/receipts/${"f".repeat(24)}`, [200, 200, 200, 404, 401]],
  ["GET", "/healthz", [200, 200, 200, 200, 200]],
  ["GET", "/metrics", [200, 200, 200, 200, 200]],
];

describe("the endpoints of the sync server", () => {
  it("give each role what it may have, and tell nobody of foreign spaces", async () => {
    await request("admin", "PUT", "/v1/spaces/SPACE/entries/there.md", "text", CREATE);
    await request("admin", "POST", "/v1/spaces/SPACE/changes", { changes: [{ forget: "f".repeat(24) }] }, pushId());
    for (const [method, path, expected, body, headers] of TABLE) {
      clockMs += 60_000;
      const seen: number[] = [];
      for (const who of ROLES) {
        const where = path.replace("NEW", `new-${(made += 1)}.md`);
        seen.push((await request(who, method, where, body?.(), headers?.())).status);
      }
      expect(`${method} ${path} ${seen.join(" ")}`).toBe(`${method} ${path} ${expected.join(" ")}`);
    }
  });

  it("say the same of a foreign space and of none, on every address of a space", async () => {
    const nowhere = "00000000-0000-4000-8000-000000000000";
    for (const [method, path, , body, headers] of TABLE.filter(([, one]) => one.includes("SPACE"))) {
      clockMs += 60_000;
      const foreign = await request("stranger", method, path, body?.(), headers?.());
      const none = await request("stranger", method, path.replace("SPACE", nowhere), body?.(), headers?.());
      expect([foreign.status, await foreign.text()]).toEqual([none.status, await none.text()]);
    }
  });

  it("refuse a note with a secret with 422 and the rule, and log nothing of it", async () => {
    const answer = await request("writer", "PUT", "/v1/spaces/SPACE/entries/leak.md", A_SECRET.text, CREATE);
    expect(answer.status).toBe(422);
    const body = await answer.text();
    expect(JSON.parse(body)).toMatchObject({ error: "secret", rule: expect.stringMatching(/\w/u) });
    expect(body).not.toContain(A_SECRET.secret);
    expect(log).toHaveLength(1);
    expect(log.join()).not.toMatch(/leak|use /u);
    expect(log.join()).not.toContain(A_SECRET.secret);
  });

  it("change a note only over the revision that was seen", async () => {
    const path = "/v1/spaces/SPACE/entries/dir/one.md";
    expect((await request("writer", "PUT", path, "one")).status).toBe(428);
    const one = await request("writer", "PUT", path, "one", CREATE);
    expect(one.status).toBe(200);
    expect((await request("writer", "PUT", path, "two", CREATE)).status).toBe(412);
    const revision = one.headers.get("etag") ?? "";
    const two = await request("writer", "PUT", path, "two", { "if-match": revision });
    expect(two.status).toBe(200);
    expect(await (await request("reader", "GET", path)).json()).toMatchObject({ key: "dir/one.md", body: "two" });
    expect((await request("writer", "DELETE", path, undefined, { "if-match": revision })).status).toBe(412);
    const present = two.headers.get("etag") ?? "";
    expect((await request("writer", "DELETE", path, undefined, { "if-match": present })).status).toBe(200);
    expect((await request("reader", "GET", path)).status).toBe(404);
  });

  it("refuse bodies that are too long or not what was asked for", async () => {
    const path = "/v1/spaces/SPACE/changes";
    expect((await request("writer", "POST", path, "x".repeat(600_001), pushId())).status).toBe(413);
    for (const body of ["", "no json", { changes: 1 }, { changes: [{}] }, { changes: [{ forget: "x" }] }])
      expect((await request("writer", "POST", path, body, pushId())).status).toBe(400);
    expect((await request("writer", "POST", path, newNote())).status).toBe(400);
    expect((await request("reader", "GET", `${path}?cursor=-1`)).status).toBe(400);
  });

  it("ask a device that writes too often to wait, and take its next write after that time", async () => {
    app = appWith({ ...USUAL_RATES, deviceWrites: { perMinute: 3 } });
    const push = async () => request("writer", "POST", "/v1/spaces/SPACE/changes", newNote(), pushId());
    expect([(await push()).status, (await push()).status, (await push()).status]).toEqual([200, 200, 200]);
    const late = await push();
    expect([late.status, late.headers.get("retry-after")]).toEqual([429, "20"]);
    expect((await request("reader", "GET", "/v1/spaces/SPACE/changes")).status).toBe(200);
    clockMs += 20_000;
    expect((await push()).status).toBe(200);
    app = appWith();
  });

  it("slow down whoever tries tokens", async () => {
    app = appWith({ ...USUAL_RATES, strangers: { perMinute: 5 } });
    const statuses: number[] = [];
    while (statuses.length < 7) statuses.push((await request("nobody", "GET", "/v1/me")).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    app = appWith();
  });

  it("show a new token once, and what it may do ever after", async () => {
    const wanted = { role: "reader", days: 3, device: "phone" };
    const phone = record(await (await request("admin", "POST", "/v1/tokens", wanted)).json());
    expect(String(phone["token"])).toMatch(/^mdt_[\w-]{43}$/u);
    const listed = await (await request("admin", "GET", "/v1/tokens")).text();
    expect(listed).toContain(String(phone["id"]));
    expect(listed).not.toContain(String(phone["token"]));
    expect((await request("admin", "DELETE", `/v1/tokens/${String(phone["id"])}`)).status).toBe(200);
  });

  it("count requests for Prometheus by route, without names of notes", async () => {
    await request("reader", "GET", "/v1/spaces/SPACE/entries/there.md");
    const text = await (await request("nobody", "GET", "/metrics")).text();
    expect(text).toMatch(/memdir_requests_total\{method="GET",route="[^"]*:key[^"]*",status="200"\} \d/u);
    expect(text).not.toContain("there.md");
  });
});
