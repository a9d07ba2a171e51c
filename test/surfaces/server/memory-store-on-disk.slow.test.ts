import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { record } from "../../../src/core/shared/json.ts";
import { whereIs } from "../../support/every-byte.ts";
import { MemoryServer } from "../../support/memory-server.ts";
import { postgresCluster, postgresPrograms } from "../../support/postgres-cluster.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";

/** A database is opened and closed several times. */
const LONG = 400_000;

/** Making a database takes seconds: the tests share one, each with users of its own. */
const directory = scratchForFile();

async function serving<T>(work: (server: MemoryServer) => Promise<T>, databaseUrl?: string): Promise<T> {
  const server = new MemoryServer();
  await server.start({ directory, ...(databaseUrl !== undefined && { databaseUrl }) });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

it(
  "holds redacted texts and deleted stores in no byte, once the server has put itself in order",
  async () => {
    await serving(async (server) => {
      const { memoryStores } = (await server.client("ann")).beta;
      const { id } = await memoryStores.create({ name: "kept" });
      const gone = await memoryStores.create({ name: "WORDnamed", description: "WORDdescribed" });
      await memoryStores.memories.create(gone.id, { path: "/WORDpath", content: "WORDcontent" });
      const at = { memory_store_id: id };
      const memory = await memoryStores.memories.create(id, {
        path: "/WORDold",
        content: `${"x".repeat(9000)}WORDsecret`,
      });
      await memoryStores.memories.update(memory.id, { ...at, path: "/kept-path", content: "kept-content" });
      expect(whereIs("WORD", directory)).not.toEqual([]);
      await memoryStores.memoryVersions.redact(memory.memory_version_id, at);
      await memoryStores.delete(gone.id);
      // As a server leaves them that was killed while a table was written anew.
      const tables = path.join(directory, "database", "base", "5");
      for (const name of ["999999", "999999_fsm", "999999.1"])
        fs.writeFileSync(path.join(tables, name), "rows with WORDorphaned");
      server.offsetMs += 5_000;
      expect(await server.open.upkeep.tick()).toContain("purge");
      expect(whereIs("WORD", directory)).toEqual([]);
      expect(whereIs("kept-content", directory)).not.toEqual([]);
    });
    expect(whereIs("WORD", directory)).toEqual([]);
  },
  LONG,
);

it(
  "redacts again what a restored backup brought back",
  async () => {
    const database = path.join(directory, "database");
    const backup = path.join(scratchForFile(), "backup");
    const made = await serving(async (server) => {
      const { memoryStores } = (await server.client("bea")).beta;
      const { id } = await memoryStores.create({ name: "s" });
      const memory = await memoryStores.memories.create(id, { path: "/a.md", content: "one" });
      await memoryStores.memories.update(memory.id, { memory_store_id: id, content: "two" });
      return { store: id, version: memory.memory_version_id };
    });
    fs.cpSync(database, backup, { recursive: true });
    const redact = async (server: MemoryServer) =>
      (await server.client("bea")).beta.memoryStores.memoryVersions.redact(made.version, {
        memory_store_id: made.store,
      });
    await serving(redact);
    fs.rmSync(database, { recursive: true });
    fs.cpSync(backup, database, { recursive: true });
    await serving(async (server) => {
      expect(server.open.replayed).toBe(1);
      const { memoryVersions } = (await server.client("bea")).beta.memoryStores;
      const version = await memoryVersions.retrieve(made.version, { memory_store_id: made.store });
      expect([version.content, version.path]).toEqual([null, null]);
    });
  },
  LONG,
);

const programs = postgresPrograms();

it.skipIf(programs === undefined)(
  "holds redacted texts in no byte of a PostgreSQL server, once it was given the lines of the page",
  async () => {
    const url = await postgresCluster(programs ?? "");
    const client = new pg.Client(url);
    await client.connect();
    try {
      const { rows } = await client.query<{ data_directory: string }>("show data_directory");
      const files = rows[0]?.data_directory ?? "";
      await serving(async (server) => {
        const { memoryStores } = (await server.client("pat")).beta;
        const { id } = await memoryStores.create({ name: "kept" });
        const at = { memory_store_id: id };
        const memory = await memoryStores.memories.create(id, { path: "/WORDold", content: "WORDsecret" });
        await memoryStores.memories.update(memory.id, { ...at, path: "/kept-path", content: "kept-content" });
        expect(whereIs("WORD", files)).not.toEqual([]);
        await memoryStores.memoryVersions.redact(memory.memory_version_id, at);
        for (const statement of statementsOfThePage()) await client.query(statement);
        expect(whereIs("WORD", files)).toEqual([]);
        expect(whereIs("kept-content", files)).not.toEqual([]);
      }, url);
    } finally {
      await client.end();
    }
  },
  LONG,
);

/** What the server's page tells an administrator to run after a forget. */
function statementsOfThePage(): string[] {
  const page = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/server.md"), "utf8");
  const [, lines = ""] = /```sql\n(ALTER SYSTEM SET wal_recycle[\s\S]*?)```/u.exec(page) ?? [];
  return lines.split("\n").filter((line) => line !== "");
}

for (const database of ["the embedded database", "a PostgreSQL server"])
  it.skipIf(database === "a PostgreSQL server" && programs === undefined)(
    `gives 5,000 memories page by page, each once, on ${database}`,
    async () => {
      await serving(
        async (server) => {
          const token = await server.token("cora");
          const headers = { authorization: `Bearer ${token}` };
          const post = async (where: string, body: unknown): Promise<Readonly<Record<string, unknown>>> => {
            const id = { "idempotency-key": randomBytes(8).toString("hex") };
            const answer = await fetch(`${server.url}${where}`, {
              method: "POST",
              headers: { ...headers, ...id },
              body: JSON.stringify(body),
            });
            expect(answer.ok).toBe(true);
            return record(await answer.json());
          };
          const space = String((await post("/v1/spaces", { kind: "project", name: "many" }))["id"]);
          const keys = Array.from({ length: 5000 }, (_, n) => `dir${n % 50}/n${String(n).padStart(4, "0")}.md`);
          for (let from = 0; from < keys.length; from += 500) {
            const changes = keys.slice(from, from + 500).map((key) => {
              return { key, lineage: randomBytes(12).toString("hex"), base: 0, state: "live", body: key };
            });
            await post(`/v1/spaces/${space}/changes`, { changes });
          }
          const { memoryStores } = (await server.client("cora")).withOptions({ apiKey: token }).beta;
          const store = `memstore_${space.replaceAll("-", "")}`;
          const paths: string[] = [];
          for await (const item of memoryStores.memories.list(store, { limit: 100 })) paths.push(item.path);
          expect(paths).toEqual(keys.map((key) => `/${key}`).toSorted());
          const top: string[] = [];
          for await (const item of memoryStores.memories.list(store, { depth: 1 })) top.push(item.path);
          expect(top).toHaveLength(50);
        },
        database === "a PostgreSQL server" ? await postgresCluster(programs ?? "") : undefined,
      );
    },
    LONG,
  );

it(
  "makes no more memories than the store may hold, and takes changes and deletions still",
  async () => {
    const server = new MemoryServer();
    await server.start({ directory, limits: { maxMemories: 2, maxBytes: 1000 } });
    try {
      const { memoryStores } = (await server.client("dora")).beta;
      const { id } = await memoryStores.create({ name: "small" });
      const make = (name: string, content = "x") => memoryStores.memories.create(id, { path: `/${name}`, content });
      const one = await make("1");
      await expect(make("long", "x".repeat(1000))).rejects.toMatchObject({ status: 400, errorCode: "quota" });
      await make("2");
      await expect(make("3")).rejects.toMatchObject({ status: 400, errorCode: "quota" });
      await memoryStores.memories.update(one.id, { memory_store_id: id, content: "longer" });
      await memoryStores.memories.delete(one.id, { memory_store_id: id });
      await make("3");
    } finally {
      await server.stop();
    }
  },
  LONG,
);
