/**
 * Derived by `npm run calibrate:recall -- DIR --write`; not to be tuned by hand.
 * How much each piece of evidence says that a note helps (see likelihood.ts), and how sure recall must be.
 */
export const CALIBRATION = {
  /** Log odds without any evidence. */
  base: 6.65,
  coverage: 1.04,
  head: 2.23,
  words: 0.522,
  lead: 2.11,
  size: -1.12,
  /** Least likelihood to be shown whole. */
  whole: 0.36,
  /** Least likelihood to be pointed at. */
  pointer: 0.017,
} as const;
