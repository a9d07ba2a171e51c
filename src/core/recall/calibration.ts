/**
 * Derived by `npm run calibrate:recall -- DIR --write`; not to be tuned by hand.
 * How much each piece of evidence says that a note helps (see likelihood.ts), and how sure recall must be.
 */
export const CALIBRATION = {
  /** Log odds without any evidence. */
  base: 5.24,
  coverage: 1.16,
  head: 0.81,
  akin: 2.31,
  words: 0.572,
  lead: 4.04,
  size: -0.872,
  /** Least likelihood to be shown whole. */
  whole: 0.38,
  /** Least likelihood to be pointed at. */
  pointer: 0.0117,
} as const;
