import { type Kysely, sql, type Transaction } from "kysely";
import type {
  EntryWithBody,
  LockedSpace,
  NoteTables,
  PushWrite,
  SpaceRow,
  Standing,
  VersionRow,
} from "../../core/server/tables.ts";
import { compact } from "./compact.ts";
import { lockedMemories } from "./memory-tables.ts";
import { retried, entryRow, spaceRow, stateOf, versionColumns, versionHead, versionRow, withoutWords } from "./rows.ts";
import type { Schema } from "./schema.ts";

type Database = Kysely<Schema>;

/** The notes of all spaces in PostgreSQL, on a server or embedded. */
export function noteTables(db: Database): NoteTables {
  return {
    locked: (spaceId, work) =>
      retried(() =>
        db.transaction().execute(async (tx) => {
          // The only lock. It makes the order of commits match the order of numbers, so a cursor never skips a change.
          const row = await tx
            .selectFrom("spaces")
            .selectAll()
            .where("space_id", "=", spaceId)
            .forUpdate()
            .executeTakeFirst();
          return row === undefined ? undefined : work(lockedSpace(tx, spaceRow(row)));
        }),
      ),
    standing: (spaceId, cursor, top) => standing(db, spaceId, cursor, top),
    sizes: (spaceId, after, upTo, limit) =>
      db
        .selectFrom("entries")
        .select(["seq", "size"])
        .where("space_id", "=", spaceId)
        .where("seq", ">", after)
        .where("seq", "<=", upTo)
        .orderBy("seq")
        .limit(limit)
        .execute(),
    async changes(spaceId, after, upTo, limit) {
      const rows = await withBodies(db, spaceId)
        .where("e.seq", ">", after)
        .where("e.seq", "<=", upTo)
        // The same range again, so that both tables are read in one stretch each.
        .where("v.seq", ">", after)
        .where("v.seq", "<=", upTo)
        .orderBy("e.seq")
        .limit(limit)
        .execute();
      return rows.map(entryWithBody);
    },
    async marks(spaceId, seqs) {
      if (seqs.length === 0) return new Map();
      const rows = await db
        .selectFrom("versions")
        .select(["seq", "mark"])
        .where("space_id", "=", spaceId)
        .where("seq", "in", [...seqs])
        .execute();
      return new Map(rows.map(({ seq, mark }) => [seq, mark]));
    },
    async entry(spaceId, key) {
      const row = await withBodies(db, spaceId).where("e.key", "=", key).executeTakeFirst();
      return row === undefined ? undefined : entryWithBody(row);
    },
    ...pastTables(db),
    ...replicaTables(db),
    compact: (spaceId, before) => retried(() => compact(db, spaceId, before)),
  };
}

function pastTables(db: Database): Pick<NoteTables, "versions" | "version" | "forgetOf" | "forgets"> {
  return {
    async versions(spaceId, key, limit) {
      const rows = await db
        .selectFrom("versions")
        .select(VERSION_HEAD)
        .where("space_id", "=", spaceId)
        .where("key", "=", key)
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(versionHead);
    },
    async version(spaceId, seq) {
      const row = await db
        .selectFrom("versions")
        .selectAll()
        .where("space_id", "=", spaceId)
        .where("seq", "=", seq)
        .executeTakeFirst();
      return row === undefined ? undefined : versionRow(row);
    },
    async forgetOf(spaceId, lineage) {
      const row = await db
        .selectFrom("forgotten")
        .select(["seq", "at"])
        .where("space_id", "=", spaceId)
        .where("lineage", "=", lineage)
        .executeTakeFirst();
      return row === undefined ? undefined : { seq: row.seq, at: row.at.getTime() };
    },
    async forgets(spaceId, limit) {
      const rows = await db
        .selectFrom("forgotten")
        .select(["lineage", "seq", "at"])
        .where("space_id", "=", spaceId)
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(({ lineage, seq, at }) => ({ lineage, seq, at: at.getTime() }));
    },
  };
}

