import type { LockedSpace, SpaceRow } from "./tables.ts";

export type DreamStatus = "pending" | "running" | "completed" | "failed" | "canceled";
export const DREAM_STATUSES: readonly DreamStatus[] = ["pending", "running", "completed", "failed", "canceled"];

/** Tokens that a dream's model took; zero where rules did the work. */
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
  /** Whose token asked for it: signs what it writes. */
  readonly deviceId: string;
  readonly spaceId: string;
  readonly sessionIds: readonly string[];
  /** Whether the result goes into the store that it reads. */
  readonly updates: boolean;
  /** As the request named it. */
  readonly model: string;
  readonly instructions: string | undefined;
  readonly status: DreamStatus;
  readonly createdAt: number;
  readonly endedAt: number | undefined;
  readonly archivedAt: number | undefined;
  /** The space with the result, once it is complete. */
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

/** A session whose words a dream reads. */
export interface SessionRow {
  readonly sessionId: string;
  readonly userId: string;
  readonly createdAt: number;
  /** JSON: its messages. */
  readonly body: string;
}

export interface DreamsFrom {
  readonly statuses: readonly DreamStatus[];
  readonly archived: boolean;
  /** Later and earlier than (ms). */
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly after: { readonly createdAt: number; readonly dreamId: string } | undefined;
  readonly limit: number;
}

/** What the end of a dream writes, in one transaction with the store that it read and its own row locked. */
export interface DreamFinish {
  readonly input: LockedSpace;
  /** A new store with this user as its admin. */
  addStore(space: SpaceRow, userId: string): Promise<LockedSpace>;
  end(end: DreamEnd): Promise<void>;
}

/** Dreams and sessions belong to users, not to spaces. */
export interface DreamTables {
  addSession(session: SessionRow): Promise<void>;
  sessions(userId: string, ids: readonly string[]): Promise<readonly SessionRow[]>;
  removeSession(userId: string, sessionId: string): Promise<boolean>;
  /** @returns how many were too old. */
  dropSessions(before: number): Promise<number>;
  /** `held`: another dream that writes into the same store has not ended. `most`: dreams of a user that have not ended. */
  addDream(
    dream: DreamRow,
    most: number,
  ): Promise<{ readonly kind: "added" | "too-many" } | { readonly kind: "held"; readonly by: string }>;
  dream(userId: string, dreamId: string): Promise<DreamRow | undefined>;
  /** The newest first. */
  dreams(userId: string, from: DreamsFrom): Promise<readonly DreamRow[]>;
  /** @returns whether it had not ended before. */
  endDream(dreamId: string, end: DreamEnd): Promise<boolean>;
  archiveDream(dreamId: string, at: number): Promise<void>;
  /** The oldest that waits, from now on run by `holder`, which has to say so again before `until`. */
  takeDream(holder: string, until: number): Promise<DreamRow | undefined>;
  /** @returns whether it is still to be run by `holder`. */
  holdDream(dreamId: string, holder: string, until: number): Promise<boolean>;
  /** Lets another process begin it anew. */
  leaveDream(dreamId: string, holder: string): Promise<void>;
  /** Fails dreams whose process is gone. */
  failLost(now: number, error: NonNullable<DreamRow["error"]>): Promise<void>;
  /** `undefined` where the dream has ended meanwhile, or its store is gone. */
  finishDream<T>(
    dream: Pick<DreamRow, "dreamId" | "spaceId">,
    work: (finish: DreamFinish) => Promise<T>,
  ): Promise<T | undefined>;
}
