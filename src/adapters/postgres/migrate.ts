import { sql, type Kysely } from "kysely";
import { MemoryError } from "../../core/shared/errors.ts";
import { MIGRATIONS, NUMBERED } from "./migrations.ts";
import { retried } from "./retried.ts";
import type { Schema } from "./schema.ts";

const STEPS: ReadonlyMap<number, readonly string[]> = new Map([
  ...MIGRATIONS.map((statements, place) => [place + 1, statements] as const),
  ...Object.entries(NUMBERED).map(([version, statements]) => [Number(version), statements] as const),
]);

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
      const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(tx);
      const present = new Set(rows.map(({ version }) => version));
      const unknown = [...present].find((version) => !STEPS.has(version));
      if (unknown !== undefined)
        throw new MemoryError(
          "unavailable",
          `The database has schema ${unknown}, which this memdir-server does not know: it knows ${[...STEPS.keys()].join(", ")}. Install the version that made it, or a later one.`,
        );
      for (const [version, statements] of STEPS) {
        if (present.has(version)) continue;
        for (const statement of statements) await sql.raw(statement).execute(tx);
        await sql`insert into schema_version values (${version}, now())`.execute(tx);
      }
    }),
  );
}
