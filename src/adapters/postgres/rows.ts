import { sql } from "kysely";
import { FORGET_PREFIX } from "../../core/server/memory-names.ts";
import { isRole, type Role } from "../../core/server/roles.ts";
import type { EntryRow, EntryState, SpaceRow, VersionRow } from "../../core/server/tables.ts";
import { MemoryError, codeOf } from "../../core/shared/errors.ts";
import { parseJson, record } from "../../core/shared/json.ts";
import type { EntryColumns, SpaceColumns, VersionColumns } from "./schema.ts";

/** PostgreSQL asks for the transaction to be repeated: it could not be serialised, or was chosen to end a deadlock. */
const AGAIN = new Set(["40001", "40P01"]);
const ATTEMPTS = 5;

/** Runs a whole transaction, and repeats it when the database asks for it. `work` depends only on its input. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !AGAIN.has(codeOf(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** The columns of a version after its text is removed: nothing reveals its text or name. */
export function withoutWords(reason: "forgotten" | "redacted") {
  return {
    body: null,
    hash: null,
    reason,
    key: sql<string>`${FORGET_PREFIX} || lineage`,
    push_id: sql<string>`seq::text`,
  };
}

export function spaceRow(row: SpaceColumns): SpaceRow {
  return {
    spaceId: row.space_id,
    kind: row.kind,
    name: row.name,
    identity: row.identity,
    sealed: row.sealed,
    head: row.head,
    mark: row.mark,
    floor: row.floor,
    liveEntries: row.live_entries,
    liveBytes: row.live_bytes,
    maxEntries: row.max_entries,
    maxBytes: row.max_bytes,
    description: row.description,
    metadata: metadataOf(row.metadata),
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    archivedAt: row.archived_at?.getTime(),
  };
}

export function spaceColumns(space: SpaceRow): SpaceColumns {
  return {
    space_id: space.spaceId,
    kind: space.kind,
    name: space.name,
    identity: space.identity,
    sealed: space.sealed,
    head: space.head,
    mark: space.mark,
    floor: space.floor,
    live_entries: space.liveEntries,
    live_bytes: space.liveBytes,
    max_entries: space.maxEntries,
    max_bytes: space.maxBytes,
    description: space.description,
    metadata: JSON.stringify(space.metadata),
    created_at: new Date(space.createdAt),
    updated_at: new Date(space.updatedAt),
    archived_at: space.archivedAt === undefined ? null : new Date(space.archivedAt),
  };
}

function metadataOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record(parseJson(text))).map(([name, value]) => [name, String(value)]));
}

export function entryRow(row: Omit<EntryColumns, "space_id">): EntryRow {
  const { key, fold, seq, lineage, size } = row;
  return { key, fold, seq, lineage, size, state: stateOf(row.state), hash: row.hash ?? undefined };
}

export function versionRow(row: VersionColumns): VersionRow {
  return { ...versionHead(row), body: row.body ?? undefined };
}

export function versionHead(
  row: Omit<VersionColumns, "body" | "redacted_at" | "redacted_by">,
): Omit<VersionRow, "body"> {
  const { seq, key, lineage, base, actor, reason, mark } = row;
  const ids = { deviceId: row.device_id, pushId: row.push_id };
  const hash = row.hash ?? undefined;
  return {
    seq,
    key,
    lineage,
    base,
    actor,
    reason,
    mark,
    ...ids,
    hash,
    state: stateOf(row.state),
    at: row.at.getTime(),
  };
}

export function versionColumns(spaceId: string, version: VersionRow): VersionColumns {
  const { seq, key, state, lineage, base, actor, reason, mark } = version;
  return {
    space_id: spaceId,
    seq,
    key,
    state,
    hash: version.hash ?? null,
    body: version.body === undefined ? null : Buffer.from(version.body),
    lineage,
    base,
    device_id: version.deviceId,
    push_id: version.pushId,
    actor,
    reason,
    at: new Date(version.at),
    mark,
    redacted_at: null,
    redacted_by: null,
  };
}

export function stateOf(value: string): EntryState {
  if (value === "live" || value === "deleted" || value === "forgotten") return value;
  throw new MemoryError("corrupt", `The database holds the unknown state ${JSON.stringify(value)} of an entry.`);
}

export function roleOf(value: string): Role {
  if (isRole(value)) return value;
  throw new MemoryError("corrupt", `The database holds the unknown role ${JSON.stringify(value)}.`);
}
