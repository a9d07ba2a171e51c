import { beforeEach, describe, expect, it } from "vitest";
import { CODE_MS, TOKEN_MS } from "../../../src/surfaces/web/session.ts";
import { scratch } from "../../support/scratch.ts";
import { request, serve, type Served, writeNote } from "./served.ts";

let page: Served;

beforeEach(async () => {
  const root = scratch();
  writeNote(`${root}/notes`, "project_port.md", "The service listens on port 8080", "It listens on port 8080.");
  page = await serve(root);
});

const own = (): string => `127.0.0.1:${page.server.port}`;

describe("the server of the page refuses", () => {
  it.each(["localhost", "evil.example", "[::1]", "127.0.0.1", "127.0.0.2"])("a Host of %s", async (name) => {
    const host = name === "127.0.0.1" ? name : `${name}:${page.server.port}`;
    const answer = await page.ask("GET", "/api/notes", undefined, { host });
    expect([answer.status, answer.json]).toMatchObject([403, { error: { code: "foreign" } }]);
    expect((await page.ask("GET", "/", undefined, { host })).status).toBe(403);
  });

  it("an Origin that is not its own, another port of the same name too", async () => {
    const other = `http://127.0.0.1:${page.server.port === 80 ? 81 : page.server.port - 1}`;
    for (const origin of ["https://evil.example", other, "null", `http://localhost:${page.server.port}`])
      expect((await page.ask("GET", "/api/notes", undefined, { origin })).status).toBe(403);
    expect((await page.ask("GET", "/api/notes", undefined, { origin: `http://${own()}` })).status).toBe(200);
  });

  it("requests that a browser marks as another site's", async () => {
    for (const site of ["cross-site", "same-site", "none"])
      expect((await page.ask("GET", "/api/state", undefined, { "sec-fetch-site": site })).status).toBe(403);
    expect((await page.ask("GET", "/app.js", undefined, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const visit = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await page.ask("GET", "/", undefined, visit)).status).toBe(200);
    expect((await page.ask("GET", "/", undefined, { ...visit, "sec-fetch-dest": "iframe" })).status).toBe(403);
  });

  it("whoever has no token, a wrong one, or one that nobody used for eight hours", async () => {
    for (const authorization of ["", "Bearer wrong", `Basic ${page.token}`])
      expect((await page.ask("GET", "/api/notes", undefined, { authorization })).status).toBe(401);
    page.clock.now = TOKEN_MS - 1;
    expect((await page.ask("GET", "/api/notes")).status).toBe(200);
    page.clock.now += TOKEN_MS - 1;
    expect((await page.ask("GET", "/api/notes")).status).toBe(200);
    page.clock.now += TOKEN_MS;
    expect((await page.ask("GET", "/api/notes")).status).toBe(401);
  });

  it("the second use of a code, and a code that is a minute old", async () => {
    const exchange = (code: string) => request(page.server.port, "POST", "/api/session", { code });
    const code = page.sessions.newCode();
    expect((await exchange(code)).json).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/u) });
    expect(await exchange(code)).toMatchObject({ status: 401, json: { error: { code: "session" } } });
    const late = page.sessions.newCode();
    page.clock.now += CODE_MS;
    expect((await exchange(late)).status).toBe(401);
    expect((await exchange("")).status).toBe(401);
  });

  it("paths that leave its files", async () => {
    for (const target of [
      "/../package.json",
      "/%2e%2e/package.json",
      "/web/../../etc/passwd",
      "//etc/passwd",
      "/app.js/",
      "/constructor",
    ])
      expect((await page.ask("GET", target)).status).toBe(404);
    for (const id of ["project:../secret.md", "project:/etc/passwd", "project:MEMORY.md", "nowhere:a.md", "project:"])
      expect((await page.ask("GET", `/api/note?id=${encodeURIComponent(id)}`)).status).toBe(404);
  });

  it("methods and bodies that an address does not take", async () => {
    const put = await page.ask("PUT", "/api/notes");
    expect([put.status, put.headers.allow]).toEqual([405, "GET"]);
    expect((await page.ask("POST", "/api/notes", {})).status).toBe(405);
    expect((await page.ask("POST", "/")).status).toBe(405);
    expect((await page.ask("GET", "/api/constructor")).status).toBe(404);
    expect((await page.ask("POST", "/api/pin", "a=b", { "content-type": "text/plain" })).status).toBe(415);
    expect((await page.ask("POST", "/api/pin", "[1]")).status).toBe(400);
    expect((await page.ask("POST", "/api/pin", "{")).status).toBe(400);
    expect((await page.ask("POST", "/api/pin", { id: 1, seen: "x" })).status).toBe(400);
    expect((await page.ask("POST", "/api/pin", { text: "x".repeat(1_000_001) })).status).toBe(413);
  });
});

describe("every answer", () => {
  it("allows nothing but the page's own scripts, and is neither framed nor kept", async () => {
    for (const target of ["/", "/api/state", "/api/nothing", "/nothing"]) {
      const { headers } = await page.ask("GET", target);
      expect(headers).toMatchObject({
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
      for (const rule of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "trusted-types 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(headers["content-security-policy"]).toContain(rule);
      expect(headers["set-cookie"]).toBeUndefined();
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
    expect((await page.ask("GET", "/api/state")).headers["server-timing"]).toMatch(/^app;dur=/u);
  });

  it("counts as use only when it is the page's", async () => {
    await page.ask("GET", "/api/state", undefined, { authorization: "" });
    await page.ask("GET", "/");
    expect(page.used()).toBe(0);
    await page.ask("GET", "/api/state");
    expect(page.used()).toBe(1);
  });
});
