import { sql, type Kysely, type Selectable } from "kysely";
import {
  DREAM_STATUSES,
  type DreamEnd,
  type DreamFinish,
  type DreamRow,
  type DreamTables,
  type DreamUsage,
} from "../../core/server/dreams.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { parseJson, record } from "../../core/shared/json.ts";
import { lockedSpace } from "./note-tables.ts";
import { retried, spaceColumns, spaceRow } from "./rows.ts";
import type { DreamColumns, Schema } from "./schema.ts";

type Database = Kysely<Schema>;

/** Statements that create the schema of these tables; a step of `MIGRATIONS`. */
export const DREAM_MIGRATION: readonly string[] = [
  `create table dream_sessions (
     session_id text primary key, user_id uuid not null, created_at timestamptz not null, body text not null)`,
  `create table dreams (
     dream_id uuid primary key, user_id uuid not null, login text not null, device_id uuid not null,
     space_id uuid not null, session_ids text not null, updates boolean not null, model text not null,
     instructions text, status text not null, created_at timestamptz not null, ended_at timestamptz,
     archived_at timestamptz, output_id uuid, error text, usage text not null,
     holder uuid, held_until timestamptz)`,
  `create index dreams_by_user on dreams (user_id, created_at)`,
  `create index dreams_by_space on dreams (space_id)`,
];

const OPEN = ["pending", "running"] as const;

export function dreamTables(db: Database): DreamTables {
  return {
    ...sessionTables(db),
    addDream: (dream, most) => retried(() => addDream(db, dream, most)),
    async dream(userId, dreamId) {
      const row = await db
        .selectFrom("dreams")
        .selectAll()
        .where("dream_id", "=", dreamId)
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return row === undefined ? undefined : dreamRow(row);
    },
    async dreams(userId, { statuses, archived, since, until, after, limit }) {
      const rows = await db
        .selectFrom("dreams")
        .selectAll()
        .where("user_id", "=", userId)
        .where("status", "in", [...statuses])
        .$if(!archived, (query) => query.where("archived_at", "is", null))
        .$if(since !== undefined, (query) => query.where("created_at", ">", new Date(since ?? 0)))
        .$if(until !== undefined, (query) => query.where("created_at", "<", new Date(until ?? 0)))
        .$if(after !== undefined, (query) =>
          query.where(
            sql<boolean>`(created_at, dream_id) < (${new Date(after?.createdAt ?? 0)}, ${after?.dreamId ?? ""}::uuid)`,
          ),
        )
        .orderBy("created_at", "desc")
        .orderBy("dream_id", "desc")
        .limit(limit)
        .execute();
      return rows.map(dreamRow);
    },
    endDream: (dreamId, end) => endOpen(db, dreamId, end),
    async archiveDream(dreamId, at) {
      await db
        .updateTable("dreams")
        .set({ archived_at: new Date(at) })
        .where("dream_id", "=", dreamId)
        .execute();
    },
    ...holdingTables(db),
    finishDream: (dream, work) => retried(() => finishDream(db, dream, work)),
  };
}

function addDream(db: Database, dream: DreamRow, most: number): Promise<Awaited<ReturnType<DreamTables["addDream"]>>> {
  return db.transaction().execute(async (tx) => {
    // Serialises simultaneous requests.
    await tx.selectFrom("spaces").select("head").where("space_id", "=", dream.spaceId).forUpdate().execute();
    const open = await tx
      .selectFrom("dreams")
      .select(["dream_id", "user_id", "space_id", "updates"])
      .where("status", "in", OPEN)
      .where((by) => by.or([by("user_id", "=", dream.userId), by("space_id", "=", dream.spaceId)]))
      .execute();
    const holder = open.find((one) => one.updates && one.space_id === dream.spaceId);
    if (dream.updates && holder !== undefined) return { kind: "held", by: holder.dream_id };
    if (open.filter((one) => one.user_id === dream.userId).length >= most) return { kind: "too-many" };
    await tx.insertInto("dreams").values(dreamColumns(dream)).execute();
    return { kind: "added" };
  });
}

function finishDream<T>(
  db: Database,
  { dreamId, spaceId }: Pick<DreamRow, "dreamId" | "spaceId">,
  work: (finish: DreamFinish) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom("spaces")
      .selectAll()
      .where("space_id", "=", spaceId)
      .forUpdate()
      .executeTakeFirst();
    const dream = await tx
      .selectFrom("dreams")
      .select("status")
      .where("dream_id", "=", dreamId)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined || dream?.status !== "running") return undefined;
    return work({
      input: lockedSpace(tx, spaceRow(row)),
      async addStore(space, userId) {
        await tx.insertInto("spaces").values(spaceColumns(space)).execute();
        await tx
          .insertInto("members")
          .values({
            space_id: space.spaceId,
            user_id: userId,
            role: "admin",
            source: "owner",
            checked_at: new Date(space.createdAt),
          })
          .execute();
        return lockedSpace(tx, space);
      },
      end: async (end) => void (await endOpen(tx, dreamId, end)),
    });
  });
}

