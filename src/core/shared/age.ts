import { dayIn } from "./clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The farthest moment a date can stand for (ECMA-262). */
const LAST_MS = 8.64e15;

/**
 * How long ago `ms` was at `now`, in calendar days of the zone: `today`, `yesterday`, `12 days ago`,
 * `dated in the future`, or `of unknown date` for a number that is no moment.
 */
export function ageInWords(ms: number, now: number, timeZone: string | undefined): string {
  if (!isMoment(ms) || !isMoment(now)) return "of unknown date";
  const days = daysBetween(dayIn(timeZone, ms), dayIn(timeZone, now));
  if (days < 0) return "dated in the future";
  if (days === 0) return "today";
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** Whether a note of this time is to be verified before it is asserted: older than a day, or of no known day. */
export function isOld(ms: number, now: number): boolean {
  return !isMoment(ms) || now - ms > DAY_MS;
}

/** Whether a number of milliseconds is a moment that can be printed as a date. */
export function isMoment(ms: number): boolean {
  return Math.abs(ms) <= LAST_MS;
}

/** Days are counted on the calendar, not in hours: a day on which clocks change has 23 or 25. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
