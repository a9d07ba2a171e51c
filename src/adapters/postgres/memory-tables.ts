import { sql, type Kysely, type RawBuilder, type Transaction } from "kysely";
import { LINES_KEY } from "../../core/sync/protocol.ts";
import type {
  MemoryRow,
  MemoryTables,
  MemoryVersionRow,
  VersionsFrom,
  LockedMemories,
} from "../../core/server/memory-tables.ts";
import { spaceRow, entryRow, withoutWords } from "./rows.ts";
import type { Schema } from "./schema.ts";
import { ancestorsOf } from "../../core/server/memory-names.ts";

type Database = Kysely<Schema>;

/** Spaces as stores of the memory API. Names are sorted by their bytes, whatever the database's locale. */
export function memoryTables(db: Database): MemoryTables {
  return {
    async space(spaceId) {
      const row = await db.selectFrom("spaces").selectAll().where("space_id", "=", spaceId).executeTakeFirst();
      return row === undefined ? undefined : spaceRow(row);
    },
    async items(spaceId, { prefix, grouped, after, limit }) {
      // PostgreSQL counts characters, not JavaScript's UTF-16 units.
      const start = [...prefix].length + 1;
      const item = grouped
        ? sql`case when strpos(substr(key, ${start}::int), '/') > 0
            then substr(key, 1, ${start - 1}::int + strpos(substr(key, ${start}::int), '/')) else key end`
        : sql`key`;
      const rest = after === undefined ? sql`` : sql`where item collate "C" > ${after}`;
      const { rows } = await sql<{ item: string }>`
        select item from (
          select distinct ${item} as item from entries
          where space_id = ${spaceId} and state = 'live' and key <> ${LINES_KEY} and starts_with(key, ${prefix})
        ) items ${rest} order by item collate "C" limit ${limit}`.execute(db);
      return rows.map((row) => row.item);
    },
    memories: (spaceId, by, full) => memories(db, spaceId, by, full),
    memoryVersions: (spaceId, from, full) => versions(db, spaceId, conditions(from), from.limit, full),
    async memoryVersion(spaceId, seq, full) {
      return (await versions(db, spaceId, [sql`v.seq = ${seq}`], 1, full))[0];
    },
  };
}

async function memories(
  db: Database,
  spaceId: string,
  by: Parameters<MemoryTables["memories"]>[1],
  full: boolean,
): Promise<readonly MemoryRow[]> {
  if ("keys" in by && by.keys.length === 0) return [];
  const rows = await db
    .selectFrom("entries as e")
    .innerJoin("versions as v", (join) => join.onRef("v.space_id", "=", "e.space_id").onRef("v.seq", "=", "e.seq"))
    .select(["e.key", "e.seq", "e.lineage", "e.hash", "e.size", "v.at"])
    .select(sql<Uint8Array | null>`case when ${full} then v.body end`.as("body"))
    .select(
      sql<Date>`(select min(f.at) from versions f where f.space_id = e.space_id and f.lineage = e.lineage)`.as("began"),
    )
    .where("e.space_id", "=", spaceId)
    .where("e.state", "=", "live")
    .where("e.key", "<>", LINES_KEY)
    .where((where) => ("keys" in by ? where("e.key", "in", [...by.keys]) : where("e.lineage", "=", by.lineage)))
    .orderBy("e.seq", "desc")
    .execute();
  return rows.map(({ key, seq, lineage, hash, size, at, body, began }) => ({
    key,
    seq,
    lineage,
    size,
    hash: hash ?? "",
    body: body ?? undefined,
    createdAt: began.getTime(),
    updatedAt: at.getTime(),
  }));
}

function conditions({ lineage, operation, deviceId, since, until, before }: VersionsFrom): RawBuilder<unknown>[] {
  return [
    ...(lineage === undefined ? [] : [sql`v.lineage = ${lineage}`]),
    ...(operation === undefined ? [] : [sql`${OPERATION} = ${operation}`]),
    ...(deviceId === undefined ? [] : [sql`v.device_id = ${deviceId}`]),
    ...(since === undefined ? [] : [sql`v.at >= ${new Date(since)}`]),
    ...(until === undefined ? [] : [sql`v.at <= ${new Date(until)}`]),
    ...(before === undefined ? [] : [sql`v.seq < ${before}`]),
  ];
}

const OPERATION = sql<MemoryVersionRow["operation"]>`case when v.state = 'deleted' then 'deleted'
  when exists (select 1 from versions o where o.space_id = v.space_id and o.lineage = v.lineage and o.seq < v.seq)
  then 'modified' else 'created' end`;

/** The mark comes from the push, and stays when the version is redacted. */
const HALF_A_RENAME = sql<boolean>`(v.state = 'deleted' and exists (select 1 from versions o
  where o.space_id = v.space_id and o.lineage = v.lineage and o.mark = v.mark and o.state = 'live'))`;

interface VersionLine {
  seq: number;
  lineage: string;
  key: string;
  hash: string | null;
  size: number | null;
  body: Uint8Array | null;
  at: Date;
  device_id: string;
  operation: MemoryVersionRow["operation"];
  redacted_at: Date | null;
  redacted_by: string | null;
}

/**
 * Versions that can still be shown: those with text, deletions, and redacted ones. The half of a rename that removes
 * the old name is not a separate change.
 */
async function versions(
  db: Database,
  spaceId: string,
  where: readonly RawBuilder<unknown>[],
  limit: number,
  full: boolean,
): Promise<readonly MemoryVersionRow[]> {
  const shown = [
    sql`v.space_id = ${spaceId}`,
    sql`v.state <> 'forgotten'`,
    sql`v.key <> ${LINES_KEY}`,
    sql`(v.state = 'deleted' or v.body is not null or v.reason <> '')`,
    sql`not ${HALF_A_RENAME}`,
    ...where,
  ];
  const { rows } = await sql<VersionLine>`
    select v.seq, v.lineage, v.key, v.hash, octet_length(v.body) as size, v.at, v.device_id,
      case when ${full} then v.body end as body, ${OPERATION} as operation,
      coalesce(v.redacted_at, f.at) as redacted_at, coalesce(v.redacted_by, f.device_id) as redacted_by
    from versions v left join forgotten f on f.space_id = v.space_id and f.lineage = v.lineage
    where ${sql.join(shown, sql` and `)} order by v.seq desc limit ${limit}`.execute(db);
  return rows.map(versionOf);
}

function versionOf(row: VersionLine): MemoryVersionRow {
  const { seq, lineage, operation, key, hash, size, body } = row;
  const redacted =
    row.redacted_at === null ? undefined : { at: row.redacted_at.getTime(), by: row.redacted_by ?? row.device_id };
  const held = { key, hash: hash ?? undefined, size: size ?? undefined, body: body ?? undefined };
  return {
    seq,
    lineage,
    operation,
    at: row.at.getTime(),
    deviceId: row.device_id,
    held: redacted === undefined ? held : undefined,
    redacted,
  };
}

/** Changes that the memory API makes in a space whose row is locked. */
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
        .set({ ...withoutWords("redacted"), redacted_at: new Date(at), redacted_by: deviceId })
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
