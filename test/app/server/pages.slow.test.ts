import { describe, expect, it } from "vitest";
import { pagesOfPulls, spaceOf } from "../../../bench/sync/pages.mjs";
import { openDatabase } from "../../../src/adapters/postgres/open-database.ts";
import { pull } from "../../../src/core/server/pull.ts";
import { postgresCluster, postgresPrograms } from "../../support/postgres-cluster.ts";

const programs = postgresPrograms();

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
      const few = await pagesOfPulls(database, pull, { id: small, notes: 1_000 });
      const many = await pagesOfPulls(database, pull, { id: large, notes: LARGE });
      const counts = { none: [few.none, many.none], ten: [few.ten, many.ten] };
      process.stdout.write(`pages of a pull: ${JSON.stringify(counts)}\n`);
      for (const [ofFew = 0, ofMany = 0] of Object.values(counts)) {
        expect(ofFew).toBeGreaterThan(0);
        expect(ofMany).toBeLessThanOrEqual(mostPages(ofFew));
      }
      // What the bound is for: without the index the rows are searched, and it is seen.
      await database.query("drop index entries_by_seq");
      const { ten: searched } = await pagesOfPulls(database, pull, { id: large, notes: LARGE });
      process.stdout.write(`pages of a pull of ten without its index: ${searched}\n`);
      expect(searched).toBeGreaterThan(10 * mostPages(few.ten));
    } finally {
      await database.close();
    }
  });
});
