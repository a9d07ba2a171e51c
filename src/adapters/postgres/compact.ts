import { sql, type Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** See `NoteTables.compact`. One space at a time, under its lock, so that a push never sees a half-done state. */
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
    // A version's age counts from when it was superseded, so the version that replaced it must be older than the limit.
    const superseded = (limit: number) => sql<boolean>`exists (
      select 1 from versions n where n.space_id = v.space_id and n.key = v.key and n.seq > v.seq
        and n.at < ${new Date(limit)})`;
    const bodies = await sql`update versions v set body = null
      where v.space_id = ${spaceId} and v.body is not null and v.state = 'live'
        and ${superseded(before.bodies)}`.execute(tx);
    const tombstones = await sql<{ seq: number }>`delete from entries e using versions v
      where e.space_id = ${spaceId} and v.space_id = e.space_id and v.seq = e.seq and e.state = 'deleted'
        and e.seq < ${space.head} and v.at < ${new Date(before.rows)} returning e.seq`.execute(tx);
    // Keeps the version at the head, or every up-to-date client would have to start again. Keeps the first version of
    // each existing note, which tells when the note was created.
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
