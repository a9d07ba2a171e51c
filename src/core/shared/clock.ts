/** The source of time; injected so that tests decide what "today" is. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** IANA name; `undefined` is the machine's own zone, whose name a cold process takes some 8 ms to learn. */
  readonly timeZone: string | undefined;
}

export const systemClock: Clock = { now: () => Date.now(), timeZone: undefined };

/** The zone's IANA name, also for the machine's own zone. */
export function zoneName(clock: Pick<Clock, "timeZone">): string {
  return clock.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The calendar day of a moment in a zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string | undefined, ms: number): string {
  if (timeZone === undefined) return localDay(new Date(ms));
  return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(ms);
}

function localDay(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The latest moment a `Date` can represent (ECMA-262). */
const LAST_MS = 8.64e15;

/**
 * How long ago `ms` was at `now`, in calendar days of the zone: `today`, `yesterday`, `12 days ago`, `dated in the
 * future`, or `of unknown date` for a number that is not a valid time.
 */
export function ageInWords(ms: number, now: number, timeZone: string | undefined): string {
  if (!isMoment(ms) || !isMoment(now)) return "of unknown date";
  const days = daysBetween(dayIn(timeZone, ms), dayIn(timeZone, now));
  if (days < 0) return "dated in the future";
  if (days === 0) return "today";
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** Whether a note of this time must be verified before it is asserted: it is older than a day or its day is unknown. */
export function isOld(ms: number, now: number): boolean {
  return !isMoment(ms) || now - ms > DAY_MS;
}

/** Whether a number of milliseconds can be printed as a date. */
export function isMoment(ms: number): boolean {
  return Math.abs(ms) <= LAST_MS;
}

/** Counts calendar days, not hours: a day on which clocks change has 23 or 25. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
