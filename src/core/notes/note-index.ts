import type { Note } from "./note.ts";

/** What happened to notes at one moment, or in one month, joined under the time of its last event. */
export interface UseEvent {
  /** ISO. */
  readonly time: string;
  /** How often recall showed them to an agent; says nothing about their worth. */
  readonly shown: ReadonlyMap<string, number>;
  /** How often they were opened, cited, edited or pinned. */
  readonly helped: ReadonlyMap<string, number>;
}

/** A note's usage so far. */
export interface NoteUsage {
  /** Times it was shown since it last helped. */
  readonly shown: number;
  /** Times it helped; older ones count less. */
  readonly helped: number;
}

/** Shown this many times without helping once, a note drops in rank, and a dream proposes to retire it. */
export const SHOWN_IN_VAIN = 10;

/** What help is worth at first; halved every quarter of a year. */
const FRESH_WORTH = 8;

const QUARTER_MS = 91 * 86_400_000;

/** The usage of each note. Help ages relative to the newest event, so the same log always gives the same result. */
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

/** A whole number, at least 1: a note that helped once stays ahead of one that never did. */
function worthAt(ageMs: number): number {
  const quarters = Number.isFinite(ageMs) ? Math.max(0, Math.floor(ageMs / QUARTER_MS)) : 0;
  return Math.max(1, Math.floor(FRESH_WORTH / 2 ** quarters));
}

/** The rank of each note: above 0 if it helped, below 0 if it was shown in vain. Absent: 0. */
export function ranksOf(usage: ReadonlyMap<string, NoteUsage>): ReadonlyMap<string, number> {
  return new Map([...usage].map(([file, one]) => [file, rankOf(one)]));
}

function rankOf({ shown, helped }: NoteUsage): number {
  if (shown >= SHOWN_IN_VAIN) return helped > 0 ? 0 : -1;
  return helped;
}

/** A file's state when it was indexed; if it differs on disk, the file must be read again. */
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
  /** Its rank by the usage log: above 0 if it helped, below 0 if it was shown in vain. */
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
    /** In the words that a user would search for (`Note.asked`). */
    readonly asked?: TermCounts;
    /** In name, description and asked words of the notes that it superseded, so that searches for those find it. */
    readonly before?: TermCounts;
  };
  /** Terms in each field. */
  readonly lengths: { readonly name: number; readonly description: number; readonly body: number };
  /** The links of its body, as `linkKey` gives them. */
  readonly links?: readonly string[];
}

export interface SearchResult {
  /** Live notes in the index. */
  readonly documents: number;
  /** Mean number of terms per note, by field. */
  readonly averages: { readonly name: number; readonly description: number; readonly body: number };
  /** How many live notes contain each query term; a missing term is in none. */
  readonly documentFrequency: ReadonlyMap<string, number>;
  readonly candidates: readonly SearchCandidate[];
}

/**
 * The derived index of one store. It can be deleted at any time and is rebuilt identically:
 * the store's files and the usage log are the only truth.
 * Superseded notes are kept for listing but never found by `search` or `top`; searches for their subject find the
 * successor (`SearchCandidate.counts.before`).
 */
export interface NoteIndex {
  /** One transaction: `remove` first, then `upsert`. */
  apply(changes: { readonly upsert?: readonly IndexedNote[]; readonly remove?: readonly string[] }): void;
  /** All known files, by path. */
  stamps(): Map<string, FileStamp>;
  entry(file: string): IndexEntry | undefined;
  /** Whether a note of this name is known, ignoring ASCII case: some file systems cannot hold both. */
  hasFile(file: string): boolean;
  /** All notes, file order. */
  entries(): IndexEntry[];
  /** Live notes ranked for MEMORY.md: pinned, then most used, then most recent, then by file. */
  top(limit: number): IndexEntry[];
  /** The same ranking, with only what a line of MEMORY.md needs. */
  topLines(limit: number): { readonly file: string; readonly name: string; readonly description: string }[];
  /** Unsettled contradictions between live notes: by file, the files that it contradicts; file order. */
  contradictions(): ReadonlyMap<string, readonly string[]>;
  /** Number of live notes. */
  count(): number;
  /**
   * Candidates that contain any of the analysed `terms` (see terms.ts), at most `limit`, likeliest first.
   * `also` are terms that help less (related words): counted like the others, but searched only as time allows.
   * Entries of a series (see `seriesPlace`) are followed by their neighbours, beyond `limit` and regardless of words.
   */
  search(terms: readonly string[], limit: number, also?: readonly string[]): SearchResult;
  /** Replaces the usage ranks of all notes; they are kept for notes that come back. */
  setUses(ranks: ReadonlyMap<string, number>): void;
  /** Small named values, such as the directory's last seen mtime. */
  state(key: string): string | undefined;
  setState(key: string, value: string): void;
  /** SHA-256 over all that the index says about the notes; equal to that of a rebuild if nothing drifted. */
  digest(): string;
  /** Removes every row; the file on disk holds no trace of earlier text afterwards. */
  clear(): void;
  close(): void;
  /** Set if this is a temporary index in memory because the real one could not be used. */
  readonly degraded: string | undefined;
}