function replicaTables(db: Database): Pick<NoteTables, "seen" | "replicas"> {
  return {
    async seen(spaceId, deviceId, cursor, at) {
      await db
        .insertInto("replicas")
        .values({ space_id: spaceId, device_id: deviceId, cursor, seen_at: new Date(at) })
        .onConflict((conflict) =>
          conflict.columns(["space_id", "device_id"]).doUpdateSet({ cursor, seen_at: new Date(at) }),
        )
        .execute();
    },
    async replicas(spaceId) {
      const rows = await db
        .selectFrom("replicas as r")
        .innerJoin("devices as d", "d.device_id", "r.device_id")
        .innerJoin("users as u", "u.user_id", "d.user_id")
        .select(["r.device_id", "d.name", "u.login", "r.cursor", "r.seen_at"])
        .where("r.space_id", "=", spaceId)
        .orderBy("r.seen_at", "desc")
        .execute();
      return rows.map((row) => ({
        deviceId: row.device_id,
        device: row.name,
        login: row.login,
        cursor: row.cursor,
        seenAt: row.seen_at.getTime(),
      }));
    },
  };
}

const VERSION_HEAD = [
  "space_id",
  "seq",
  "key",
  "state",
  "hash",
  "lineage",
  "base",
  "device_id",
  "push_id",
  "actor",
  "reason",
  "at",
  "mark",
] as const;

