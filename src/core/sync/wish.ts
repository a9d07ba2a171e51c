import { isRecord, parseJson } from "../shared/json.ts";

const FIRST_WAIT_MS = 2_000;

const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * How long automatic sync waits after this many failures in a row (ms): twice as long each time, up to ten minutes.
 * `random` (0 to 1) spreads devices that lost their server together. A server's own delay is respected.
 */
export function waitAfter(failures: number, random: number, askedMs = 0): number {
  if (failures === 0) return 0;
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(askedMs, Math.round(wait * (0.75 + random / 4)));
}

/** A request to sync the stores of one place soon. Contains no note text. */
export interface SyncWish {
  /** The working directory, and variables that move memory elsewhere: together they determine the stores. */
  readonly cwd: string;
  readonly place: Readonly<Record<string, string>>;
  /** `change`: more may follow soon, so sync waits; `session`: one began or ended. */
  readonly why: "change" | "session";
  /** The times of the first and the last request (ms). */
  readonly since: number;
  readonly time: number;
}

/** Changes come in bursts: sync waits this long after the last one (ms), and at most the next value after the first. */
const QUIET_MS = 2_000;

const MOST_QUIET_MS = 10_000;

/** The remaining wait (ms). A clock that was set back does not lengthen it. */
export function waitFor({ why, since, time }: SyncWish, now: number): number {
  if (why === "session" || now < time) return 0;
  return Math.max(0, Math.min(time + QUIET_MS, since + MOST_QUIET_MS) - now);
}

/** Merges a wish with an earlier one of the same place. */
export function joined(wish: SyncWish, earlier: SyncWish | undefined): SyncWish {
  if (earlier === undefined) return wish;
  const why = wish.why === "session" || earlier.why === "session" ? "session" : "change";
  return { ...wish, why, since: earlier.since };
}

/** `undefined` for text that is not a wish: cut off by a power loss, or written by another program. */
export function parseWish(text: string): SyncWish | undefined {
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { cwd, place, why, since, time } = value;
  if (typeof cwd !== "string" || !isRecord(place) || typeof since !== "number" || typeof time !== "number")
    return undefined;
  const texts = Object.entries(place).flatMap(([name, one]): [string, string][] =>
    typeof one === "string" ? [[name, one]] : [],
  );
  return { cwd, place: Object.fromEntries(texts), why: why === "session" ? "session" : "change", since, time };
}
