/**
 * Derived by `npm run calibrate:recall -- DIR --write`; not to be tuned by hand.
 * How much each piece of evidence says that a note helps (see likelihood.ts), and how sure recall must be.
 */
export const CALIBRATION = {
  /** Log odds without any evidence. */
  base: 1.69,
  coverage: 0.986,
  head: 1.79,
  words: 0.425,
  lead: 4.33,
  size: -0.49,
  /** Least likelihood to be shown whole. */
  whole: 0.39,
  /** Least likelihood to be pointed at. */
  pointer: 0.0117,
  /** Least likelihood to be shown whole in a session that has an index. */
  sure: 0.48,
} as const;
