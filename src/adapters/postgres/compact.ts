import { sql, type Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** See `NoteTables.compact`. One space at a time, under its lock, so that a push never meets half of it. */
export function compact(
  db: Kysely<Schema>,
  spaceId: string,
  before: { readonly bodies: number; readonly rows: number },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const space = await tx
      .selectFrom("spaces")
      .select(["head", "floor"])
      .where("space_id", "=", spaceId)
      .forUpdate()
      .executeTakeFirst();
    if (space === undefined) return 0;
    // What replaced a version must itself be older than the limit: it counts from when the version was superseded.
    const superseded = (limit: number) => sql<boolean>`exists (
      select 1 from versions n where n.space_id = v.space_id and n.key = v.key and n.seq > v.seq
        and n.at < ${new Date(limit)})`;
    const bodies = await sql`update versions v set body = null
      where v.space_id = ${spaceId} and v.body is not null and v.state = 'live'
        and ${superseded(before.bodies)}`.execute(tx);
    const tombstones = await sql<{ seq: number }>`delete from entries e using versions v
      where e.space_id = ${spaceId} and v.space_id = e.space_id and v.seq = e.seq and e.state = 'deleted'
        and e.seq < ${space.head} and v.at < ${new Date(before.rows)} returning e.seq`.execute(tx);
    // The version at the head stays, or every client that is up to date would have to start again; the first one of a
    // note that is there tells when the note began.
    const rows = await sql<{ seq: number }>`delete from versions v
      where v.space_id = ${spaceId} and v.seq < ${space.head} and v.state <> 'forgotten'
        and (exists (select 1 from versions o where o.space_id = v.space_id and o.lineage = v.lineage and o.seq < v.seq)
          or not exists (select 1 from entries e
            where e.space_id = v.space_id and e.lineage = v.lineage and e.state = 'live'))
        and (${superseded(before.rows)} or (v.state = 'deleted' and v.at < ${new Date(before.rows)}
          and not exists (select 1 from entries e where e.space_id = v.space_id and e.seq = v.seq)))
      returning v.seq`.execute(tx);
    const dropped = [...tombstones.rows, ...rows.rows].map(({ seq }) => seq);
    if (dropped.length > 0)
      await tx
        .updateTable("spaces")
        .set({ floor: Math.max(space.floor, ...dropped.map((seq) => seq + 1)) })
        .where("space_id", "=", spaceId)
        .execute();
    return Number(bodies.numAffectedRows ?? 0) + dropped.length;
  });
}
