import { STORE_KIND, storeId } from "../../core/server/memory-names.ts";
import type { LockedSpace, SpaceRow } from "../../core/server/tables.ts";
import { findSecrets } from "../../core/shared/secrets/find-secrets.ts";
import { spaceFor } from "./access.ts";
import { type Access, denied, isDenial, type Denial, forgetting, type Ground, record } from "./ports.ts";
import { pageToken, pairsFault, type Page, type StoreWords, type Times } from "./memory-requests.ts";
import { newSpaceRow, refuseMaker, refuseMore } from "./spaces.ts";

export { spaceIdOf } from "../../core/server/memory-names.ts";

/** A store as the memory API shows it. */
export interface StoreShown {
  readonly id: string;
  readonly type: "memory_store";
  readonly name: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
}

export interface Listed<T> {
  readonly data: readonly T[];
  readonly next_page: string | null;
}

export interface Stores {
  create(access: Access, words: StoreWords & { readonly name: string }): Promise<StoreShown | Denial>;
  read(access: Access): Promise<StoreShown | Denial>;
  list(access: Access, filter: Times & { readonly archived: boolean }, page: Page): Promise<Listed<StoreShown>>;
  update(access: Access, words: StoreWords): Promise<StoreShown | Denial>;
  archive(access: Access): Promise<StoreShown | Denial>;
  remove(access: Access): Promise<{ readonly id: string; readonly type: "memory_store_deleted" } | Denial>;
}

export const NO_STORE = denied("not-found", "There is no such memory store, or you are not a member of it.");
export const ARCHIVED = denied("invalid", "The memory store is archived: nothing in it can be made or changed.");
const SYNCED = denied(
  "conflict",
  "Devices sync this space under its name: it is not renamed, archived or deleted here.",
);

export function storesOf(ground: Ground): Stores {
  const { tables } = ground.database;
  return {
    create: (access, words) => create(ground, access, words),
    async read(access) {
      const space = await storeOf(ground, access, "read");
      return isDenial(space) ? space : shown(space);
    },
    async list({ caller }, { since = -Infinity, until = Infinity, archived }, { limit, after }) {
      const rows = (await tables.spacesOf(caller.userId)).filter(
        ({ spaceId, sealed, createdAt, archivedAt }) =>
          !sealed &&
          (caller.tokenSpace === undefined || caller.tokenSpace === spaceId) &&
          (archived || archivedAt === undefined) &&
          createdAt >= since &&
          createdAt <= until,
      );
      const from = rows
        .filter((row) => after === undefined || placeOf(row) > after)
        .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
      const data = from.slice(0, limit);
      const last = data.at(-1);
      return {
        data: data.map(shown),
        next_page: last === undefined || from.length <= limit ? null : pageToken(placeOf(last)),
      };
    },
    update: (access, words) => update(ground, access, words),
    async archive(access) {
      const done = await change(ground, access, "archive-store", async (locked) => {
        const { space } = locked;
        if (space.archivedAt !== undefined) return space;
        const now = ground.clock.now();
        const archived = { ...space, archivedAt: now, updatedAt: now };
        await locked.describe(archived);
        return archived;
      });
      return isDenial(done) ? done : shown(done);
    },
    async remove(access) {
      // The content of the store must leave the disk, like forgotten notes.
      const done = await forgetting(ground, () =>
        change(ground, access, "delete-store", async (locked) => {
          await locked.erase();
          return locked.space;
        }),
      );
      if (isDenial(done)) return done;
      ground.activity.writes += 1;
      return { id: storeId(done.spaceId), type: "memory_store_deleted" };
    },
  };
}

/** The sort key of lists: newest first, then by id. */
function placeOf({ createdAt, spaceId }: SpaceRow): string {
  return `${String(Number.MAX_SAFE_INTEGER - createdAt).padStart(16, "0")} ${spaceId}`;
}

