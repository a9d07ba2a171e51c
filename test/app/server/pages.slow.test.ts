import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/adapters/postgres/open-database.ts";
import { pull } from "../../../src/core/server/pull.ts";
import type { ServerDatabase } from "../../../src/core/server/database.ts";
import { postgresCluster, postgresPrograms } from "../../support/postgres-cluster.ts";

const programs = postgresPrograms();
const USER = randomUUID();

/** Fills a space as that many pushes of one note would have. */
async function spaceOf(database: ServerDatabase, notes: number): Promise<string> {
  const id = randomUUID();
  await database.query(
    "insert into spaces values ($1, 'project', $2, '', false, $3::bigint, 'mark', 0, $3::bigint, $3::bigint, 1000000, 1000000000)",
    [id, randomBytes(4).toString("hex"), notes],
  );
  await database.query(
    `insert into versions select $1, n, 'n' || n || '.md', 'live', 'h', convert_to(repeat('text ', 100), 'UTF8'),
       md5(n::text), 0, $2, 'push-' || n, 'jane', '', now(), 'mark' from generate_series(1, $3::int) n`,
    [id, USER, notes],
  );
  await database.query(
    `insert into entries select $1, 'n' || n || '.md', 'n' || n || '.md', n, 'live', 'h', md5(n::text), 500
       from generate_series(1, $2::int) n`,
    [id, notes],
  );
  return id;
}

/** Pages that all statements of a pull touch, of tables and their indexes, whether in memory or on the disk. */
async function pagesOf(database: ServerDatabase, work: () => Promise<unknown>): Promise<number> {
  const read = async (): Promise<number> => {
    const [row] = await database.query(
      `select coalesce(sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)
         + coalesce(toast_blks_hit + toast_blks_read, 0)), 0)::int as pages from pg_statio_user_tables`,
    );
    return Number(row?.["pages"]);
  };
  await database.query("select pg_stat_force_next_flush()");
  const before = await read();
  await work();
  // The one connection tells its counts when it is idle; a statement of its own makes it do so at once.
  await database.query("select pg_stat_force_next_flush()");
  return (await read()) - before;
}

/** An index of many times as many rows may be a level or two deeper: a page for each index that is asked. */
const mostPages = (few: number): number => few * 1.25 + 3;
/** `MEMDIR_PAGES_NOTES=1000000` measures a larger space. */
const LARGE = Number(process.env["MEMDIR_PAGES_NOTES"] ?? 100_000);

describe.skipIf(programs === undefined)("the pages that a pull touches", () => {
  it("are as many at 100,000 notes as at 1,000, with nothing new and with ten new notes", async () => {
    const url = await postgresCluster(programs ?? "");
    const database = await openDatabase({ url, connections: 1 });
    try {
      const [small, large] = [await spaceOf(database, 1_000), await spaceOf(database, LARGE)];
      await database.query("vacuum analyze");
      const none = async (id: string, head: number): Promise<number> =>
        pagesOf(database, async () => {
          const page = await pull(database.tables, id, { ...AT, cursor: head });
          expect(page).toMatchObject({ kind: "page", changes: [] });
        });
      const ten = async (id: string, head: number): Promise<number> =>
        pagesOf(database, async () => {
          const page = await pull(database.tables, id, { ...AT, cursor: head - 10 });
          expect(page?.kind === "page" && page.changes).toHaveLength(10);
        });
      const counts = {
        none: [await none(small, 1_000), await none(large, LARGE)],
        ten: [await ten(small, 1_000), await ten(large, LARGE)],
      };
      process.stdout.write(`pages of a pull: ${JSON.stringify(counts)}\n`);
      for (const [few = 0, many = 0] of Object.values(counts)) {
        expect(few).toBeGreaterThan(0);
        expect(many).toBeLessThanOrEqual(mostPages(few));
      }
      // What the bound is for: without the index the rows are searched, and it is seen.
      await database.query("drop index entries_by_seq");
      const searched = await ten(large, LARGE);
      process.stdout.write(`pages of a pull of ten without its index: ${searched}\n`);
      expect(searched).toBeGreaterThan(10 * mostPages(counts.ten[0] ?? 0));
    } finally {
      await database.close();
    }
  });
});

const AT = { mark: "mark", top: 0, topMark: "", limit: 500 };
