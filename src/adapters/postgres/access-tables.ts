import { sql, type Kysely } from "kysely";
import type { AccessTables, Caller, TokenRow, IdentityTables } from "../../core/server/tables.ts";
import { retried, roleOf, spaceColumns, spaceRow } from "./rows.ts";
import type { Schema } from "./schema.ts";

/** Users as their providers identify them, and tables of the whole server. */
export function identityTables(db: Kysely<Schema>): IdentityTables {
  return {
    async userOf(provider, providerId) {
      const row = await db
        .selectFrom("identities as i")
        .innerJoin("users as u", "u.user_id", "i.user_id")
        .select(["u.user_id", "u.login", "u.disabled_at"])
        .where("i.provider", "=", provider)
        .where("i.provider_id", "=", providerId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return { userId: row.user_id, login: row.login, isDisabled: row.disabled_at !== null };
    },
    async saveIdentity({ provider, providerId, userId, sealedToken, at }) {
      const changed = { sealed_token: sealedToken ?? null, at: new Date(at) };
      await db
        .insertInto("identities")
        .values({ provider, provider_id: providerId, user_id: userId, ...changed })
        .onConflict((conflict) => conflict.columns(["provider", "provider_id"]).doUpdateSet(changed))
        .execute();
    },
    async sealedToken(userId, provider) {
      const row = await db
        .selectFrom("identities")
        .select("sealed_token")
        .where("user_id", "=", userId)
        .where("provider", "=", provider)
        .executeTakeFirst();
      return row?.sealed_token ?? undefined;
    },
    async space(spaceId) {
      const row = await db.selectFrom("spaces").selectAll().where("space_id", "=", spaceId).executeTakeFirst();
      return row === undefined ? undefined : spaceRow(row);
    },
    async dropMember(spaceId, userId) {
      await db.deleteFrom("members").where("space_id", "=", spaceId).where("user_id", "=", userId).execute();
    },
    async membership(spaceId, userId) {
      const row = await db
        .selectFrom("members")
        .select(["role", "source", "checked_at"])
        .where("space_id", "=", spaceId)
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return row === undefined ? undefined : { source: row.source, checkedAt: row.checked_at.getTime() };
    },
  };
}

type Database = Kysely<Schema>;

/** Users, tokens, spaces, their members and the audit log. */
export function accessTables(db: Database): AccessTables {
  return { ...userTables(db), ...tokenTables(db), ...spaceTables(db), ...memberTables(db), ...auditTables(db) };
}

function userTables(db: Database): Pick<AccessTables, "caller" | "userByLogin" | "hasOwner" | "addUser" | "probe"> {
  return {
    caller: (tokenHash, spaceId, now) => callerOf(db, tokenHash, spaceId, now),
    async userByLogin(login) {
      const row = await db
        .selectFrom("users")
        .select(["user_id", "owner"])
        .where("login", "=", login)
        .executeTakeFirst();
      return row === undefined ? undefined : { userId: row.user_id, owner: row.owner };
    },
    async hasOwner() {
      const row = await db.selectFrom("users").select("user_id").where("owner", "=", true).limit(1).executeTakeFirst();
      return row !== undefined;
    },
    async addUser({ userId, login, owner, at }) {
      await db
        .insertInto("users")
        .values({ user_id: userId, login, owner, created_at: new Date(at), disabled_at: null })
        .execute();
    },
    async probe(at) {
      const moment = new Date(at);
      await db
        .insertInto("probes")
        .values({ id: 1, at: moment })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ at: moment }))
        .execute();
      await db.selectFrom("probes").select("at").where("id", "=", 1).executeTakeFirstOrThrow();
    },
  };
}

/** One statement, because every request needs it. */
async function callerOf(
  db: Database,
  tokenHash: string,
  spaceId: string | undefined,
  now: number,
): ReturnType<AccessTables["caller"]> {
  const row = await db
    .selectFrom("tokens as t")
    .innerJoin("users as u", "u.user_id", "t.user_id")
    .leftJoin("members as m", (join) =>
      join.onRef("m.user_id", "=", "t.user_id").on("m.space_id", "=", spaceId ?? NO_SPACE),
    )
    .select(["t.token_id", "t.user_id", "t.device_id", "t.scope_role", "t.scope_space", "t.expires_at"])
    .select(["u.login", "u.owner", "m.role", "m.source", "m.checked_at"])
    .where("t.token_hash", "=", tokenHash)
    .where("t.revoked_at", "is", null)
    .where("u.disabled_at", "is", null)
    .where((by) => by.or([by("t.expires_at", "is", null), by("t.expires_at", ">", new Date(now))]))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { role, source, checked_at: checkedAt } = row;
  const isMember = role !== null && source !== null && checkedAt !== null;
  return {
    caller: caller(row),
    role: isMember ? roleOf(role) : undefined,
    membership: isMember ? { source, checkedAt: checkedAt.getTime() } : undefined,
  };
}

const NO_SPACE = "00000000-0000-0000-0000-000000000000";

function caller(row: {
  user_id: string;
  login: string;
  device_id: string;
  owner: boolean;
  token_id: string;
  scope_role: string;
  scope_space: string | null;
  expires_at: Date | null;
}): Caller {
  return {
    userId: row.user_id,
    login: row.login,
    deviceId: row.device_id,
    owner: row.owner,
    tokenId: row.token_id,
    tokenRole: roleOf(row.scope_role),
    tokenSpace: row.scope_space ?? undefined,
    expiresAt: row.expires_at?.getTime(),
  };
}

