import type { History, Transaction, Lineage, Lives } from "./history.ts";
import type { NoteUsage, NoteIndex } from "./note-index.ts";

/**
 * One writer at a time for a store, across processes. Held only for the length of a synchronous
 * function, and released by the kernel when the holder dies.
 */
export interface StoreLock {
  /** Runs `work` under the lock. @throws MemoryError `locked` when it was not free within `timeoutMs`. */
  run<T>(timeoutMs: number, work: () => T): T;
  close(): void;
}

/** New contents: words, or the bytes of a version as they were, UTF-8 or not. */
export type StoreContent = string | Uint8Array;

/** A change that a caller wants, with what it saw, so that nobody's newer words are overwritten. */
export type StoreChange =
  | {
      readonly kind: "create";
      readonly file: string;
      readonly content: StoreContent;
      /** Whose life goes on under this name; without one the note is new. */ readonly lineage?: Lineage;
    }
  /** `base` is the content that the new one was made from. */
  | {
      readonly kind: "write";
      readonly file: string;
      readonly content: StoreContent;
      readonly base: Uint8Array;
      /** A newer text refuses the whole commit (`changed`) instead of being merged with. */ readonly exact?: boolean;
      /** The note that it is part of from here on, where that is another than before. */ readonly lineage?: Lineage;
    }
  /** Writes nothing; the whole commit is refused (`changed`) unless the file still has the text with this SHA-256. */
  | { readonly kind: "expect"; readonly file: string; readonly hash: string }
  | { readonly kind: "delete"; readonly file: string; readonly base: Uint8Array; readonly lineage?: Lineage };

export type ChangeOutcome =
  | { readonly outcome: "created" | "written" | "merged" | "deleted" | "unchanged"; readonly file: string }
  /** Both texts changed the same lines: the newer one on disk stays, ours is beside it in `conflict`. */
  | { readonly outcome: "kept-both"; readonly file: string; readonly conflict: string }
  /** `exists`: create found a file. `gone`: the file was deleted meanwhile. `changed`: delete, an exact write or expect met a newer text. */
  | { readonly outcome: "exists" | "gone" | "changed"; readonly file: string };

/** Room left in MEMORY.md before entries are left out. */
export interface Headroom {
  readonly lines: number;
  readonly characters: number;
  /** Live notes without a line. */
  readonly omitted: number;
  /** Some of them by name, the best first; absent where there are none. */
  readonly left?: readonly string[];
  /** The change is saved, but index or MEMORY.md could not follow; the next command makes that good. The numbers are 0 then. */
  readonly behind?: string;
}

export type CommitResult =
  | {
      readonly ok: true;
      readonly seq: number;
      readonly outcomes: readonly ChangeOutcome[];
      readonly headroom: Headroom;
    }
  /** Nothing was written. */
  | { readonly ok: false; readonly outcomes: readonly ChangeOutcome[] };

export interface CommitNote {
  /** Who: `user`, `rules`, `undo`, … */
  readonly actor: string;
  readonly reason: string;
  /** An earlier MEMORY.md: its hand-written lines for the notes of this commit return. */
  readonly indexBefore?: Uint8Array | undefined;
}

/** Files that someone else changed since the store last looked. */
export interface ExternalChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Entries that are not notes and are left alone: links, special files; and forgotten notes that came back. */
  readonly skipped: readonly Skipped[];
}

/** A file that is left alone, and why. */
export interface Skipped {
  readonly file: string;
  readonly reason: string;
  /** A note of its name was forgotten: it is neither read nor sent. */
  readonly isForgotten?: true;
}

export interface ForgetReceipt {
  /** Names nothing of what was forgotten: a hash of the file name, when, and what was purged. */
  readonly id: string;
  readonly time: string;
  readonly purged: { readonly versions: number; readonly indexLines: number };
}

/** What recall needs of a store. */
export type ReadableStore = Pick<NoteStore, "index" | "read" | "reconcile" | "recordUse">;

/** One directory of notes. Every write goes through `commit`; what it acknowledged survives crash and kill. */
export interface NoteStore {
  /** Absolute, links resolved. */
  readonly directory: string;
  /** Where lock, journal, history and index live. */
  readonly state: string;
  readonly index: NoteIndex;
  read(file: string): Uint8Array | undefined;
  /**
   * All or nothing, durable on return.
   * @throws MemoryError `locked`, `permission`, `disk-full`, `invalid-input` for words made of a base that is not UTF-8; nothing was lost then.
   */
  commit(changes: readonly StoreChange[], note: CommitNote): CommitResult;
  /**
   * Notices what others wrote. `quick` trusts the directory's mtime in large stores; `full` looks at
   * every file. `glance` is for many reads in a row: within a second of a look it asks only whether a file came or went,
   * and leaves the rest to the next look. Never throws because the store is busy or read-only: then it reports what it saw.
   */
  reconcile(mode: "glance" | "quick" | "full"): ExternalChanges;
  /** The past, external edits included. */
  history(): History;
  /** Which note every version belongs to, external edits included. */
  lives(): Lives;
  /** Begins a store that has no past with that of another; `false` where there is one already. */
  adoptHistory(transactions: readonly Transaction[]): boolean;
  /** Suppresses and purges a note in this store, under every name it ever had; `undefined` when there is none and never was. */
  forget(file: string): ForgetReceipt | undefined;
  /** The same for notes that are known by their lineage, `undefined` where none of them ever was here. What is to be forgotten is on disk first. */
  forgetLineages(lineages: ReadonlySet<Lineage>): ForgetReceipt["purged"] | undefined;
  /** Notes the recall of files, for ranking. Loses nothing when it cannot be written. */
  recordUse(files: readonly string[]): void;
  /** Notes that files were opened, cited, edited or pinned: that ranks and keeps them. Loses nothing when it cannot be written. */
  recordHelp(files: readonly string[]): void;
  /** How each note did that was ever shown or used. */
  usage(): ReadonlyMap<string, NoteUsage>;
  /** MEMORY.md made again from the notes. */
  rebuildIndexFile(): Headroom;
  /** Throws the derived index away and makes it again from the files. */
  rebuildIndex(): void;
  /** What is wrong with journal and history; empty when sound. */
  verify(): readonly string[];
  /** Keeps state small: joins old lines of the log of uses and packs the history, for at most so long. For the background. */
  tidy(timeoutMs: number): void;
  close(): void;
}