function sessionTables(db: Database): Pick<DreamTables, "addSession" | "sessions" | "removeSession" | "dropSessions"> {
  return {
    async addSession({ sessionId, userId, createdAt, body }) {
      const row = { session_id: sessionId, user_id: userId, created_at: new Date(createdAt), body };
      await db.insertInto("dream_sessions").values(row).execute();
    },
    async sessions(userId, ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("dream_sessions")
        .selectAll()
        .where("user_id", "=", userId)
        .where("session_id", "in", [...ids])
        .execute();
      return rows.map(({ session_id: sessionId, created_at: at, body }) => ({
        sessionId,
        userId,
        createdAt: at.getTime(),
        body,
      }));
    },
    async removeSession(userId, sessionId) {
      const { numDeletedRows } = await db
        .deleteFrom("dream_sessions")
        .where("user_id", "=", userId)
        .where("session_id", "=", sessionId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async dropSessions(before) {
      const { numDeletedRows } = await db
        .deleteFrom("dream_sessions")
        .where("created_at", "<", new Date(before))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function holdingTables(db: Database): Pick<DreamTables, "takeDream" | "holdDream" | "leaveDream" | "failLost"> {
  return {
    takeDream: (holder, until) =>
      retried(() =>
        db.transaction().execute(async (tx) => {
          const row = await tx
            .selectFrom("dreams")
            .selectAll()
            .where("status", "=", "pending")
            .orderBy("created_at")
            .limit(1)
            .forUpdate()
            .skipLocked()
            .executeTakeFirst();
          if (row === undefined) return undefined;
          const taken = { status: "running", holder, held_until: new Date(until) };
          await tx.updateTable("dreams").set(taken).where("dream_id", "=", row.dream_id).execute();
          return dreamRow({ ...row, status: "running" });
        }),
      ),
    async holdDream(dreamId, holder, until) {
      const { numUpdatedRows } = await db
        .updateTable("dreams")
        .set({ held_until: new Date(until) })
        .where("dream_id", "=", dreamId)
        .where("holder", "=", holder)
        .where("status", "=", "running")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async leaveDream(dreamId, holder) {
      await db
        .updateTable("dreams")
        .set({ status: "pending", holder: null, held_until: null })
        .where("dream_id", "=", dreamId)
        .where("holder", "=", holder)
        .where("status", "=", "running")
        .execute();
    },
    async failLost(now, error) {
      const at = new Date(now);
      await db
        .updateTable("dreams")
        .set({ status: "failed", ended_at: at, error: JSON.stringify(error), holder: null })
        .where("status", "=", "running")
        .where("held_until", "<", at)
        .execute();
    },
  };
}

async function endOpen(db: Database, dreamId: string, end: DreamEnd): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("dreams")
    .set({
      status: end.status,
      ended_at: new Date(end.at),
      holder: null,
      ...(end.outputId !== undefined && { output_id: end.outputId }),
      ...(end.error !== undefined && { error: JSON.stringify(end.error) }),
      ...(end.usage !== undefined && { usage: JSON.stringify(end.usage) }),
    })
    .where("dream_id", "=", dreamId)
    .where("status", "in", OPEN)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function dreamColumns(dream: DreamRow): DreamColumns {
  return {
    dream_id: dream.dreamId,
    user_id: dream.userId,
    login: dream.login,
    device_id: dream.deviceId,
    space_id: dream.spaceId,
    session_ids: JSON.stringify(dream.sessionIds),
    updates: dream.updates,
    model: dream.model,
    instructions: dream.instructions ?? null,
    status: dream.status,
    created_at: new Date(dream.createdAt),
    ended_at: null,
    archived_at: null,
    output_id: null,
    error: null,
    usage: JSON.stringify(dream.usage),
    holder: null,
    held_until: null,
  };
}

function dreamRow(row: Selectable<DreamColumns>): DreamRow {
  const status = DREAM_STATUSES.find((one) => one === row.status);
  if (status === undefined) throw new MemoryError("corrupt", `The database holds the unknown status ${row.status}.`);
  const ids: unknown = parseJson(row.session_ids);
  const { type, message } = record(parseJson(row.error ?? ""));
  const usage = record(parseJson(row.usage));
  const count = (name: keyof DreamUsage): number => Number(usage[name] ?? 0);
  return {
    dreamId: row.dream_id,
    userId: row.user_id,
    login: row.login,
    deviceId: row.device_id,
    spaceId: row.space_id,
    sessionIds: Array.isArray(ids) ? ids.map(String) : [],
    updates: row.updates,
    model: row.model,
    instructions: row.instructions ?? undefined,
    status,
    createdAt: row.created_at.getTime(),
    endedAt: row.ended_at?.getTime(),
    archivedAt: row.archived_at?.getTime(),
    outputId: row.output_id ?? undefined,
    error: row.error === null ? undefined : { type: String(type), message: String(message) },
    usage: {
      input: count("input"),
      output: count("output"),
      cacheRead: count("cacheRead"),
      cacheWrite: count("cacheWrite"),
    },
  };
}
