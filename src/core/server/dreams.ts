import type { LockedSpace, SpaceRow } from "./tables.ts";

export type DreamStatus = "pending" | "running" | "completed" | "failed" | "canceled";
export const DREAM_STATUSES: readonly DreamStatus[] = ["pending", "running", "completed", "failed", "canceled"];

/** Tokens used by a dream's model; zero for dreams by rules. */
export interface DreamUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const NO_USAGE: DreamUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** A job that reads a store and sessions, and writes the reorganised store. */
export interface DreamRow {
  readonly dreamId: string;
  readonly userId: string;
  readonly login: string;
  /** The device of the requesting token; it signs what is written. */
  readonly deviceId: string;
  readonly spaceId: string;
  readonly sessionIds: readonly string[];
  /** Whether the result is written to the store that is read. */
  readonly updates: boolean;
  /** As named in the request. */
  readonly model: string;
  readonly instructions: string | undefined;
  readonly status: DreamStatus;
  readonly createdAt: number;
  readonly endedAt: number | undefined;
  readonly archivedAt: number | undefined;
  /** The space with the result, once completed. */
  readonly outputId: string | undefined;
  readonly error: { readonly type: string; readonly message: string } | undefined;
  readonly usage: DreamUsage;
}

export interface DreamEnd {
  readonly status: Extract<DreamStatus, "completed" | "failed" | "canceled">;
  readonly at: number;
  readonly outputId?: string;
  readonly error?: DreamRow["error"];
  readonly usage?: DreamUsage;
}

/** A session that a dream reads. */
export interface SessionRow {
  readonly sessionId: string;
  readonly userId: string;
  readonly createdAt: number;
  /** The messages, as JSON. */
  readonly body: string;
}

export interface DreamsFrom {
  readonly statuses: readonly DreamStatus[];
  readonly archived: boolean;
  /** Bounds of the creation time (ms). */
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly after: { readonly createdAt: number; readonly dreamId: string } | undefined;
  readonly limit: number;
}

/** Writes the end of a dream in one transaction, with the store that it read and its own row locked. */
export interface DreamFinish {
  readonly input: LockedSpace;
  /** Adds a store with this user as its admin. */
  addStore(space: SpaceRow, userId: string): Promise<LockedSpace>;
  end(end: DreamEnd): Promise<void>;
}

/** Dreams and sessions belong to users, not to spaces. */
export interface DreamTables {
  addSession(session: SessionRow): Promise<void>;
  sessions(userId: string, ids: readonly string[]): Promise<readonly SessionRow[]>;
  removeSession(userId: string, sessionId: string): Promise<boolean>;
  /** @returns how many sessions were dropped for their age. */
  dropSessions(before: number): Promise<number>;
  /** `held`: an unfinished dream writes to the same store. `most`: limit of a user's unfinished dreams. */
  addDream(
    dream: DreamRow,
    most: number,
  ): Promise<{ readonly kind: "added" | "too-many" } | { readonly kind: "held"; readonly by: string }>;
  dream(userId: string, dreamId: string): Promise<DreamRow | undefined>;
  /** Newest first. */
  dreams(userId: string, from: DreamsFrom): Promise<readonly DreamRow[]>;
  /** @returns `false` if it had already ended. */
  endDream(dreamId: string, end: DreamEnd): Promise<boolean>;
  archiveDream(dreamId: string, at: number): Promise<void>;
  /** Assigns the oldest pending dream to `holder`, which must renew it before `until`. */
  takeDream(holder: string, until: number): Promise<DreamRow | undefined>;
  /** Renews a dream. @returns whether `holder` still runs it. */
  holdDream(dreamId: string, holder: string, until: number): Promise<boolean>;
  /** Releases a dream, so that another process can start it again. */
  leaveDream(dreamId: string, holder: string): Promise<void>;
  /** Fails dreams whose process is gone. */
  failLost(now: number, error: NonNullable<DreamRow["error"]>): Promise<void>;
  /** `undefined` when the dream has ended meanwhile, or its store is gone. */
  finishDream<T>(
    dream: Pick<DreamRow, "dreamId" | "spaceId">,
    work: (finish: DreamFinish) => Promise<T>,
  ): Promise<T | undefined>;
}