async function standing(db: Database, spaceId: string, cursor: number, top: number): Promise<Standing | undefined> {
  const row = await db
    .selectFrom("spaces as s")
    .leftJoin("versions as c", (join) => join.onRef("c.space_id", "=", "s.space_id").on("c.seq", "=", cursor))
    .leftJoin("versions as t", (join) => join.onRef("t.space_id", "=", "s.space_id").on("t.seq", "=", top))
    .selectAll("s")
    .select(["c.mark as cursorMark", "t.mark as topMark"])
    .where("s.space_id", "=", spaceId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { space: spaceRow(row), cursorMark: row.cursorMark ?? undefined, topMark: row.topMark ?? undefined };
}

/** The hash of the text that a removal removed. A join would look up a version for every row. */
const REMOVED_HASH = sql<string | null>`case when e.state = 'deleted' then
  (select w.hash from versions w where w.space_id = e.space_id and w.seq = v.base) end`;

function withBodies(db: Database, spaceId: string) {
  return db
    .selectFrom("entries as e")
    .innerJoin("versions as v", (join) => join.onRef("v.space_id", "=", "e.space_id").onRef("v.seq", "=", "e.seq"))
    .select(["e.key", "e.fold", "e.seq", "e.state", "e.hash", "e.lineage", "e.size"])
    .select(["v.body", "v.actor", "v.reason", "v.device_id", "v.at", "v.mark", "v.base"])
    .select(REMOVED_HASH.as("was"))
    .where("e.space_id", "=", spaceId);
}

type RowWithBody = Awaited<ReturnType<ReturnType<typeof withBodies>["execute"]>>[number];

function entryWithBody(row: RowWithBody): EntryWithBody {
  return {
    ...entryRow(row),
    body: row.body ?? undefined,
    actor: row.actor,
    reason: row.reason,
    deviceId: row.device_id,
    at: row.at.getTime(),
    mark: row.mark,
    base: row.base,
    was: row.was ?? undefined,
  };
}

export function lockedSpace(tx: Transaction<Schema>, space: SpaceRow): LockedSpace {
  const { spaceId } = space;
  return {
    space,
    async answered(pushId) {
      const rows = await tx
        .selectFrom("versions")
        .select(["key", "seq", "state", "hash", "lineage", "base"])
        .where("space_id", "=", spaceId)
        .where("push_id", "=", pushId)
        .execute();
      return rows.map((row) => ({ ...row, state: stateOf(row.state), hash: row.hash ?? undefined }));
    },
    async forgotten(lineages) {
      if (lineages.length === 0) return new Map();
      const rows = await tx
        .selectFrom("forgotten")
        .select(["lineage", "seq"])
        .where("space_id", "=", spaceId)
        .where("lineage", "in", [...lineages])
        .execute();
      return new Map(rows.map(({ lineage, seq }) => [lineage, seq]));
    },
    async entries({ keys, folds, lineages }) {
      const rows = await tx
        .selectFrom("entries")
        .select(["key", "fold", "seq", "state", "hash", "lineage", "size"])
        .where("space_id", "=", spaceId)
        .where((by) =>
          by.or([
            ...(keys.length > 0 ? [by("key", "in", [...keys])] : []),
            ...(folds.length > 0 ? [by("fold", "in", [...folds])] : []),
            ...(lineages.length > 0 ? [by("lineage", "in", [...lineages])] : []),
          ]),
        )
        .execute();
      return rows.map(entryRow);
    },
    write: (write) => writePush(tx, spaceId, write),
    ...lockedMemories(tx, spaceId),
  };
}

async function writePush(tx: Transaction<Schema>, spaceId: string, write: PushWrite): Promise<void> {
  await purge(tx, spaceId, write);
  await tx
    .insertInto("versions")
    .values(write.versions.map((version) => versionColumns(spaceId, version)))
    .execute();
  const gone = write.gone ?? [];
  if (gone.length > 0)
    await tx
      .deleteFrom("entries")
      .where("space_id", "=", spaceId)
      .where("key", "in", [...gone])
      .execute();
  await writeEntries(
    tx,
    spaceId,
    latest(write.versions).filter(({ key }) => !gone.includes(key)),
  );
  await tx
    .updateTable("spaces")
    .set({ head: write.head, mark: write.mark, live_entries: write.liveEntries, live_bytes: write.liveBytes })
    .where("space_id", "=", spaceId)
    .execute();
}

async function writeEntries(tx: Transaction<Schema>, spaceId: string, versions: PushWrite["versions"]): Promise<void> {
  if (versions.length === 0) return;
  await tx
    .insertInto("entries")
    .values(versions.map((version) => ({ space_id: spaceId, ...entryColumns(version) })))
    .onConflict((conflict) =>
      conflict.columns(["space_id", "key"]).doUpdateSet((by) => ({
        fold: by.ref("excluded.fold"),
        seq: by.ref("excluded.seq"),
        state: by.ref("excluded.state"),
        hash: by.ref("excluded.hash"),
        lineage: by.ref("excluded.lineage"),
        size: by.ref("excluded.size"),
      })),
    )
    .execute();
}

function latest<V extends VersionRow>(versions: readonly V[]): readonly V[] {
  return [...new Map(versions.map((version) => [version.key, version])).values()];
}

function entryColumns({ key, fold, seq, state, hash, lineage, size }: PushWrite["versions"][number]) {
  return { key, fold, seq, state, hash: hash ?? null, lineage, size };
}

/** Removes text, hash and name from every version of a forgotten lineage, under any name. */
async function purge(tx: Transaction<Schema>, spaceId: string, { forgotten, versions }: PushWrite): Promise<void> {
  const [first] = versions;
  if (forgotten.length === 0 || first === undefined) return;
  const lineages = forgotten.map(({ lineage }) => lineage);
  await tx.deleteFrom("entries").where("space_id", "=", spaceId).where("lineage", "in", lineages).execute();
  await tx
    .updateTable("versions")
    .set(withoutWords("forgotten"))
    .where("space_id", "=", spaceId)
    .where("lineage", "in", lineages)
    .execute();
  await tx
    .insertInto("forgotten")
    .values(
      forgotten.map(({ lineage, seq }) => ({
        space_id: spaceId,
        lineage,
        seq,
        at: new Date(first.at),
        device_id: first.deviceId,
      })),
    )
    .execute();
}
