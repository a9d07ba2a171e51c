/**
 * Derived by `npm run calibrate:recall -- DIR --write`; not to be tuned by hand.
 * How much each piece of evidence says that a note helps (see likelihood.ts), and how sure recall must be.
 */
export const CALIBRATION = {
  /** Log odds without any evidence. */
  base: 7.23,
  coverage: 1.05,
  head: 2.27,
  words: 0.495,
  lead: 3.26,
  size: -1.17,
  /** Least likelihood to be shown whole. */
  whole: 0.35,
  /** Least likelihood to be pointed at. */
  pointer: 0.0184,
} as const;
