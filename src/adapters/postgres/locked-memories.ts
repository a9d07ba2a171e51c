import { sql, type Transaction } from "kysely";
import { FORGET_PREFIX } from "../../core/server/entry-key.ts";
import { ancestorsOf } from "../../core/server/memory-names.ts";
import type { LockedMemories } from "../../core/server/memory-tables.ts";
import { HALF_A_RENAME } from "./memory-tables.ts";
import { entryRow } from "./rows.ts";
import type { Schema } from "./schema.ts";

/** What the memory API changes in a space whose row is locked. */
export function lockedMemories(tx: Transaction<Schema>, spaceId: string): LockedMemories {
  return {
    async overlapping(key, except) {
      const row = await tx
        .selectFrom("entries")
        .select(["key", "fold", "seq", "state", "hash", "lineage", "size"])
        .where("space_id", "=", spaceId)
        .where("state", "=", "live")
        .where((by) =>
          by.or([by("key", "in", [key, ...ancestorsOf(key)]), sql<boolean>`starts_with(key, ${`${key}/`})`]),
        )
        .$if(except !== undefined, (query) => query.where("lineage", "<>", except ?? ""))
        .orderBy(sql`key collate "C"`)
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : entryRow(row);
    },
    async body(seq) {
      const row = await tx
        .selectFrom("versions")
        .select("body")
        .where("space_id", "=", spaceId)
        .where("seq", "=", seq)
        .executeTakeFirst();
      return row?.body ?? undefined;
    },
    async speaking(lineage) {
      const { rows } = await sql<{ seq: number }>`select v.seq from versions v
        where v.space_id = ${spaceId} and v.lineage = ${lineage} and v.reason = '' and v.state <> 'forgotten'
          and (v.state = 'deleted' or v.body is not null) and not ${HALF_A_RENAME}`.execute(tx);
      return rows.length;
    },
    async stillSay(seqs) {
      if (seqs.length === 0) return true;
      const { rows } = await sql<{ count: number }>`select count(*) as count from versions
        where space_id = ${spaceId} and seq = any(${[...seqs]}::bigint[]) and reason = '' and body is not null`.execute(
        tx,
      );
      return Number(rows[0]?.count) === seqs.length;
    },
    ...changesOf(tx, spaceId),
  };
}

function changesOf(tx: Transaction<Schema>, spaceId: string): Pick<LockedMemories, "redact" | "describe" | "erase"> {
  return {
    async redact(seq, { deviceId, at }) {
      await tx
        .updateTable("versions")
        .set({
          body: null,
          hash: null,
          reason: "redacted",
          key: sql<string>`${FORGET_PREFIX} || lineage`,
          push_id: sql<string>`seq::text`,
          redacted_at: new Date(at),
          redacted_by: deviceId,
        })
        .where("space_id", "=", spaceId)
        .where("seq", "=", seq)
        .execute();
    },
    async describe({ name, description, metadata, updatedAt, archivedAt }) {
      await tx
        .updateTable("spaces")
        .set({
          name,
          description,
          metadata: JSON.stringify(metadata),
          updated_at: new Date(updatedAt),
          archived_at: archivedAt === undefined ? null : new Date(archivedAt),
        })
        .where("space_id", "=", spaceId)
        .execute();
    },
    async erase() {
      for (const table of ["entries", "versions", "forgotten", "replicas", "members", "spaces"] as const)
        await tx.deleteFrom(table).where("space_id", "=", spaceId).execute();
    },
  };
}
