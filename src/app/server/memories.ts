import { createMemory, deleteMemory, updateMemory, type MemoryVerdict } from "../../core/server/memories.ts";
import { byteLength, type PushFrom } from "../../core/server/judge-push.ts";
import {
  keyOf,
  lineageOf,
  memoryId,
  memoryVersionId,
  pathFault,
  pathOf,
  STORE_KIND,
  storeId,
} from "../../core/server/memory-names.ts";
import type { MemoryRow } from "../../core/server/memory-tables.ts";
import type { LockedSpace, SpaceRow } from "../../core/server/tables.ts";
import { LIMITS } from "../../core/sync/protocol.ts";
import { type Access, denied, isDenial, type Denial, type Ground } from "./ports.ts";
import { pageToken, type MemoryWords, type Page } from "./memory-requests.ts";
import { ARCHIVED, moment, NO_STORE, secretIn, storeOf, type Listed } from "./stores.ts";

/** A memory as the memory API shows it. */
export interface MemoryShown {
  readonly id: string;
  readonly type: "memory";
  readonly memory_store_id: string;
  readonly memory_version_id: string;
  readonly path: string;
  readonly content: string | null;
  readonly content_sha256: string;
  readonly content_size_bytes: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A directory in a list. */
export interface PrefixShown {
  readonly type: "memory_prefix";
  readonly path: string;
}

interface View {
  readonly full: boolean;
}

export interface Memories {
  create(
    access: Access,
    words: MemoryWords & { readonly path: string; readonly content: string },
    view: View,
  ): Promise<MemoryShown | Denial>;
  read(access: Access, id: string, view: View): Promise<MemoryShown | Denial>;
  list(
    access: Access,
    listing: View & { readonly prefix: string; readonly grouped: boolean },
    page: Page,
  ): Promise<Listed<MemoryShown | PrefixShown> | Denial>;
  update(access: Access, id: string, words: MemoryWords, view: View): Promise<MemoryShown | Denial>;
  remove(
    access: Access,
    id: string,
    expected: string | undefined,
  ): Promise<{ readonly id: string; readonly type: "memory_deleted" } | Denial>;
}

const NO_MEMORY = denied("not-found", "There is no such memory in this store.");

export function memoriesOf(ground: Ground): Memories {
  const { tables } = ground.database;
  return {
    async create(access, words, view) {
      const lineage = ground.random.lineage();
      return write(ground, access, words, view, (locked, from) =>
        createMemory(locked, { key: keyOf(words.path, locked.space), content: words.content, lineage }, from),
      );
    },
    async read(access, id, { full }) {
      const space = await storeOf(ground, access, "read");
      if (isDenial(space)) return space;
      return readOne(ground, space, lineageOf(id), full);
    },
    async list(access, { prefix, grouped, full }, { limit, after }) {
      const space = await storeOf(ground, access, "read");
      if (isDenial(space)) return space;
      // One more, to detect the last page.
      const from = { prefix: keyOf(prefix, space), grouped, after, limit: limit + 1 };
      const items = await tables.items(space.spaceId, from);
      const page = items.slice(0, limit);
      const keys = page.filter((item) => !item.endsWith("/"));
      const rows = new Map((await tables.memories(space.spaceId, { keys }, full)).map((row) => [row.key, row]));
      const last = page.at(-1);
      return {
        data: page.flatMap((item): (MemoryShown | PrefixShown)[] => {
          const row = rows.get(item);
          if (row !== undefined) return [shown(space, row, full)];
          // A memory that is missing was deleted between the two queries.
          return item.endsWith("/") ? [{ type: "memory_prefix", path: pathOf(item, space) }] : [];
        }),
        next_page: last === undefined || items.length <= limit ? null : pageToken(last),
      };
    },
    async update(access, id, words, view) {
      const lineage = lineageOf(id);
      const { path, content, expected } = words;
      return write(ground, access, words, view, async (locked, from) => {
        if (lineage === undefined) return { kind: "not-found" };
        const key = path === undefined ? undefined : keyOf(path, locked.space);
        return updateMemory(locked, { lineage, content, key, expected }, from);
      });
    },
    async remove(access, id, expected) {
      const lineage = lineageOf(id);
      const space = await storeOf(ground, access, "write");
      if (isDenial(space)) return space;
      if (lineage === undefined) return NO_MEMORY;
      const refused = await inSpace(ground, access, space, (locked, from) =>
        deleteMemory(locked, { lineage, expected }, from),
      );
      return isDenial(refused) ? refused : { id, type: "memory_deleted" };
    },
  };
}

async function readOne(
  { database }: Ground,
  space: SpaceRow,
  lineage: string | undefined,
  full: boolean,
): Promise<MemoryShown | Denial> {
  const [row] = lineage === undefined ? [] : await database.tables.memories(space.spaceId, { lineage }, full);
  return row === undefined ? NO_MEMORY : shown(space, row, full);
}

function shown(space: SpaceRow, row: MemoryRow, full: boolean): MemoryShown {
  return {
    id: memoryId(row.lineage),
    type: "memory",
    memory_store_id: storeId(space.spaceId),
    memory_version_id: memoryVersionId(row.seq),
    path: pathOf(row.key, space),
    content: full ? textOf(row.body) : null,
    content_sha256: row.hash,
    content_size_bytes: row.size,
    created_at: moment(row.createdAt),
    updated_at: moment(row.updatedAt),
  };
}

/** The text of the exact bytes: a byte order mark is kept. */
export function textOf(body: Uint8Array | undefined): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
}