function tokenTables(db: Database): Pick<AccessTables, "addToken" | "tokens" | "revokeToken"> {
  return {
    addToken: (token) => addToken(db, token),
    async tokens(userId) {
      const rows = await db
        .selectFrom("tokens as t")
        .innerJoin("users as u", "u.user_id", "t.user_id")
        .innerJoin("devices as d", "d.device_id", "t.device_id")
        .selectAll("t")
        .select(["u.login", "u.owner", "d.name"])
        .$if(userId !== undefined, (query) => query.where("t.user_id", "=", userId ?? NO_SPACE))
        .orderBy("t.created_at")
        .execute();
      return rows.map((row) => ({
        ...caller(row),
        tokenHash: row.token_hash,
        device: row.name,
        createdAt: row.created_at.getTime(),
        revokedAt: row.revoked_at?.getTime(),
      }));
    },
    async revokeToken(tokenId, userId, at) {
      const { numUpdatedRows } = await db
        .updateTable("tokens")
        .set({ revoked_at: new Date(at) })
        .where("token_id", "=", tokenId)
        .where("revoked_at", "is", null)
        .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? NO_SPACE))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

async function addToken(db: Database, token: TokenRow): Promise<void> {
  const createdAt = new Date(token.createdAt);
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto("devices")
      .values({ device_id: token.deviceId, user_id: token.userId, name: token.device, created_at: createdAt })
      .execute();
    await tx
      .insertInto("tokens")
      .values({
        token_hash: token.tokenHash,
        token_id: token.tokenId,
        user_id: token.userId,
        device_id: token.deviceId,
        scope_role: token.tokenRole,
        scope_space: token.tokenSpace ?? null,
        created_at: createdAt,
        expires_at: token.expiresAt === undefined ? null : new Date(token.expiresAt),
        revoked_at: null,
      })
      .execute();
  });
}

function spaceTables(db: Database): Pick<AccessTables, "addSpace" | "spacesOf" | "allSpaces"> {
  return {
    async addSpace(space, { userId, at, role = "admin", source = "owner" }) {
      await db.transaction().execute(async (tx) => {
        await tx.insertInto("spaces").values(spaceColumns(space)).execute();
        const columns = { space_id: space.spaceId, user_id: userId, role, source };
        await tx
          .insertInto("members")
          .values({ ...columns, checked_at: new Date(at) })
          .execute();
      });
    },
    async spacesOf(userId) {
      const rows = await db
        .selectFrom("members as m")
        .innerJoin("spaces as s", "s.space_id", "m.space_id")
        .selectAll("s")
        .select(["m.role", "m.source", "m.checked_at"])
        .where("m.user_id", "=", userId)
        .orderBy("s.name")
        .orderBy("s.space_id")
        .execute();
      return rows.map((row) => ({
        ...spaceRow(row),
        role: roleOf(row.role),
        source: row.source,
        checkedAt: row.checked_at.getTime(),
      }));
    },
    async allSpaces() {
      const rows = await db.selectFrom("spaces").selectAll().execute();
      return rows.map(spaceRow);
    },
  };
}

function memberTables(db: Database): Pick<AccessTables, "members" | "setMember" | "removeMember"> {
  return {
    async members(spaceId) {
      const rows = await db
        .selectFrom("members as m")
        .innerJoin("users as u", "u.user_id", "m.user_id")
        .select(["m.user_id", "u.login", "m.role", "m.source"])
        .where("m.space_id", "=", spaceId)
        .orderBy("u.login")
        .execute();
      return rows.map(({ user_id, login, role, source }) => ({ userId: user_id, login, role: roleOf(role), source }));
    },
    async setMember(spaceId, { userId, role, source, at }) {
      const changed = { role, source, checked_at: new Date(at) };
      await db
        .insertInto("members")
        .values({ space_id: spaceId, user_id: userId, ...changed })
        .onConflict((conflict) => conflict.columns(["space_id", "user_id"]).doUpdateSet(changed))
        .execute();
    },
    removeMember: (spaceId, userId) =>
      retried(() =>
        db.transaction().execute(async (tx) => {
          // Serialises two admins who remove each other at the same moment.
          await tx.selectFrom("spaces").select("head").where("space_id", "=", spaceId).forUpdate().execute();
          const rows = await tx
            .selectFrom("members")
            .select(["user_id", "role"])
            .where("space_id", "=", spaceId)
            .execute();
          if (!rows.some((row) => row.user_id === userId)) return "not-found";
          if (!rows.some((row) => row.user_id !== userId && row.role === "admin")) return "last-admin";
          await tx.deleteFrom("members").where("space_id", "=", spaceId).where("user_id", "=", userId).execute();
          return "removed";
        }),
      ),
  };
}

function auditTables(db: Database): Pick<AccessTables, "audit" | "auditRows"> {
  return {
    async audit(spaceId, { at, userId, deviceId, action, detail }) {
      await db
        .insertInto("audit")
        .values({
          space_id: spaceId,
          at: new Date(at),
          id: sql<string>`gen_random_uuid()`,
          user_id: userId,
          device_id: deviceId,
          action,
          detail: JSON.stringify(detail),
        })
        .execute();
    },
    async auditRows(spaceId, limit) {
      const rows = await db
        .selectFrom("audit as a")
        .leftJoin("users as u", "u.user_id", "a.user_id")
        .select(["a.at", "a.user_id", "a.device_id", "a.action", "a.detail", "u.login"])
        .where("a.space_id", "=", spaceId)
        .orderBy("a.at", "desc")
        .orderBy("a.id")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        at: row.at.getTime(),
        userId: row.user_id,
        deviceId: row.device_id,
        action: row.action,
        detail: row.detail,
        login: row.login ?? undefined,
      }));
    },
  };
}
