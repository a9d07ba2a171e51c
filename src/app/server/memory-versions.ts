import { redactVersion } from "../../core/server/memories.ts";
import { apiKeyId, memoryId, memoryVersionId, pathOf, seqOf, storeId } from "../../core/server/memory-names.ts";
import type { MemoryVersionRow, Operation } from "../../core/server/memory-tables.ts";
import type { SpaceRow } from "../../core/server/tables.ts";
import { type Access, denied, isDenial, type Denial, forgetting, type Ground, record } from "./ports.ts";
import { textOf } from "./memories.ts";
import { pageToken, type Page, type VersionFilter } from "./memory-requests.ts";
import { moment, NO_STORE, storeOf, type Listed } from "./stores.ts";

interface Actor {
  readonly type: "api_actor";
  readonly api_key_id: string;
}

/** A version as the memory API shows it. */
export interface MemoryVersionShown {
  readonly id: string;
  readonly type: "memory_version";
  readonly memory_id: string;
  readonly memory_store_id: string;
  readonly operation: Operation;
  readonly created_at: string;
  readonly created_by: Actor;
  readonly path: string | null;
  readonly content: string | null;
  readonly content_sha256: string | null;
  readonly content_size_bytes: number | null;
  readonly redacted_at: string | null;
  readonly redacted_by: Actor | null;
}

export interface MemoryVersions {
  read(access: Access, id: string, view: { readonly full: boolean }): Promise<MemoryVersionShown | Denial>;
  list(
    access: Access,
    filter: VersionFilter,
    page: Page,
    view: { readonly full: boolean },
  ): Promise<Listed<MemoryVersionShown> | Denial>;
  redact(access: Access, id: string): Promise<MemoryVersionShown | Denial>;
}

const NO_VERSION = denied("not-found", "There is no such memory version, or it is no longer kept.");
const HEAD = denied(
  "conflict",
  "This is the present version of a memory: change or delete the memory first, then redact the version.",
);

export function memoryVersionsOf(ground: Ground): MemoryVersions {
  const { tables } = ground.database;
  return {
    async read(access, id, { full }) {
      const space = await storeOf(ground, access, "read");
      return isDenial(space) ? space : readOne(ground, space, seqOf(id), full);
    },
    async list(access, filter, { limit, after }, { full }) {
      const space = await storeOf(ground, access, "read");
      if (isDenial(space)) return space;
      const before = after === undefined ? undefined : seqOf(after);
      if (filter.nothing || (after !== undefined && before === undefined)) return { data: [], next_page: null };
      const rows = await tables.memoryVersions(space.spaceId, { ...filter, before, limit: limit + 1 }, full);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map((row) => shown(space, row, full)),
        next_page: last === undefined || rows.length <= limit ? null : pageToken(memoryVersionId(last.seq)),
      };
    },
    async redact(access, id) {
      const space = await storeOf(ground, access, "write");
      return isDenial(space) ? space : redact(ground, access, space, seqOf(id));
    },
  };
}

async function readOne(
  { database }: Ground,
  space: SpaceRow,
  seq: number | undefined,
  full: boolean,
): Promise<MemoryVersionShown | Denial> {
  const row = seq === undefined ? undefined : await database.tables.memoryVersion(space.spaceId, seq, full);
  return row === undefined ? NO_VERSION : shown(space, row, full);
}

function shown(space: SpaceRow, row: MemoryVersionRow, full: boolean): MemoryVersionShown {
  const { held, operation, redacted } = row;
  const hasText = full && held !== undefined && operation !== "deleted";
  return {
    id: memoryVersionId(row.seq),
    type: "memory_version",
    memory_id: memoryId(row.lineage),
    memory_store_id: storeId(space.spaceId),
    operation,
    created_at: moment(row.at),
    created_by: { type: "api_actor", api_key_id: apiKeyId(row.deviceId) },
    path: held === undefined ? null : pathOf(held.key, space),
    content: hasText ? textOf(held.body) : null,
    content_sha256: held?.hash ?? null,
    content_size_bytes: held?.size ?? null,
    redacted_at: redacted === undefined ? null : moment(redacted.at),
    redacted_by: redacted === undefined ? null : { type: "api_actor", api_key_id: apiKeyId(redacted.by) },
  };
}

async function redact(
  ground: Ground,
  access: Access,
  space: SpaceRow,
  seq: number | undefined,
): Promise<MemoryVersionShown | Denial> {
  const { database, clock, random, activity } = ground;
  const { spaceId } = space;
  const version = seq === undefined ? undefined : await database.tables.memoryVersion(spaceId, seq, false);
  const row = version === undefined ? undefined : await database.tables.version(spaceId, version.seq);
  if (version === undefined || row === undefined) return NO_VERSION;
  if (version.redacted !== undefined) return shown(space, version, false);
  const { deviceId, login } = access.caller;
  const from = { pushId: `api:${random.uuid()}`, deviceId, actor: login, at: clock.now(), mark: random.mark() };
  const done = await forgetting(ground, () =>
    database.tables.locked(spaceId, (locked) => redactVersion(locked, version, from)),
  );
  if (done === undefined) return NO_STORE;
  if (done === "head") return HEAD;
  // So that a restored backup learns of it.
  const forgotten = done === "forgotten" ? [{ spaceId, lineage: version.lineage }] : [];
  await ground.forgets?.append([{ spaceId, seq: version.seq, mark: row.mark }, ...forgotten]);
  await record(ground, access, spaceId, "redact", { version: version.seq, lineage: version.lineage });
  activity.lastWrite = clock.now();
  activity.writes += 1;
  return readOne(ground, space, version.seq, false);
}
