const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * How long nothing is tried by itself after so many failures in a row (ms): twice as long each time, up to ten minutes.
 * `random` (0 to 1) spreads devices that lost their server at the same moment. A server that names a time is obeyed.
 */
export function waitAfter(failures: number, random: number, askedMs = 0): number {
  if (failures === 0) return 0;
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(askedMs, Math.round(wait * (0.75 + random / 4)));
}
