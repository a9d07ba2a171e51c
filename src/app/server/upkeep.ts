import type { Ground } from "./ports.ts";

const DAY_MS = 86_400_000;
/** How long what was superseded or deleted can still be asked for. */
const KEEP = { bodiesDays: 30, rowsDays: 180 } as const;
/** The embedded database is put on the disk when nobody has written for so long, and at the latest after so long. */
const CHECKPOINT = { idleMs: 2_000, latestMs: 60_000 } as const;
/** An archive takes a second or more, in which nobody is answered. */
const DUMP_IDLE_MS = 10_000;
const DUMPS_KEPT = 3;

export interface Upkeep {
  /** Does what is due. Call it every second or so, one call at a time. @returns what was done. */
  tick(): Promise<readonly string[]>;
  /** Everything on the disk, before the end. */
  finish(): Promise<void>;
}

/** `dumps`: the directory of the daily archives of an embedded database. */
export function upkeepOf(ground: Ground, dumps: string | undefined): Upkeep {
  const { database, clock, activity } = ground;
  const care = database.embedded;
  const kept = { writes: 0, forgets: 0, since: 0, compactedAt: clock.now(), dumpedOn: "", dumped: -1 };
  const startedAt = clock.now();

  const settle = async (): Promise<readonly string[]> => {
    if (care === undefined || activity.writes === kept.writes) return [];
    const now = clock.now();
    kept.since = kept.since === 0 ? now : kept.since;
    if (now - activity.lastWrite < CHECKPOINT.idleMs && now - kept.since < CHECKPOINT.latestMs) return [];
    const { writes, forgets } = activity;
    const purging = forgets !== kept.forgets;
    await (purging ? care.purge() : care.checkpoint());
    // Older archives hold what was forgotten since: the new one takes their place.
    if (purging && dumps !== undefined) await care.dump(dumps, dumpName(now), { keep: 1, again: true });
    Object.assign(kept, { writes, forgets, since: 0 });
    return [purging ? "purge" : "checkpoint"];
  };

  const daily = async (): Promise<readonly string[]> => {
    const now = clock.now();
    const done: string[] = [];
    if (now - kept.compactedAt >= DAY_MS) {
      kept.compactedAt = now;
      const before = { bodies: now - KEEP.bodiesDays * DAY_MS, rows: now - KEEP.rowsDays * DAY_MS };
      for (const { spaceId } of await database.tables.allSpaces()) await database.tables.compact(spaceId, before);
      activity.forgets += await database.tables.dropSessions(before.bodies);
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
      if (care !== undefined) await (activity.forgets === kept.forgets ? care.checkpoint() : care.purge());
    },
  };
}

/** One a day. In the order of time when sorted. */
function dumpName(now: number): string {
  return `memdir-${new Date(now).toISOString().slice(0, 10)}`;
}
