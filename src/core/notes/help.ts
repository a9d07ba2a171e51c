/** What happened to notes at one moment, or in a month that was joined under the time of its last moment. */
export interface UseEvent {
  /** ISO. */
  readonly time: string;
  /** Recall put them before an agent: says nothing of their worth. */
  readonly shown: ReadonlyMap<string, number>;
  /** Somebody opened, cited, edited or pinned them. */
  readonly helped: ReadonlyMap<string, number>;
}

/** How a note did so far. */
export interface NoteUsage {
  /** Times it was shown since it last helped. */
  readonly shown: number;
  /** Times it helped; older ones count less. */
  readonly helped: number;
}

/** Shown so often without helping once, a note sinks, and a dream proposes to retire it. */
export const SHOWN_IN_VAIN = 10;
/** What help is worth at first, halved every quarter of a year. */
const FRESH_WORTH = 8;
const QUARTER_MS = 91 * 86_400_000;

/** How each note did. Help ages with the newest event of the log, so that the same log always says the same. */
export function usageOf(events: readonly UseEvent[]): ReadonlyMap<string, NoteUsage> {
  const sorted = events.toSorted((a, b) => (a.time < b.time ? -1 : 1));
  const newest = Date.parse(sorted.at(-1)?.time ?? "");
  const usage = new Map<string, NoteUsage>();
  for (const { time, shown, helped } of sorted) {
    for (const [file, times] of shown) {
      const before = usage.get(file) ?? UNUSED;
      usage.set(file, { ...before, shown: before.shown + times });
    }
    const worth = worthAt(newest - Date.parse(time));
    for (const [file, times] of helped) {
      const before = usage.get(file) ?? UNUSED;
      usage.set(file, { shown: 0, helped: before.helped + times * worth });
    }
  }
  return usage;
}

const UNUSED: NoteUsage = { shown: 0, helped: 0 };

/** Whole numbers, never none: what helped once stays before what never did. */
function worthAt(ageMs: number): number {
  const quarters = Number.isFinite(ageMs) ? Math.max(0, Math.floor(ageMs / QUARTER_MS)) : 0;
  return Math.max(1, Math.floor(FRESH_WORTH / 2 ** quarters));
}

/** The place of each note among the others: above 0 for help, below 0 for what was shown in vain. Absent: 0. */
export function ranksOf(usage: ReadonlyMap<string, NoteUsage>): ReadonlyMap<string, number> {
  return new Map([...usage].map(([file, one]) => [file, rankOf(one)]));
}

function rankOf({ shown, helped }: NoteUsage): number {
  if (shown >= SHOWN_IN_VAIN) return helped > 0 ? 0 : -1;
  return helped;
}
