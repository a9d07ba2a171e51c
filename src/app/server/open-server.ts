import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { gitHub, type GitHub } from "../../adapters/identity/github.ts";
import { oidc, type Oidc } from "../../adapters/identity/oidc.ts";
import { openDatabase } from "../../adapters/postgres/open-database.ts";
import { clearJobs, inProcess, runJob } from "../../adapters/server-data/dream-process.ts";
import { type DataLock, lockData, servingNow } from "../../adapters/server-data/data-lock.ts";
import type { EmbeddedCare } from "../../core/server/database.ts";
import { forgetLog, purgeMark } from "../../adapters/server-data/forget-log.ts";
import { sealedWith } from "../../adapters/server-data/sealed.ts";
import type { IdentityProvider } from "../../core/server/identity.ts";
import { TOKEN_PREFIX } from "../../core/server/roles.ts";
import { LIMITS } from "../../core/sync/protocol.ts";
import { type Clock, systemClock } from "../../core/shared/clock.ts";
import type { Ground, Random } from "./ports.ts";
import { JOB_FILE, RESULT_FILE } from "./dream-files.ts";
import { type DreamPlace, dreamRuns, type DreamRuns } from "./dream-runs.ts";
import { firstOwner, replayForgets, syncServer, type SyncServer } from "./server.ts";

const DAY_MS = 86_400_000;

/** How long superseded and deleted notes are kept. */
const KEEP = { bodiesDays: 30, rowsDays: 180 } as const;

/** The embedded database is checkpointed after `idleMs` without a write, after `latestMs` at the latest. */
const CHECKPOINT = { idleMs: 2_000, latestMs: 60_000 } as const;

/** An archive takes a second or more, during which the server answers no requests. */
const DUMP_IDLE_MS = 10_000;

const DUMPS_KEPT = 3;

interface Upkeep {
  /** Does what is due. To be called about every second, one call at a time. @returns what was done. */
  tick(): Promise<readonly string[]>;
  /** Writes everything to disk before the end. */
  finish(): Promise<void>;
}

/** `dumps`: the directory of the daily archives of an embedded database. */
function upkeepOf(ground: Ground, dumps: string | undefined): Upkeep {
  const { database, clock, activity, purgeMark: mark } = ground;
  const care = database.embedded;
  // A killed server may have left forgotten text on disk.
  const forgets = mark?.isSet() === true ? -1 : 0;
  const kept = { writes: 0, forgets, since: 0, compactedAt: clock.now(), dumpedOn: "", dumped: -1 };
  const startedAt = clock.now();

  /** Older archives contain what was forgotten since: a new one replaces them. */
  const putOnDisk = async (embedded: EmbeddedCare): Promise<string> => {
    const { writes, forgets: asked, forgetting: underWay } = activity;
    const purging = asked !== kept.forgets;
    await (purging ? embedded.purge() : embedded.checkpoint());
    if (purging && dumps !== undefined) await embedded.dump(dumps, dumpName(clock.now()), { keep: 1, again: true });
    if (purging && underWay + activity.forgetting === 0 && activity.forgets === asked) await mark?.clear();
    Object.assign(kept, { writes, forgets: asked, since: 0 });
    return purging ? "purge" : "checkpoint";
  };

  const settle = async (): Promise<readonly string[]> => {
    if (care === undefined || (activity.writes === kept.writes && activity.forgets === kept.forgets)) return [];
    const now = clock.now();
    kept.since = kept.since === 0 ? now : kept.since;
    if (now - activity.lastWrite < CHECKPOINT.idleMs && now - kept.since < CHECKPOINT.latestMs) return [];
    return [await putOnDisk(care)];
  };

  const daily = async (): Promise<readonly string[]> => {
    const now = clock.now();
    const done: string[] = [];
    if (now - kept.compactedAt >= DAY_MS) {
      kept.compactedAt = now;
      const before = { bodies: now - KEEP.bodiesDays * DAY_MS, rows: now - KEEP.rowsDays * DAY_MS };
      for (const { spaceId } of await database.tables.allSpaces()) await database.tables.compact(spaceId, before);
      if ((await database.tables.dropSessions(before.bodies)) > 0) activity.forgets += 1;
      done.push("compact");
    }
    const name = dumpName(now);
    const idle = now - Math.max(startedAt, activity.lastWrite) >= DUMP_IDLE_MS;
    if (
      care !== undefined &&
      dumps !== undefined &&
      idle &&
      kept.dumpedOn !== name &&
      kept.dumped !== activity.writes
    ) {
      const { writes } = activity;
      if (await care.dump(dumps, name, { keep: DUMPS_KEPT, again: false })) done.push("dump");
      Object.assign(kept, { dumpedOn: name, dumped: writes });
    }
    return done;
  };

  return {
    tick: async () => [...(await settle()), ...(await daily())],
    async finish() {
      if (care !== undefined) await putOnDisk(care);
    },
  };
}

/** One name per day. Names sort by time. */
function dumpName(now: number): string {
  return `memdir-${new Date(now).toISOString().slice(0, 10)}`;
}

