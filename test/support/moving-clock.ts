import type { Clock } from "../../src/core/shared/clock.ts";

/** A clock that moves only when told to. */
export function movingClock(start = Date.parse("2026-03-02T09:00:00Z")): Clock & { move(ms: number): void } {
  let now = start;
  return { now: () => now, timeZone: "Europe/Prague", move: (ms) => (now += ms) };
}
