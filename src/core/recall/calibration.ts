/**
 * Derived by `npm run calibrate:recall -- DIR --write`; not to be tuned by hand.
 * How much each piece of evidence says that a note helps (see likelihood.ts), and how sure recall must be.
 */
export const CALIBRATION = {
  /** Log odds without any evidence. */
  base: 5.37,
  coverage: 1.23,
  head: 0.689,
  words: 0.496,
  lead: 3.85,
  size: -0.811,
  /** Least likelihood to be shown whole. */
  whole: 0.45,
  /** Least likelihood to be pointed at. */
  pointer: 0.0136,
} as const;
