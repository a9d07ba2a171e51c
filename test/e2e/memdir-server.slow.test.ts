import { spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { record } from "../../src/core/shared/json.ts";
import { MEMDIR_SERVER, startMemdirServer } from "../support/memdir-server.ts";
import { filesBelow, scratch } from "../support/scratch.ts";

function command(...args: readonly string[]) {
  return spawnSync(process.execPath, [MEMDIR_SERVER, ...args], { encoding: "utf8", timeout: 60_000 });
}

interface Client {
  get(address: string): Promise<Readonly<Record<string, unknown>>>;
  post(address: string, body: unknown, id?: string): Promise<Readonly<Record<string, unknown>>>;
}

function client(url: string, token: string | null): Client {
  const headers = { authorization: `Bearer ${token}` };
  return {
    get: async (address) => record(await (await fetch(url + address, { headers })).json()),
    post: async (address, body, id = "") => {
      const sent = { method: "POST", headers: { ...headers, "idempotency-key": id }, body: JSON.stringify(body) };
      return record(await (await fetch(url + address, sent)).json());
    },
  };
}

const lineage = (n: number): string => n.toString(16).padStart(24, "0");

describe("the command memdir-server", () => {
  it("keeps every acknowledged push over SIGKILL, and shows the owner's token once", async () => {
    const data = path.join(scratch(), "data");
    const first = await startMemdirServer(data);
    const { id } = await client(first.url, first.token).post("/v1/spaces", { kind: "user", name: "mine" });
    const acknowledged: string[] = [];
    const pushing = (async () => {
      for (let n = 1; n < 500; n += 1) {
        const changes = [{ key: `n${n}.md`, lineage: lineage(n), base: 0, state: "live", body: `text ${n}` }];
        await client(first.url, first.token).post(`/v1/spaces/${String(id)}/changes`, { changes }, `push-number-${n}`);
        acknowledged.push(`n${n}.md`);
      }
    })();
    const stopped = pushing.catch(() => "cut");
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(10);
    await first.end("SIGKILL");
    expect(await stopped).toBe("cut");

    const second = await startMemdirServer(data, "--writes-per-minute", "1000");
    expect(second.token).toBeNull();
    const { changes } = await client(second.url, first.token).get(`/v1/spaces/${String(id)}/changes`);
    const keys = Array.isArray(changes) ? changes.map(({ key }) => key) : [];
    expect(keys).toEqual(expect.arrayContaining(acknowledged));
    expect(await second.end()).toBe(0);
  });

  it("has no byte of what was forgotten in any file once it has stopped", async () => {
    const data = path.join(scratch(), "data");
    const { url, token, end } = await startMemdirServer(data);
    const { get, post } = client(url, token);
    const { id } = await post("/v1/spaces", { kind: "user", name: "mine" });
    const space = `/v1/spaces/${String(id)}/changes`;
    const note = { key: "orchard-name.md", lineage: lineage(1), base: 0, state: "live", body: "the tall orchard text" };
    const kept = { key: "kept-name.md", lineage: lineage(2), base: 0, state: "live", body: "the kept text" };
    await post(space, { changes: [note, kept] }, "push-number-1");
    await post(space, { changes: [{ ...note, base: 1, body: "the tall orchard again" }] }, "push-number-2");
    expect(await post(space, { changes: [{ forget: note.lineage }] }, "push-number-3")).toMatchObject({ head: 4 });
    expect(JSON.stringify(await get(space))).toContain("the kept text");
    expect(await end()).toBe(0);
    const holding = (text: string): string[] =>
      [...filesBelow(data)].filter(([, bytes]) => bytes.includes(text)).map(([name]) => name);
    expect(holding("the kept text")).not.toEqual([]);
    expect(holding("tall orchard")).toEqual([]);
    expect(holding("orchard-name")).toEqual([]);
  });

  it("has no byte of it in any file or archive either when it was killed first, and then started and stopped", async () => {
    const data = path.join(scratch(), "data");
    const first = await startMemdirServer(data);
    const { post } = client(first.url, first.token);
    const { id } = await post("/v1/spaces", { kind: "user", name: "mine" });
    const space = `/v1/spaces/${String(id)}/changes`;
    const note = { key: "orchard-name.md", lineage: lineage(1), base: 0, state: "live", body: "the tall orchard text" };
    await post(space, { changes: [note] }, "push-number-1");
    const dumps = path.join(data, "dumps");
    fs.mkdirSync(dumps, { recursive: true });
    for (const name of ["memdir-2020-01-01.tar.gz", "memdir-2020-01-02.tar.gz.part"])
      fs.writeFileSync(path.join(dumps, name), gzipSync(JSON.stringify(note)));
    expect(await post(space, { changes: [{ forget: note.lineage }] }, "push-number-2")).toMatchObject({ head: 2 });
    await first.end("SIGKILL");

    const second = await startMemdirServer(data);
    expect(await second.end()).toBe(0);
    const texts = [...filesBelow(data)].map(([name, bytes]) => [
      name,
      name.endsWith(".gz") ? gunzipSync(bytes) : bytes,
    ]);
    expect(texts.some(([name]) => String(name).endsWith(".gz"))).toBe(true);
    expect(texts.filter(([, bytes]) => /tall orchard|orchard-name/u.test(String(bytes))).map(([name]) => name)).toEqual(
      [],
    );
    expect(fs.readdirSync(dumps).filter((name) => name.includes("2020"))).toEqual([]);
  });

  it("forgets again what a restored database brings back", async () => {
    const data = path.join(scratch(), "data");
    const first = await startMemdirServer(data);
    const one = client(first.url, first.token);
    const { id } = await one.post("/v1/spaces", { kind: "user", name: "mine" });
    const space = `/v1/spaces/${String(id)}/changes`;
    const note = { key: "a.md", lineage: lineage(1), base: 0, state: "live", body: "the tall orchard" };
    await one.post(space, { changes: [note] }, "push-number-1");
    await first.end();
    const backup = path.join(scratch(), "backup");
    fs.cpSync(path.join(data, "database"), backup, { recursive: true });

    const second = await startMemdirServer(data);
    await client(second.url, first.token).post(space, { changes: [{ forget: note.lineage }] }, "push-number-2");
    await second.end();
    fs.rmSync(path.join(data, "database"), { recursive: true });
    fs.cpSync(backup, path.join(data, "database"), { recursive: true });

    const third = await startMemdirServer(data);
    const { changes } = await client(third.url, first.token).get(space);
    expect(changes).toMatchObject([{ state: "forgotten", lineage: note.lineage }]);
    await third.end();
  });

  it("makes, lists and revokes tokens beside the running server and without it", async () => {
    const data = path.join(scratch(), "data");
    const { url, token, end } = await startMemdirServer(data);
    await client(url, token).post("/v1/spaces", { kind: "team", name: "shop" });
    const add = [
      "token",
      "add",
      "--data",
      data,
      "--user",
      "jane",
      "--space",
      "team:shop",
      "--role",
      "reader",
      "--json",
    ];
    const beside = JSON.parse(command(...add).stdout);
    expect(await client(url, beside.token).get("/v1/spaces")).toMatchObject({
      spaces: [{ name: "shop", role: "reader" }],
    });
    await end();
    expect(JSON.parse(command(...add).stdout).token).not.toBe(beside.token);
    expect(command("token", "revoke", beside.id, "--data", data).status).toBe(0);
    const listed = command("token", "list", "--data", data);
    expect(listed.stdout).toMatch(new RegExp(`${beside.id} {2}jane {2}reader {2}team:shop {2}revoked`, "u"));
    expect(listed.stdout).not.toContain(beside.token);
  });

  it("leaves a directory alone that another server has", async () => {
    const data = path.join(scratch(), "data");
    const { url } = await startMemdirServer(data);
    const other = command("--data", data, "--port", "0");
    expect([other.status, other.stderr]).toEqual([1, expect.stringMatching(/is served by process \d+ already/u)]);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ok: true });
  });

  it("makes no server for a token of one that is not there, and names an option that is wrong", () => {
    const data = path.join(scratch(), "data");
    const none = command("token", "list", "--data", data);
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining(`There is no server in ${data}.`)]);
    expect(fs.existsSync(data)).toBe(false);
    expect(command("--bogus").stderr).toBe("memdir-server: there is no option --bogus; see --help\n");
    expect(command("--data").stderr).toContain("memdir-server: --data needs a value");
  });

  it("refuses a public address without HTTPS before it makes anything", () => {
    const data = path.join(scratch(), "data");
    const refused = command("--data", data, "--host", "0.0.0.0", "--port", "0");
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("--cert")]);
    expect(fs.existsSync(data)).toBe(false);
  });

  it("makes nothing where its port is taken, so that the next start still shows the owner's token", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const data = path.join(scratch(), "Jané Döe");
    const refused = command("--data", data, "--port", String(port), "--json");
    other.close();
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^memdir-server: Another program .*\n$/u),
    ]);
    expect([refused.stdout, fs.existsSync(data)]).toEqual(["", false]);
    const next = await startMemdirServer(data);
    expect(await client(next.url, next.token ?? "").get("/v1/spaces")).toEqual({ spaces: [] });
  });

  it("says what to install where the embedded database is missing", () => {
    const alone = scratch();
    fs.copyFileSync(MEMDIR_SERVER, path.join(alone, "memdir-server.cjs"));
    const args = [path.join(alone, "memdir-server.cjs"), "--data", path.join(alone, "data"), "--port", "0"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
    expect([status, stderr]).toEqual([1, expect.stringContaining("npm install @electric-sql/pglite")]);
    expect(fs.readdirSync(path.join(alone, "data"))).toEqual([]);
  });
});
