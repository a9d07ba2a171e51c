import type { Kysely } from "kysely";
import type { IdentityTables } from "../../core/server/tables.ts";
import type { Schema } from "./schema.ts";
import { spaceRow } from "./rows.ts";

/** Users as their providers know them, and what concerns the server and no space. */
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
