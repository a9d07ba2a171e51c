/** What words such as "last Tuesday" mean on the day they were said. */
export interface ResolvedDate {
  /** UTF-16 offsets of the words. */
  readonly start: number;
  readonly end: number;
  /** The day, or the last one of a span (`YYYY-MM-DD`). */
  readonly day: string;
  /** As it is written beside the words: `2026-11-17`, `2026-10`, `week of 2026-11-09`. */
  readonly shown: string;
}

/** The moment (ms) and the zone in which a text was said; `undefined` is the machine's own zone. */
export interface WhenSaid {
  readonly ms: number;
  readonly timeZone: string | undefined;
}

/** Turns "next Thursday" or "in two weeks" into a date; what is in doubt is not among its answers. */
export interface DateResolver {
  resolve(text: string, said: WhenSaid): readonly ResolvedDate[];
  /** Whether the text names a weekday to come without saying which one: "the demo is on Friday". */
  leavesOpen(text: string): boolean;
}
