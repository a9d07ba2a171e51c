import fs from "node:fs";
import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/adapters/sqlite/driver.ts";
import { cli, emptyHome, homeOf } from "../../support/cli.ts";
import { postgresCluster, postgresPrograms } from "../../support/postgres-cluster.ts";
import { filesBelow, scratch } from "../../support/scratch.ts";

const SCHEMA = `
CREATE TABLE db0_memory (id TEXT PRIMARY KEY, agent_id TEXT, session_id TEXT, user_id TEXT, content TEXT, summary TEXT, scope TEXT,
  tags TEXT, metadata TEXT, created_at TEXT, supersedes_id TEXT, status TEXT, source_type TEXT, confidence REAL);
CREATE TABLE db0_state (id TEXT PRIMARY KEY, session_id TEXT, label TEXT, metadata TEXT, created_at TEXT);
CREATE TABLE db0_log (id TEXT PRIMARY KEY, event TEXT, data TEXT, created_at TEXT);
`;
const SECRET = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
type Row = readonly (string | number | null)[];
const MEMORY: readonly Row[] = [
  [
    "m0",
    "Integration tests use sqlite.",
    null,
    "user",
    "[]",
    "2025-12-01T03:04:05.000Z",
    null,
    "superseded",
    "user_statement",
    1,
  ],
  [
    "m1",
    "Integration tests use the mysql container.",
    null,
    "user",
    "[]",
    "2026-01-02T03:04:05.000Z",
    "m0",
    "superseded",
    "user_statement",
    1,
  ],
  [
    "m2",
    "Integration tests use the postgres container, never mocks.",
    "Tests use postgres",
    "user",
    '["testing","feedback"]',
    "2026-02-02T03:04:05.000Z",
    "m1",
    "active",
    "user_statement",
    1,
  ],
  [
    "m3",
    `The deploy token is ${SECRET}`,
    null,
    "agent",
    "[]",
    "2026-02-03T00:00:00.000Z",
    null,
    "active",
    "inference",
    0.6,
  ],
  [
    "m4",
    '{"fact":"The importer listens on port 7332"}',
    null,
    "agent",
    "[]",
    "2026-02-04T00:00:00.000Z",
    null,
    "active",
    "file",
    1,
  ],
  [
    "m5",
    "temporary scratch fact of one session",
    null,
    "session",
    "[]",
    "2026-02-04T00:00:00.000Z",
    null,
    "active",
    "inference",
    1,
  ],
  ["m6", "Perhaps they like tabs", null, "user", "[]", "2026-02-04T00:00:00.000Z", null, "active", "inference", 0.2],
];
const STATE: Row = [
  "c1",
  "s2",
  "importer half done",
  '{"goal":"Import orders in one pass","next":"port the retry"}',
  "2026-02-04T01:00:00.000Z",
];
const LOGS: readonly Row[] = [
  ["l1", "decision", '{"text":"chose streaming"}', "2026-02-04T01:00:00.000Z"],
  ["l2", "decision", `{"text":"use ${SECRET}"}`, "2026-02-04T02:00:00.000Z"],
];
/** A checkpoint without a goal of its own. */
const NAMED: Row = ["c2", "s3", "sort the invoices", '{"next":"ask Ana"}', "2026-02-04T02:00:00.000Z"];
const INSERT_MEMORY =
  "INSERT INTO db0_memory (id, content, summary, scope, tags, created_at, supersedes_id, status, source_type, confidence) VALUES ";
const quoted = (row: Row): string =>
  `(${row.map((value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value ?? "NULL"))).join(", ")})`;
const INSERTS = [
  ...MEMORY.map((row) => INSERT_MEMORY + quoted(row)),
  ...[STATE, NAMED].map((row) => `INSERT INTO db0_state VALUES ${quoted(row)}`),
  ...LOGS.map((row) => `INSERT INTO db0_log VALUES ${quoted(row)}`),
];

let root: string;

beforeEach(() => {
  root = scratch();
  fs.mkdirSync(`${root}/work`, { recursive: true });
});

const take = async (place: string): Promise<Record<string, unknown>> => {
  const { code, out, err } = await cli(["import", "db0", place, "--yes", "--json"], {
    cwd: `${root}/work`,
    environment: emptyHome(root),
  });
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
};
const here = (): ReadonlyMap<string, Buffer> => filesBelow(`${homeOf(root)}/.memdir`);
const texts = (): string =>
  [...here()].flatMap(([name, bytes]) => (/\.(?:md|jsonl)$/u.test(name) ? [bytes.toString("utf8")] : [])).join("\n");
