/**
 * Derived by `npm run calibrate:recall -- DIR --write`; not to be tuned by hand.
 * How much each piece of evidence says that a note helps (see likelihood.ts), and how sure recall must be.
 */
export const CALIBRATION = {
  /** Log odds without any evidence. */
  base: 5.28,
  coverage: 1.18,
  head: 1.05,
  words: 0.506,
  lead: 3.83,
  size: -0.824,
  /** Least likelihood to be shown whole. */
  whole: 0.46,
  /** Least likelihood to be pointed at. */
  pointer: 0.0132,
} as const;