type Work = (locked: LockedSpace, from: PushFrom) => Promise<MemoryVerdict>;

async function write(
  ground: Ground,
  access: Access,
  words: MemoryWords,
  { full }: View,
  work: Work,
): Promise<MemoryShown | Denial> {
  const space = await storeOf(ground, access, "write");
  if (isDenial(space)) return space;
  const fault = wordsFault(ground, space, words);
  if (fault !== undefined) return fault;
  const done = await inSpace(ground, access, space, work);
  return isDenial(done) ? done : readOne(ground, space, done.lineage, full);
}

function wordsFault({ limits }: Ground, space: SpaceRow, { path, content }: MemoryWords): Denial | undefined {
  const fault = path === undefined ? undefined : pathFault(path, space);
  if (fault !== undefined) return denied("invalid", `path: ${fault}`);
  const most = space.kind === STORE_KIND ? limits.memoryBytes : LIMITS.entryBytes;
  const bytes = byteLength(content ?? "");
  if (bytes > most) return denied("invalid", `content: at most ${most} bytes, and this has ${bytes}`);
  return secretIn([path ?? "", content ?? ""]);
}

async function inSpace(
  ground: Ground,
  { caller }: Access,
  space: SpaceRow,
  work: Work,
): Promise<{ readonly lineage: string } | Denial> {
  const { deviceId, login } = caller;
  const { database, clock, random, activity } = ground;
  const from = { pushId: `api:${random.uuid()}`, deviceId, actor: login, at: clock.now(), mark: random.mark() };
  const verdict = await database.tables.locked(space.spaceId, (locked) => work(locked, from));
  if (verdict?.kind === "written") {
    activity.lastWrite = clock.now();
    activity.writes += 1;
  }
  return verdict === undefined ? NO_STORE : answerOf(space, verdict);
}

function answerOf(space: SpaceRow, verdict: MemoryVerdict): { readonly lineage: string } | Denial {
  switch (verdict.kind) {
    case "written":
    case "unchanged":
      return { lineage: verdict.lineage };
    case "not-found":
      return NO_MEMORY;
    case "archived":
      return ARCHIVED;
    case "precondition":
      return denied("precondition", "The memory has another content by now: retrieve it and try again.");
    case "path-conflict": {
      const { key, lineage } = verdict.entry;
      return denied("path-conflict", "Another memory has this path, or one above or below it.", {
        conflicting_memory_id: memoryId(lineage),
        conflicting_path: pathOf(key, space),
      });
    }
    case "quota":
      return denied(
        "quota",
        `The store would hold ${verdict.entries} of at most ${space.maxEntries} memories and ${verdict.bytes} of at most ${space.maxBytes} bytes.`,
      );
  }
}
