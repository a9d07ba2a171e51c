import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/adapters/postgres/open-database.ts";
import type { KeptFiles } from "../../../src/adapters/http-sync/memory-snapshots.ts";
import { memoryTransport } from "../../../src/adapters/http-sync/memory-transport.ts";
import type { NoteChange } from "../../../src/core/sync/protocol.ts";
import { START, type Transport } from "../../../src/core/sync/transport.ts";
import { describeTransport } from "../../contracts/transport.ts";
import { MemoryServer } from "../../support/memory-server.ts";
import { postgresCluster, postgresPrograms } from "../../support/postgres-cluster.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";

/** What a device keeps, in memory. */
function keptFiles(): KeptFiles & { readonly all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    read: (name) => all.get(name),
    replace: (name, text) => void all.set(name, text),
    append: (name, line) => void all.set(name, (all.get(name) ?? "") + line),
  };
}

/** A server with a store for each test, as devices and applications reach it. */
class Bench extends MemoryServer {
  async store() {
    const user = `user-${randomBytes(6).toString("hex")}`;
    const key = await this.token(user);
    const client = await this.client(user);
    const { id: store } = await client.beta.memoryStores.create({ name: "Shop" });
    const device = (more: Partial<Parameters<typeof memoryTransport>[0]> = {}, files = keptFiles()) =>
      memoryTransport({ url: this.url, store, key, ...more }, files);
    return {
      memories: client.beta.memoryStores.memories,
      versions: client.beta.memoryStores.memoryVersions,
      store,
      device,
    };
  }
}

const embedded = new Bench();
beforeAll(() => embedded.start({ directory: scratchForFile() }));
afterAll(() => embedded.stop());

describeTransport("a store of the memory API", async () => {
  const { device } = await embedded.store();
  return { hasOwnNames: true, connect: () => device() };
});

const programs = postgresPrograms();
describe.skipIf(programs === undefined)("on a PostgreSQL server", () => {
  const bench = new Bench();
  let databaseUrl = "";
  beforeAll(async () => {
    databaseUrl = await postgresCluster(programs ?? "");
    await bench.start({ directory: scratchForFile(), databaseUrl });
  });
  afterAll(() => bench.stop());

  describeTransport("a store of the memory API that is restored", async () => {
    const { device } = await bench.store();
    const tables = ["spaces", "entries", "versions"] as const;
    return {
      hasOwnNames: true,
      connect: () => device(),
      async backup() {
        const { query, close } = await openDatabase({ url: databaseUrl, connections: 1 });
        for (const table of tables) await query(`create table saved_${table} as select * from ${table}`);
        return async () => {
          for (const table of tables) {
            await query(`delete from ${table}`);
            await query(`insert into ${table} select * from saved_${table}`);
            await query(`drop table saved_${table}`);
          }
          await close();
        };
      },
    };
  });
});

const note = (key: string, body: string, more: Partial<NoteChange> = {}): NoteChange => ({
  key,
  lineage: randomBytes(12).toString("hex"),
  base: "",
  state: "live",
  body,
  ...more,
});

async function page(transport: Transport, cursor = START) {
  const answer = await transport.pull({ cursor, tops: [], limit: 500 });
  if (answer.outcome !== "page") throw new Error(`no page, but ${JSON.stringify(answer)}`);
  return answer;
}

