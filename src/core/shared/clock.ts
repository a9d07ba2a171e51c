/** Where time comes from; injected so that tests decide what "today" is. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** IANA name; `undefined` is the machine's own zone, whose name costs a cold process some 8 ms to learn. */
  readonly timeZone: string | undefined;
}

export const systemClock: Clock = { now: () => Date.now(), timeZone: undefined };

/** The zone's IANA name, the machine's own included. */
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