const inSqlite = (): string => {
  const file = `${root}/db0.sqlite`;
  const database = openDatabase(file, { busyTimeoutMs: 1_000, journal: "delete" });
  database.exec(SCHEMA);
  for (const insert of INSERTS) database.exec(insert);
  database.close();
  return file;
};

/** Takes everything, looks at it, and takes it again: the files after each. */
const takenTwice = async (place: string): Promise<readonly [readonly string[], readonly string[]]> => {
  const first = await take(place);
  expect(first).toMatchObject({
    plan: [
      { action: "add", type: "feedback", description: "Tests use postgres" },
      { action: "refuse", reason: "secret" },
      { action: "add", type: "reference" },
    ],
    days: ["2026-02-04"],
    checkpoints: ["importer half done", "sort the invoices"],
  });
  expect(first["skipped"]).toHaveLength(5);
  expect(texts()).toContain(
    "never mocks.\n\nUntil 2026-02-02: Integration tests use the mysql container.\n\nUntil 2026-01-02: Integration tests use sqlite.",
  );
  expect(texts()).toContain("The importer listens on port 7332");
  expect(texts()).toContain("decision: chose streaming");
  expect(texts()).toContain("port the retry");
  expect(texts()).toMatch(/## Goal\s+sort the invoices/u);
  expect(texts()).not.toContain(SECRET);
  expect(texts()).not.toContain("scratch fact");
  const kept = [...here().keys()].filter((name) => name.endsWith(".md")).toSorted();
  expect(await take(place)).toMatchObject({ imported: [], days: [], checkpoints: [] });
  return [kept, [...here().keys()].filter((name) => name.endsWith(".md")).toSorted()];
};

describe("memdir import db0", () => {
  it("takes its SQLite file: what was superseded stands in the successor, and a second run adds nothing", async () => {
    const [once, twice] = await takenTwice(inSqlite());
    expect(twice).toEqual(once);
  });

  it.skipIf(postgresPrograms() === undefined)(
    "takes its PostgreSQL database, whose JSON and times are values",
    async () => {
      const address = await postgresCluster(postgresPrograms() ?? "");
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      await client.query(
        SCHEMA.replaceAll(/(tags|metadata|data) TEXT/gu, "$1 JSONB").replaceAll(
          "created_at TEXT",
          "created_at TIMESTAMPTZ",
        ),
      );
      for (const insert of INSERTS) await client.query(insert);
      await client.end();
      const [once, twice] = await takenTwice(address);
      expect(twice).toEqual(once);
    },
  );

  it("takes its export, whose keys are written otherwise", async () => {
    const [m0, m1, m2] = MEMORY.map(
      ([id, content, summary, scope, tags, createdAt, supersedesId, status, sourceType, confidence]) =>
        JSON.stringify({
          id,
          content,
          summary,
          scope,
          tags: JSON.parse(String(tags)),
          createdAt,
          supersedesId,
          status,
          sourceType,
          confidence,
        }),
    );
    fs.writeFileSync(`${root}/export.jsonl`, [m0, m1, m2].join("\n"));
    expect(await take(`${root}/export.jsonl`)).toMatchObject({ plan: [{ action: "add", type: "feedback" }] });
    expect(texts()).toContain("Until 2026-01-02: Integration tests use sqlite.");
    expect(await take(`${root}/export.jsonl`)).toMatchObject({ imported: [] });
  });

  it("names what is no database of db0's, and tells no password", async () => {
    const options = { cwd: `${root}/work`, environment: emptyHome(root) };
    fs.writeFileSync(`${root}/other`, "no database");
    expect((await cli(["import", "db0", `${root}/other`, "--yes"], options)).code).not.toBe(0);
    expect(await cli(["import", "db0", "--yes"], options)).toMatchObject({
      code: 3,
      err: expect.stringContaining("db0.sqlite"),
    });
    const address = "postgresql://ada:hunter2hunter2@127.0.0.1:1/none";
    const { code, err, out } = await cli(["import", "db0", address, "--yes"], options);
    expect([code === 0, `${err}${out}`.includes("hunter2")]).toEqual([false, false]);
    expect(err).toContain("db0's database could not be read");
  });
});
