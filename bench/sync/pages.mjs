/** How many pages of a server's tables and indexes a pull touches, in small and large spaces. */
import { randomBytes, randomUUID } from "node:crypto";

const USER = randomUUID();

/** Fills a space as `notes` pushes of one note would have. */
export async function spaceOf(database, notes) {
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

/** The pages of tables and indexes that all statements of a pull touch, in memory or on disk. */
async function pagesOf(database, work) {
  const read = async () => {
    const [row] = await database.query(
      `select coalesce(sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)
         + coalesce(toast_blks_hit + toast_blks_read, 0)), 0)::int as pages from pg_statio_user_tables`,
    );
    return Number(row?.["pages"]);
  };
  await database.query("select pg_stat_force_next_flush()");
  const before = await read();
  await work();
  // The single connection reports its counts when idle; this statement makes it report at once.
  await database.query("select pg_stat_force_next_flush()");
  return (await read()) - before;
}

const AT = { mark: "mark", top: 0, topMark: "", limit: 500 };

/** The pages of a pull with nothing new and of one with ten new notes, in a space of `notes` notes. */
export async function pagesOfPulls(database, pull, { id, notes }) {
  const changed = async (some) => {
    let found;
    const pages = await pagesOf(database, async () => {
      found = await pull(database.tables, id, { ...AT, cursor: notes - some });
    });
    if (found?.kind !== "page" || found.changes.length !== some) throw new Error(`the pull did not give ${some} notes`);
    return pages;
  };
  return { none: await changed(0), ten: await changed(10) };
}
