import type { Note } from "./note.ts";

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
