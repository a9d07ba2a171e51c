import type { Note } from "./note.ts";

/** What happened to notes at one moment, or in a month that was joined under the time of its last moment. */
export interface UseEvent {
  /** ISO. */
  readonly time: string;
  /** Recall put them before an agent: says nothing of their worth. */
  readonly shown: ReadonlyMap<string, number>;
  /** Someone opened, cited, edited or pinned them. */
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

/** How a file looked when it was indexed; a difference on disk means it must be read again. */
export interface FileStamp {
  readonly file: string;
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** A note as the index holds it: everything but the body. `time` is the note's own date, else its mtime (ms). */
export interface IndexEntry extends FileStamp {
  readonly name: string;
  readonly description: string;
  readonly type: Note["type"];
  readonly writtenType: string | undefined;
  readonly pinned: boolean;
  readonly time: number;
  readonly supersededBy: string | undefined;
  readonly validTo: string | undefined;
  readonly problems: Note["problems"];
  /** What use says of its worth, from the usage log: above 0 it helped, below it was shown in vain. */
  readonly uses: number;
}

export interface IndexedNote extends FileStamp {
  readonly note: Note;
}

/** Counts of each query term in one field of one note. */
export type TermCounts = ReadonlyMap<string, number>;

export interface SearchCandidate {
  readonly entry: IndexEntry;
  readonly counts: {
    readonly name: TermCounts;
    readonly description: TermCounts;
    readonly body: TermCounts;
    /** In the words by which a person would look for it (`Note.asked`). */
    readonly asked?: TermCounts;
    /** In name, description and asked words of the notes that it superseded: what was asked of them is asked of it now. */
    readonly before?: TermCounts;
  };
  /** Terms in each field. */
  readonly lengths: { readonly name: number; readonly description: number; readonly body: number };
  /** What its body links to, as `linkKey` gives it. */
  readonly links?: readonly string[];
}

export interface SearchResult {
  /** Live notes in the index. */
  readonly documents: number;
  /** Mean terms a note, by field. */
  readonly averages: { readonly name: number; readonly description: number; readonly body: number };
  /** How many live notes contain each query term; a term that is missing here is in none. */
  readonly documentFrequency: ReadonlyMap<string, number>;
  readonly candidates: readonly SearchCandidate[];
}

/**
 * The derived index of one store. It can be deleted at any time and comes back identical:
 * the store's files and the usage log are the only truth.
 * Superseded notes are kept for listing but never found by `search` or `top`; what they were about finds the note that
 * took their place (`SearchCandidate.counts.before`).
 */
export interface NoteIndex {
  /** One transaction: `remove` first, then `upsert`. */
  apply(changes: { readonly upsert?: readonly IndexedNote[]; readonly remove?: readonly string[] }): void;
  /** Every file known, by path. */
  stamps(): Map<string, FileStamp>;
  entry(file: string): IndexEntry | undefined;
  /** Whether a note of this name is known, ASCII case ignored: some file systems cannot hold both. */
  hasFile(file: string): boolean;
  /** All notes, file order. */
  entries(): IndexEntry[];
  /** Live notes ranked for MEMORY.md: pinned, then most used, then most recent, then by file. */
  top(limit: number): IndexEntry[];
  /** The same ranking, with just what a line of MEMORY.md needs. */
  topLines(limit: number): { readonly file: string; readonly name: string; readonly description: string }[];
  /** Live notes that contradict others of the store, unsettled: the files of those by their own, file order. */
  contradictions(): ReadonlyMap<string, readonly string[]>;
  /** Number of live notes. */
  count(): number;
  /**
   * Candidates that contain any of the analysed `terms` (see terms.ts), at most `limit`, the likeliest first.
   * `also` are terms that help less (related words): counted like the others, and looked for as far as time allows.
   * For entries of a series (see series.ts) what stands around them follows, beyond `limit` and whatever words it has.
   */
  search(terms: readonly string[], limit: number, also?: readonly string[]): SearchResult;
  /** What use says of each note, in place of all that was said before; kept for notes that come back. */
  setUses(ranks: ReadonlyMap<string, number>): void;
  /** Small named values, such as the directory's last seen mtime. */
  state(key: string): string | undefined;
  setState(key: string, value: string): void;
  /** SHA-256 over all the index says about the notes; equal to a rebuild's when nothing drifted. */
  digest(): string;
  /** Removes every row; the file on disk holds no trace of earlier text afterwards. */
  clear(): void;
  close(): void;
  /** Set when the index is a temporary one in memory because the real one could not be used. */
  readonly degraded: string | undefined;
}