/** The store of a request, if the caller may do this there. Sealed spaces are excluded: names are encrypted. */
export async function storeOf(
  { database }: Ground,
  access: Access,
  action: Parameters<typeof spaceFor>[1],
): Promise<SpaceRow | Denial> {
  const spaceId = spaceFor(access, action);
  if (typeof spaceId !== "string") return spaceId.reason === "not-found" ? NO_STORE : spaceId;
  const space = await database.tables.space(spaceId);
  return space === undefined || space.sealed ? NO_STORE : space;
}

function shown(space: SpaceRow): StoreShown {
  const { spaceId, name, description, metadata, createdAt, updatedAt, archivedAt } = space;
  return {
    id: storeId(spaceId),
    type: "memory_store",
    name,
    description,
    metadata,
    created_at: moment(createdAt),
    updated_at: moment(updatedAt),
    archived_at: archivedAt === undefined ? null : moment(archivedAt),
  };
}

export function moment(ms: number): string {
  return new Date(ms).toISOString();
}

/** Checks every text of a write for secrets. */
export function secretIn(texts: readonly string[]): Denial | undefined {
  const rule = texts.flatMap((text) => findSecrets(text))[0]?.rule;
  return rule === undefined
    ? undefined
    : denied("secret", "What was sent holds what looks like a secret, so it was not stored.", { rule });
}

function secretInWords({ name = "", description = "", metadata = {} }: StoreWords): Denial | undefined {
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}: ${value ?? ""}`);
  return secretIn([name, description, ...pairs]);
}

async function create(
  ground: Ground,
  access: Access,
  words: StoreWords & { readonly name: string },
): Promise<StoreShown | Denial> {
  const { database, limits, clock } = ground;
  const mine = await database.tables.spacesOf(access.caller.userId);
  const refused = refuseMaker(access) ?? refuseMore(ground, mine.length) ?? secretInWords(words);
  if (refused !== undefined) return refused;
  const { name, description = "", metadata = {} } = words;
  const row: SpaceRow = {
    ...newSpaceRow(ground, { kind: STORE_KIND, name, identity: "", sealed: false }),
    maxEntries: limits.maxMemories,
    description,
    metadata: withoutNulls(metadata),
  };
  await database.tables.addSpace(row, { userId: access.caller.userId, at: clock.now() });
  await record(ground, access, row.spaceId, "create", { kind: row.kind });
  return shown(row);
}

async function update(ground: Ground, access: Access, words: StoreWords): Promise<StoreShown | Denial> {
  const space = await storeOf(ground, access, "manage");
  if (isDenial(space)) return space;
  const secret = secretInWords(words);
  if (secret !== undefined) return secret;
  const done = await ground.database.tables.locked(space.spaceId, async (locked) =>
    updateLocked(ground, locked, words),
  );
  if (done === undefined) return NO_STORE;
  if (isDenial(done)) return done;
  await record(ground, access, space.spaceId, "update-store", {});
  return shown(done);
}

async function updateLocked({ clock }: Ground, locked: LockedSpace, words: StoreWords): Promise<SpaceRow | Denial> {
  const { space } = locked;
  if (space.archivedAt !== undefined) return ARCHIVED;
  const { name = space.name, description = space.description } = words;
  if (name !== space.name && space.kind !== STORE_KIND) return SYNCED;
  const metadata = withoutNulls({ ...space.metadata, ...words.metadata });
  const fault = pairsFault(Object.keys(metadata).length);
  if (fault !== undefined) return fault;
  const next = { ...space, name, description, metadata, updatedAt: clock.now() };
  await locked.describe(next);
  return next;
}

function withoutNulls(pairs: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(pairs).flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}

/** Archives or deletes a store. Spaces that devices sync are refused. */
async function change(
  ground: Ground,
  access: Access,
  action: string,
  work: (locked: LockedSpace) => Promise<SpaceRow>,
): Promise<SpaceRow | Denial> {
  const space = await storeOf(ground, access, "manage");
  if (isDenial(space)) return space;
  if (space.kind !== STORE_KIND) return SYNCED;
  const done = await ground.database.tables.locked(space.spaceId, work);
  if (done === undefined) return NO_STORE;
  await record(ground, access, space.spaceId, action, {});
  return done;
}