describe("a store of the memory API as a remote", () => {
  it("asks for one list where nothing is new, and fetches only the text that is", async () => {
    const { device, memories, store } = await embedded.store();
    const asked: string[] = [];
    const spy: typeof fetch = (address, init) => {
      asked.push(`${init?.method} ${new URL(String(address)).pathname.replace(/^.*memories/u, "")}`);
      return fetch(address, init);
    };
    const one = device({ fetch: spy });
    await one.push(
      "p",
      Array.from({ length: 30 }, (_, n) => note(`n${n}.md`, `${n}\n`)),
    );
    const { next } = await page(one);
    asked.length = 0;
    await page(one, next);
    expect(asked).toEqual(["GET "]);
    const [first] = (await memories.list(store)).data;
    await memories.update(first?.type === "memory" ? first.id : "", { memory_store_id: store, content: "new" });
    asked.length = 0;
    const { changes } = await page(one, next);
    expect(changes.map(({ entry }) => entry)).toMatchObject([{ key: "n0.md", body: "new" }]);
    expect(asked.filter((request) => !request.includes("versions"))).toEqual([
      "GET ",
      `GET /${first?.type === "memory" ? first.id : ""}`,
    ]);
  });

  it("waits as long as it is asked to, within its patience, and tells the rest to the next run", async () => {
    const { device } = await embedded.store();
    const waits: number[] = [];
    let busy = 3;
    const limited: typeof fetch = (address, init) =>
      busy-- > 0
        ? Promise.resolve(new Response('{"type":"error"}', { status: 429, headers: { "retry-after": "20" } }))
        : fetch(address, init);
    const patient = device({ fetch: limited, wait: async (ms) => void waits.push(ms) });
    expect((await patient.push("p", [note("a.md", "a\n")])).outcome).toBe("pushed");
    expect(waits).toEqual([20_000, 20_000, 20_000]);
    busy = 1;
    expect(await patient.pull({ cursor: START, tops: [], limit: 5 })).toMatchObject({
      outcome: "offline",
      retryAfterMs: 20_000,
    });
  });

  it("does a push whose answers were lost once, and keeps its notes' identity", async () => {
    const { device, versions, store } = await embedded.store();
    const files = keptFiles();
    let left = 3;
    const cut: typeof fetch = async (address, init) => {
      const answer = await fetch(address, init);
      if (init?.method === "POST" && left-- > 0) throw new TypeError("cut");
      return answer;
    };
    const changes = [note("a.md", "a\n"), note("b.md", "b\n")];
    let answer = await device({ fetch: cut }, files).push("p", changes);
    for (let run = 0; answer.outcome === "offline" && run < 9; run++) {
      const next = device({ fetch: cut }, files);
      await page(next);
      answer = await next.push("p", changes);
    }
    expect(answer).toMatchObject({ outcome: "pushed", outcomes: [{ outcome: "done" }, { outcome: "done" }] });
    expect((await versions.list(store)).data).toHaveLength(2);
    const lineages = (await page(device({}, files))).changes.map(({ entry }) => entry.lineage);
    expect(new Set(lineages)).toEqual(new Set(changes.map(({ lineage }) => lineage)));
  });

  it("writes only over what it saw, also where an application writes between", async () => {
    const { device, memories, store } = await embedded.store();
    const one = device();
    const change = note("a.md", "first\n");
    await one.push("p", [change]);
    const seen = await page(one);
    const [entry] = seen.changes.map((each) => each.entry);
    const base = entry?.state === "live" ? entry.revision : "";
    const [item] = (await memories.list(store)).data;
    const id = item?.type === "memory" ? item.id : "";
    const theirs = await memories.update(id, { memory_store_id: store, content: "theirs\n" });
    const answer = await one.push("p2", [{ ...change, base, body: "mine\n" }]);
    expect(answer).toMatchObject({
      outcomes: [{ outcome: "stale", revision: `${theirs.memory_version_id}.${theirs.content_sha256}` }],
    });
    expect((await memories.retrieve(id, { memory_store_id: store })).content).toBe("theirs\n");
    const [news] = (await page(one, answer.outcome === "pushed" ? answer.head : "")).changes;
    expect(news?.entry).toMatchObject({ state: "live", body: "theirs\n" });
  });

  it("renames in one step under the same id, and ends a memory where another note takes its name", async () => {
    const { device, memories, versions, store } = await embedded.store();
    const one = device();
    const change = note("a.md", "first\n");
    const first = await one.push("p", [change]);
    const base = first.outcome === "pushed" && "revision" in (first.outcomes[0] ?? {}) ? first.outcomes[0] : undefined;
    const revision = base !== undefined && "revision" in base ? base.revision : "";
    const [made] = (await memories.list(store)).data;
    await one.push("p2", [
      { key: "a.md", lineage: change.lineage, base: revision, state: "deleted", group: "g" },
      { ...change, key: "b/c.md", body: "first\nsecond\n", group: "g" },
    ]);
    const [renamed, ...others] = (await memories.list(store)).data;
    expect(others).toEqual([]);
    expect(renamed).toMatchObject({ path: "/b/c.md" });
    expect(renamed?.type === "memory" && renamed.id).toBe(made?.type === "memory" && made.id);
    const now = (await page(one)).changes[0]?.entry;
    const other = note("b/c.md", "another note\n", { base: now?.state === "live" ? now.revision : "" });
    expect(await one.push("p3", [other])).toMatchObject({ outcomes: [{ outcome: "done" }] });
    // What is forgotten of the one is not forgotten of the other.
    await one.push("p4", [{ forget: change.lineage }]);
    const [left] = (await page(one)).changes;
    expect(left?.entry).toMatchObject({ state: "live", body: "another note\n", lineage: other.lineage });
    const past = (await versions.list(store, { view: "full" })).data;
    expect(JSON.stringify(past)).not.toContain("first");
  });

  it("keeps no name of a forgotten note on this device", async () => {
    const { device } = await embedded.store();
    const files = keptFiles();
    const one = device({}, files);
    const change = note("salary-of-jane.md", "s\n");
    await one.push("p", [change, note("b.md", "b\n")]);
    const two = device();
    const { next } = await page(two);
    const answer = await one.push("p2", [{ forget: change.lineage }]);
    await page(one, answer.outcome === "pushed" ? answer.head : "");
    expect([...files.all.values()].join("\n")).not.toContain("salary");
    expect((await page(two, next)).changes.map(({ entry }) => entry.state)).toEqual(["forgotten"]);
  });

  it("tells a person what is wrong with store and key", async () => {
    const { device } = await embedded.store();
    const first = { cursor: START, tops: [], limit: 5 };
    expect(await device({ key: "mdt_wrong" }).pull(first)).toMatchObject({ outcome: "denied", reason: "login" });
    expect(await device({ store: `memstore_${"0".repeat(32)}` }).pull(first)).toMatchObject({ outcome: "not-found" });
    expect(await device({ url: "http://127.0.0.1:9" }).pull(first)).toMatchObject({ outcome: "offline" });
  });
});