export interface ServerPlace {
  /** The directory of the embedded database, its archives and the log of forgets. */
  readonly directory: string;
  /** A PostgreSQL server to use instead of the embedded database. */
  readonly databaseUrl?: string | undefined;
  /** The log of forgets, if not in `directory`. */
  readonly receipts?: string | undefined;
  readonly limits?: Partial<Ground["limits"]> | undefined;
  /** Identity providers for logins. */
  readonly logins?: { readonly gitHub?: GitHub | undefined; readonly oidc?: Oidc | undefined };
  /** How dreams run; `model` (`PROVIDER/MODEL`) is asked in addition to the rules. */
  readonly dreams?: Partial<Pick<DreamPlace, "model" | "longestMs">> & {
    /** Runs the job in a directory; default: a separate process. */
    readonly run?: (directory: string, signal: AbortSignal) => Promise<void>;
  };
  readonly clock?: Clock;
}

export interface OpenServer {
  readonly server: SyncServer;
  readonly upkeep: Upkeep;
  readonly dreams: DreamRuns;
  /** The owner's token, set at the first start only. */
  readonly ownerToken: string | undefined;
  /** A token with the owner's rights, for commands of the server's own user. */
  readonly localToken: string;
  /** Number of forgets that the database had lost. */
  readonly replayed: number;
  /** Lets commands of this user reach this server. */
  tell(url: string): void;
  close(): Promise<void>;
}

const SPACE_LIMITS = {
  maxEntries: 20_000,
  maxBytes: 100_000_000,
  spacesOfUser: 1_000,
  // The limits of the hosted service.
  maxMemories: 2_000,
  memoryBytes: 102_400,
};

/** Most bytes of a note. */
export const MEMORY_BYTES_MOST = LIMITS.entryBytes;

const LONGEST_DREAM_MS = 600_000;

const RANDOM: Random = {
  uuid: () => randomUUID(),
  mark: () => randomBytes(12).toString("base64url"),
  lineage: () => randomBytes(12).toString("hex"),
  token: () => `${TOKEN_PREFIX}${randomBytes(32).toString("base64url")}`,
};

/** @throws MemoryError `locked` when another server has the directory. */
export async function openServer(place: ServerPlace): Promise<OpenServer> {
  const { directory, databaseUrl } = place;
  // Even processes that share a PostgreSQL server each need their own directory: it holds the server's address.
  const lock = lockData(directory, nodeFiles);
  try {
    return await openLocked(place, lock, databaseUrl);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openLocked(place: ServerPlace, lock: DataLock, databaseUrl: string | undefined): Promise<OpenServer> {
  const { directory, receipts = join(directory, "forgets.jsonl"), clock = systemClock } = place;
  const database = await openDatabase(
    databaseUrl === undefined ? { directory: join(directory, "database") } : { url: databaseUrl },
  );
  const ground: Ground = {
    database,
    clock,
    random: RANDOM,
    forgets: forgetLog(receipts),
    limits: { ...SPACE_LIMITS, ...place.limits },
    providers: providersOf(place),
    sealed: sealedWith(join(directory, "login.key")),
    activity: { lastWrite: 0, writes: 0, forgets: 0, forgetting: 0 },
    purgeMark: database.embedded === undefined ? undefined : purgeMark(join(directory, "purge-due")),
  };
  const local = RANDOM.token();
  const ownerToken = (await firstOwner(ground))?.token;
  const replayed = await replayForgets(ground);
  const dreams = dreamRuns(ground, dreamPlace(join(directory, "dreams"), place.dreams));
  await clearJobs(join(directory, "dreams"));
  const upkeep = upkeepOf(ground, database.embedded === undefined ? undefined : join(directory, "dumps"));
  // What the first start created must survive a power failure, like everything confirmed to a client.
  if (ownerToken !== undefined) await database.embedded?.checkpoint();
  return {
    server: syncServer(ground, dreams, local),
    upkeep,
    dreams,
    ownerToken,
    localToken: local,
    replayed,
    tell: (url) => lock.tell({ url, token: local }),
    async close() {
      await dreams.stop();
      try {
        await upkeep.finish();
      } finally {
        await database.close();
        lock.release();
      }
    },
  };
}

function providersOf({ logins }: ServerPlace): readonly IdentityProvider[] {
  const { gitHub: code, oidc: open } = logins ?? {};
  return [...(code === undefined ? [] : [gitHub(code)]), ...(open === undefined ? [] : [oidc(open)])];
}

function dreamPlace(root: string, given: ServerPlace["dreams"] = {}): DreamPlace {
  const { model, longestMs = LONGEST_DREAM_MS } = given;
  const run = given.run ?? ((directory, stop) => inProcess(["dream-job", directory], stop));
  return {
    model,
    longestMs,
    inDirectory: (name, text, signal) =>
      runJob({ root, name, input: { file: JOB_FILE, text }, output: RESULT_FILE, run }, signal),
    clear: () => clearJobs(root),
  };
}

/** Whether a server was started there before. With your own PostgreSQL server only the directory is checked. */
export function hasServer({ directory, databaseUrl }: ServerPlace): boolean {
  return existsSync(databaseUrl === undefined ? join(directory, "database") : directory);
}

/** The address of the server running on a directory, with an owner's token for the commands of this user. */
export function runningServer(directory: string): { readonly url: string; readonly token: string } | undefined {
  const serving = servingNow(directory);
  return serving === undefined || serving.url === "" ? undefined : { url: serving.url, token: serving.token };
}
