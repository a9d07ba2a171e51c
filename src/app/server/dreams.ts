import { NO_USAGE, type DreamRow, type DreamStatus } from "../../core/server/dreams.ts";
import { storeId } from "../../core/server/memory-names.ts";
import { accessIn } from "./access.ts";
import { type Access, record, denied, isDenial, type Denial, forgetting, type Ground } from "./ports.ts";
import { parseNewSession, type DreamFilter, type DreamWords } from "./dream-requests.ts";
import type { DreamRuns } from "./dream-runs.ts";
import { pageToken, type Page } from "./memory-requests.ts";
import { refuseMaker, refuseMore } from "./spaces.ts";
import { moment, secretIn, storeOf, type Listed } from "./stores.ts";

/** A dream as the API shows it. */
export interface DreamShown {
  readonly id: string;
  readonly type: "dream";
  readonly status: DreamStatus;
  readonly inputs: readonly [
    { readonly type: "memory_store"; readonly memory_store_id: string },
    { readonly type: "sessions"; readonly session_ids: readonly string[] },
  ];
  readonly outputs: readonly { readonly type: "memory_store"; readonly memory_store_id: string }[];
  readonly output_behavior:
    | { readonly type: "create_new" }
    | { readonly type: "update_existing"; readonly memory_store_id: string };
  readonly model: { readonly id: string; readonly speed: "standard" };
  readonly instructions: string | null;
  readonly session_id: null;
  readonly error: { readonly type: string; readonly message: string } | null;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_read_input_tokens: number;
    readonly cache_creation_input_tokens: number;
  };
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly archived_at: string | null;
}

export interface SessionShown {
  readonly id: string;
  readonly type: "session";
  readonly created_at: string;
}

export interface Dreams {
  create(access: Access, words: DreamWords): Promise<DreamShown | Denial>;
  read(access: Access, id: string): Promise<DreamShown | Denial>;
  list(access: Access, filter: DreamFilter, page: Page): Promise<Listed<DreamShown> | Denial>;
  cancel(access: Access, id: string): Promise<DreamShown | Denial>;
  archive(access: Access, id: string): Promise<DreamShown | Denial>;
  /** Adds a session for dreams to read. */
  addSession(access: Access, body: unknown): Promise<SessionShown | Denial>;
  removeSession(
    access: Access,
    id: string,
  ): Promise<{ readonly id: string; readonly type: "session_deleted" } | Denial>;
}

/** Most dreams of one user that wait or run. */
const MOST_OPEN = 20;

const NO_DREAM = denied("not-found", "There is no such dream, or it belongs to another user.");
const NO_SESSION = denied("not-found", "There is no such session, or it belongs to another user.");
const READER = denied("forbidden", "This token is for reading only.");

