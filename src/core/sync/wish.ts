import { isRecord, parseJson } from "../shared/json.ts";

const FIRST_WAIT_MS = 2_000;

const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * How long nothing is tried automatically after so many failures in a row (ms): twice as long each time, up to ten minutes.
 * `random` (0 to 1) spreads devices that lost their server at the same moment. A server that names a time is obeyed.
 */
export function waitAfter(failures: number, random: number, askedMs = 0): number {
  if (failures === 0) return 0;
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(askedMs, Math.round(wait * (0.75 + random / 4)));
}

/** Someone wants the stores of one place to sync soon. Holds no text of a note. */
export interface SyncWish {
  /** Where the session or command worked, and what moved memory elsewhere there: both say which stores are meant. */
  readonly cwd: string;
  readonly place: Readonly<Record<string, string>>;
  /** `change`: more may follow at once, so it is waited for; `session`: one began or ended. */
  readonly why: "change" | "session";
  /** When it was wanted first and last (ms). */
  readonly since: number;
  readonly time: number;
}

/** Changes come in bursts: so long after the last one (ms), and no longer than this after the first. */
const QUIET_MS = 2_000;

const MOST_QUIET_MS = 10_000;

/** How long is still to wait (ms). A clock that was set back does not make it longer. */
export function waitFor({ why, since, time }: SyncWish, now: number): number {
  if (why === "session" || now < time) return 0;
  return Math.max(0, Math.min(time + QUIET_MS, since + MOST_QUIET_MS) - now);
}

/** A later wish of the same place takes the earlier one's. */
export function joined(wish: SyncWish, earlier: SyncWish | undefined): SyncWish {
  if (earlier === undefined) return wish;
  const why = wish.why === "session" || earlier.why === "session" ? "session" : "change";
  return { ...wish, why, since: earlier.since };
}

/** `undefined` for what is not a wish: torn by a power loss, or someone else's. */
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
