import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openServer } from "../../../src/app/server/open-server.ts";
import { ratesOf, USUAL_RATES } from "../../../src/app/server/access.ts";
import { record } from "../../../src/core/shared/json.ts";
import { createApp } from "../../../src/surfaces/server/app.ts";
import { startFakeGitHub } from "../../support/fake-github.ts";
import { startFakeOidc } from "../../support/fake-oidc.ts";
import { giveCluster } from "../../support/embedded-cluster.ts";
import { filesBelow } from "../../support/scratch.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";

const MINUTE_MS = 60_000;
const EVERYBODY = "shop/everybody";

let world: Awaited<ReturnType<typeof serverWithLogins>>;
beforeAll(async () => {
  world = await serverWithLogins();
});
afterAll(() => world.close());

/** A server with both ways to log in, and a clock that is moved by hand. Each test has people and a repository of its own. */
async function serverWithLogins() {
  const gitHub = await startFakeGitHub();
  const oidc = await startFakeOidc("memdir");
  let now = Date.parse("2026-03-02T10:00:00Z");
  const clock = { now: () => now, timeZone: "UTC" };
  const directory = scratchForFile();
  const logins = {
    gitHub: { url: gitHub.url, clientId: "app", allow: [EVERYBODY] },
    oidc: { issuer: oidc.issuer, clientId: "memdir", clientSecret: undefined, allow: ["@example.org", "group:team"] },
  };
  await giveCluster(directory);
  const open = await openServer({ directory, clock, logins });
  const log: string[] = [];
  const app = createApp({
    server: open.server,
    rates: ratesOf(USUAL_RATES, clock),
    log: (line) => log.push(JSON.stringify(line)),
    now: clock.now,
    addressOf: () => "192.0.2.1",
  });
  const ask = async (method: string, address: string, token: string | undefined, body?: unknown) => {
    const answer = await app.request(address, {
      method,
      headers: {
        "idempotency-key": `push-${Math.random()}`,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: record(await answer.json()) };
  };
  /** The device asks until the person has answered. */
  const logIn = async (host: string) => {
    const started = await ask("POST", "/v1/login/device", undefined, { host, device: "laptop" });
    const { id } = started.body;
    for (;;) {
      const answer = await ask("POST", "/v1/login/token", undefined, { id });
      if (answer.body["state"] !== "waiting") return { started: started.body, id, ...answer };
      now += 2_000; // within the rate of strangers
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const gitHubHost = new URL(gitHub.url).host;
  const asGitHubUser = async (id: number, login: string): Promise<string> => {
    gitHub.permit(EVERYBODY, login, "pull");
    gitHub.answer({ id, login });
    return String((await logIn(gitHubHost)).body["token"]);
  };
  const pass = (ms: number) => void (now += ms);
  const close = async (): Promise<void> => {
    await open.close();
    await Promise.all([gitHub.close(), oidc.close()]);
  };
  return {
    gitHub,
    gitHubHost,
    oidc,
    oidcHost: new URL(oidc.issuer).host,
    directory,
    ask,
    logIn,
    asGitHubUser,
    pass,
    log,
    close,
  };
}

const note = (n: number) => ({
  changes: [{ key: `n${n}.md`, lineage: n.toString(16).padStart(24, "0"), base: 0, state: "live", body: "x" }],
});
const spaceOf = (repository: string) => ({ kind: "team", name: "shop", repository });

describe("a login by GitHub", () => {
  it("shows a code, gives a token once, and lets in only who may read a repository of the server", async () => {
    const { gitHub, gitHubHost, ask, logIn, directory, log } = world;
    expect((await ask("GET", "/v1/login", undefined)).body["ways"]).toMatchObject([
      { kind: "github" },
      { kind: "oidc" },
    ]);
    gitHub.permit(EVERYBODY, "jane", "push");
    const pending = await ask("POST", "/v1/login/device", undefined, { host: gitHubHost, device: "laptop" });
    expect(pending.body).toMatchObject({
      userCode: "ABCD-1234",
      verificationUri: expect.stringContaining("login/device"),
    });
    expect((await ask("POST", "/v1/login/token", undefined, { id: pending.body["id"] })).body).toEqual({
      state: "waiting",
    });

    gitHub.answer({ id: 7, login: "jane" });
    const { body, id } = await logIn(gitHubHost);
    expect(body).toMatchObject({ state: "done", token: expect.stringMatching(/^mdt_/u), device: "laptop" });
    expect((await ask("GET", "/v1/me", String(body["token"]))).body).toMatchObject({ owner: false, role: "admin" });
    expect((await ask("POST", "/v1/login/token", undefined, { id })).status).toBe(404);

    gitHub.answer({ id: 8, login: "mallory" });
    expect(await logIn(gitHubHost)).toMatchObject({ status: 403 });
    for (const how of ["denied", "expired"] as const) {
      gitHub.answer(how);
      expect(await logIn(gitHubHost)).toMatchObject({ status: 403 });
    }
    // GitHub's token is on the disk sealed only, and no token is in the log.
    const holding = [...filesBelow(directory)].flatMap(([file, bytes]) => (bytes.includes("ghu_") ? [file] : []));
    expect(holding).toEqual([]);
    expect(fs.statSync(path.join(directory, "login.key")).mode & 0o77).toBe(0);
    expect(log.join()).not.toMatch(/mdt_|ghu_|ABCD/u);
  }, 60_000);

  it("gives the role that the repository gives, to one space whatever the repository is called", async () => {
    const { gitHub, ask, asGitHubUser } = world;
    const roles = new Map([
      ["ann", "admin"],
      ["wes", "push"],
      ["rob", "pull"],
    ] as const);
    const shop = spaceOf("shop/roles");
    for (const [login, permission] of roles) gitHub.permit(shop.repository, login, permission);
    const rob = await asGitHubUser(1, "rob");
    // Nobody who may only read makes the space, and no space may claim to be a repository's.
    expect((await ask("POST", "/v1/spaces", rob, shop)).status).toBe(404);
    expect(
      (await ask("POST", "/v1/spaces", rob, { ...shop, repository: undefined, identity: "repository x 1" })).status,
    ).toBe(400);
    const wes = await asGitHubUser(2, "wes");
    const made = await ask("POST", "/v1/spaces", wes, shop);
    expect(made.body["role"]).toBe("writer");
    gitHub.rename("shop/roles", "shop/renamed");
    const renamed = spaceOf("shop/renamed");
    const ann = await asGitHubUser(3, "ann");
    expect((await ask("POST", "/v1/spaces", ann, renamed)).body).toMatchObject({
      id: made.body["id"],
      role: "admin",
    });
    expect((await ask("POST", "/v1/spaces", rob, renamed)).body).toMatchObject({ id: made.body["id"], role: "reader" });
    const space = `/v1/spaces/${String(made.body["id"])}`;
    expect((await ask("POST", `${space}/changes`, rob, note(1))).status).toBe(403);
    expect((await ask("POST", `${space}/changes`, wes, note(1))).status).toBe(200);
    const members = await ask("GET", `${space}/members`, ann);
    expect(JSON.stringify(members.body)).toMatch(/"source":"repository"/u);
    // A role of the repository is changed there.
    const login = String((await ask("GET", "/v1/me", rob)).body["user"]);
    expect((await ask("POST", `${space}/members`, ann, { user: login, role: "admin" })).status).toBe(409);
    const { audit } = (await ask("GET", `${space}/audit`, ann)).body;
    expect(JSON.stringify(audit)).toMatch(/"action":"join"/u);
  }, 60_000);

  it("looks the role up again every quarter of an hour, and takes the space away with the access", async () => {
    const { gitHub, ask, asGitHubUser, pass } = world;
    const shop = spaceOf("shop/again");
    gitHub.permit(shop.repository, "kim", "push");
    const kim = await asGitHubUser(17, "kim");
    const made = await ask("POST", "/v1/spaces", kim, shop);
    const changes = `/v1/spaces/${String(made.body["id"])}/changes`;
    const before = gitHub.lookUps();
    gitHub.permit(shop.repository, "kim", "pull");
    pass(14 * MINUTE_MS);
    expect((await ask("POST", changes, kim, note(1))).status).toBe(200);
    expect(gitHub.lookUps()).toBe(before);
    pass(2 * MINUTE_MS);
    gitHub.rename("shop/again", "shop/other");
    expect((await ask("POST", changes, kim, note(2))).status).toBe(403);
    expect((await ask("GET", changes, kim)).status).toBe(200);
    expect(gitHub.lookUps()).toBe(before + 1);
    gitHub.permit("shop/other", "kim", undefined);
    pass(16 * MINUTE_MS);
    expect((await ask("GET", changes, kim)).status).toBe(404);
    expect((await ask("GET", "/v1/spaces", kim)).body["spaces"]).toEqual([]);
  }, 60_000);

  it("keeps a role for an hour while GitHub is down, then for reading, and for a day at most", async () => {
    const { gitHub, ask, asGitHubUser, pass } = world;
    const shop = spaceOf("shop/down");
    gitHub.permit(shop.repository, "lee", "push");
    const lee = await asGitHubUser(27, "lee");
    const made = await ask("POST", "/v1/spaces", lee, shop);
    const changes = `/v1/spaces/${String(made.body["id"])}/changes`;
    const statuses = async (n: number) => [
      (await ask("POST", changes, lee, note(n))).status,
      (await ask("GET", changes, lee)).status,
    ];
    gitHub.fail(true);
    pass(50 * MINUTE_MS);
    expect(await statuses(1)).toEqual([200, 200]);
    pass(20 * MINUTE_MS);
    expect(await statuses(2)).toEqual([403, 200]);
    pass(24 * 60 * MINUTE_MS);
    expect(await statuses(3)).toEqual([404, 404]);
    gitHub.fail(false);
    pass(2 * MINUTE_MS);
    expect(await statuses(4)).toEqual([200, 200]);
  }, 60_000);
});

describe("a login by OpenID Connect", () => {
  it("lets in verified addresses and groups that the server names, and tells people of one name apart", async () => {
    const { oidc, oidcHost, ask, logIn } = world;
    const statusOf = async (how: Parameters<typeof oidc.answer>[0]) => {
      oidc.answer(how);
      return (await logIn(oidcHost)).status;
    };
    expect(await statusOf("denied")).toBe(403);
    expect(await statusOf({ sub: "1", email: "jane@example.org", email_verified: false })).toBe(403);
    expect(await statusOf({ sub: "1", email: "jane@example.org.evil.test", email_verified: true })).toBe(403);
    expect(await statusOf({ sub: "1", preferred_username: "jane", groups: ["other"] })).toBe(403);
    const users: unknown[] = [];
    for (const claims of [
      { sub: "1", email: "jane@example.org", email_verified: true },
      { sub: "2", preferred_username: "jane", groups: ["team"] },
      { sub: "1", preferred_username: "jane-again", groups: ["team"] },
    ]) {
      oidc.answer(claims);
      const { body } = await logIn(oidcHost);
      users.push((await ask("GET", "/v1/me", String(body["token"]))).body["user"]);
    }
    expect(users[0]).toMatch(/^jane@127/u);
    expect(users[1]).toMatch(/^jane-[0-9a-f]{8}@127/u);
    expect(users[2]).toBe(users[0]);
  }, 60_000);
});
