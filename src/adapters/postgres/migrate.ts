import { sql, type Kysely } from "kysely";
import { MemoryError } from "../../core/shared/errors.ts";
import { MIGRATIONS } from "./migrations.ts";
import { retried } from "./retried.ts";
import type { Schema } from "./schema.ts";

/**
 * Brings the schema to this version, in one transaction; processes that start together wait for one another.
 * @throws MemoryError `unavailable` when a newer version made the schema.
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  await retried(async () => {
    await sql`create table if not exists schema_version (version integer primary key, at timestamptz not null)`.execute(
      db,
    );
  });
  await retried(() =>
    db.transaction().execute(async (tx) => {
      await sql`lock table schema_version in exclusive mode`.execute(tx);
      const { rows } = await sql<{
        version: number | null;
      }>`select max(version) as version from schema_version`.execute(tx);
      const present = rows[0]?.version ?? 0;
      if (present > MIGRATIONS.length)
        throw new MemoryError(
          "unavailable",
          `The database has schema ${present}, and this memdir-server knows schemas up to ${MIGRATIONS.length}. Install the version that made it, or a later one.`,
        );
      for (const [place, statements] of MIGRATIONS.entries()) {
        if (place < present) continue;
        for (const statement of statements) await sql.raw(statement).execute(tx);
        await sql`insert into schema_version values (${place + 1}, now())`.execute(tx);
      }
    }),
  );
}