export function dreamsOf(ground: Ground, runs: Pick<DreamRuns, "cut">): Dreams {
  const { database, clock } = ground;
  const { tables } = database;
  const known = async ({ caller }: Access, id: string): Promise<DreamRow | undefined> => {
    const dreamId = uuidIn("drm_", id);
    const row = dreamId === undefined ? undefined : await tables.dream(caller.userId, dreamId);
    return row !== undefined && (caller.tokenSpace ?? row.spaceId) === row.spaceId ? row : undefined;
  };
  const shownAgain = async (access: Access, id: string): Promise<DreamShown | Denial> => {
    const row = await known(access, id);
    return row === undefined ? NO_DREAM : shown(row);
  };
  return {
    create: (access, words) => create(ground, access, words),
    read: shownAgain,
    async list({ caller }, filter, { limit, after }) {
      const place = after === undefined ? undefined : placeIn(after);
      if (after !== undefined && place === undefined)
        return denied("invalid", "page: use next_page of an answer as it is");
      const rows = await tables.dreams(caller.userId, { ...filter, after: place, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.filter(({ spaceId }) => (caller.tokenSpace ?? spaceId) === spaceId).map(shown),
        next_page: last === undefined || rows.length <= limit ? null : pageToken(`${last.createdAt} ${last.dreamId}`),
      };
    },
    async cancel(access, id) {
      const row = await known(access, id);
      if (row === undefined) return NO_DREAM;
      if (access.caller.tokenRole === "reader") return READER;
      const isOurs = await tables.endDream(row.dreamId, { status: "canceled", at: clock.now() });
      runs.cut(row.dreamId);
      const now = await shownAgain(access, id);
      if (isOurs || isDenial(now) || now.status === "canceled") return now;
      return denied("invalid", `The dream is ${now.status}, and cannot be canceled any more.`);
    },
    async archive(access, id) {
      const row = await known(access, id);
      if (row === undefined) return NO_DREAM;
      if (access.caller.tokenRole === "reader") return READER;
      if (row.endedAt === undefined) return denied("invalid", `The dream is ${row.status}: cancel it first.`);
      if (row.archivedAt === undefined) await tables.archiveDream(row.dreamId, clock.now());
      return shownAgain(access, id);
    },
    ...sessionsOf(ground),
  };
}

function sessionsOf(ground: Ground): Pick<Dreams, "addSession" | "removeSession"> {
  const { database, clock, random, activity } = ground;
  const { tables } = database;
  return {
    async addSession({ caller }, body) {
      if (caller.tokenRole === "reader") return READER;
      const createdAt = clock.now();
      const turns = parseNewSession(body, createdAt);
      if ("kind" in turns) return turns;
      const sessionId = `sesn_${random.uuid().replaceAll("-", "")}`;
      await tables.addSession({ sessionId, userId: caller.userId, createdAt, body: JSON.stringify(turns) });
      activity.writes += 1;
      return { id: sessionId, type: "session", created_at: moment(createdAt) };
    },
    async removeSession({ caller }, id) {
      if (caller.tokenRole === "reader") return READER;
      // The session's text must leave the disk, like forgotten notes.
      if (!(await forgetting(ground, () => tables.removeSession(caller.userId, id)))) return NO_SESSION;
      activity.writes += 1;
      return { id, type: "session_deleted" };
    },
  };
}

async function create(ground: Ground, access: Access, words: DreamWords): Promise<DreamShown | Denial> {
  const { database, clock, random } = ground;
  const { tables } = database;
  const { caller } = access;
  const there = await accessIn(tables, access, words.spaceId);
  const space = await storeOf(ground, there, words.updates ? "write" : "read");
  if (isDenial(space)) return space;
  if (space.archivedAt !== undefined) return denied("invalid", "The memory store is archived: no dream reads it.");
  const mine = words.updates ? 0 : (await tables.spacesOf(caller.userId)).length;
  const refused = words.updates ? undefined : (refuseMaker(access) ?? refuseMore(ground, mine));
  if (refused !== undefined) return refused;
  const secret = secretIn([words.instructions ?? ""]);
  if (secret !== undefined) return secret;
  const found = new Set((await tables.sessions(caller.userId, words.sessionIds)).map(({ sessionId }) => sessionId));
  const missing = words.sessionIds.filter((id) => !found.has(id));
  if (missing.length > 0) return denied("not-found", `There is no session ${missing.join(", ")}: upload it first.`);
  const { spaceId, sessionIds, updates, model, instructions } = words;
  const row: DreamRow = {
    dreamId: random.uuid(),
    userId: caller.userId,
    login: caller.login,
    deviceId: caller.deviceId,
    spaceId,
    sessionIds,
    updates,
    model,
    instructions,
    status: "pending",
    createdAt: clock.now(),
    endedAt: undefined,
    archivedAt: undefined,
    outputId: undefined,
    error: undefined,
    usage: NO_USAGE,
  };
  const added = await tables.addDream(row, MOST_OPEN);
  if (added.kind === "held")
    return denied(
      "conflict",
      `The dream ${dreamName(added.by)} writes into this store: wait for its end, or cancel it.`,
    );
  if (added.kind === "too-many")
    return denied("quota", `${MOST_OPEN} of your dreams have not ended: wait for one of them.`);
  await record(ground, there, spaceId, "dream", { dream: dreamName(row.dreamId), updates });
  ground.activity.writes += 1;
  return shown(row);
}

function dreamName(dreamId: string): string {
  return `drm_${dreamId.replaceAll("-", "")}`;
}

function uuidIn(prefix: string, id: string): string | undefined {
  const [, ...parts] =
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/u.exec(
      id.startsWith(prefix) ? id.slice(prefix.length) : "",
    ) ?? [];
  return parts.length === 0 ? undefined : parts.join("-");
}

function placeIn(token: string): { readonly createdAt: number; readonly dreamId: string } | undefined {
  const [, at, dreamId] = /^(\d{1,16}) ([0-9a-f-]{36})$/u.exec(token) ?? [];
  return at === undefined || dreamId === undefined ? undefined : { createdAt: Number(at), dreamId };
}

function shown(row: DreamRow): DreamShown {
  const input = storeId(row.spaceId);
  const time = (ms: number | undefined): string | null => (ms === undefined ? null : moment(ms));
  return {
    id: dreamName(row.dreamId),
    type: "dream",
    status: row.status,
    inputs: [
      { type: "memory_store", memory_store_id: input },
      { type: "sessions", session_ids: row.sessionIds },
    ],
    outputs: row.outputId === undefined ? [] : [{ type: "memory_store", memory_store_id: storeId(row.outputId) }],
    output_behavior: row.updates ? { type: "update_existing", memory_store_id: input } : { type: "create_new" },
    model: { id: row.model, speed: "standard" },
    instructions: row.instructions ?? null,
    session_id: null,
    error: row.error ?? null,
    usage: {
      input_tokens: row.usage.input,
      output_tokens: row.usage.output,
      cache_read_input_tokens: row.usage.cacheRead,
      cache_creation_input_tokens: row.usage.cacheWrite,
    },
    created_at: moment(row.createdAt),
    ended_at: time(row.endedAt),
    archived_at: time(row.archivedAt),
  };
}
