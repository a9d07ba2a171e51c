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

/** New contents: text, or the exact bytes of a version, UTF-8 or not. */
export type StoreContent = string | Uint8Array;

/** A change requested by a caller, with what it saw, so that newer text by others is not overwritten. */
export type StoreChange =
  | {
      readonly kind: "create";
      readonly file: string;
      readonly content: StoreContent;
      /** The lineage that continues under this name; without one the note is new. */ readonly lineage?: Lineage;
    }
  /** `base` is the content that the new one was made from. */
  | {
      readonly kind: "write";
      readonly file: string;
      readonly content: StoreContent;
      readonly base: Uint8Array;
      /** Refuses the whole commit (`changed`) for a newer text instead of merging. */ readonly exact?: boolean;
      /** The lineage that the file joins from now on, if it changes. */ readonly lineage?: Lineage;
    }
  /** Writes nothing; refuses the whole commit (`changed`) unless the file's text still has this SHA-256. */
  | { readonly kind: "expect"; readonly file: string; readonly hash: string }
  | { readonly kind: "delete"; readonly file: string; readonly base: Uint8Array; readonly lineage?: Lineage };

export type ChangeOutcome =
  | { readonly outcome: "created" | "written" | "merged" | "deleted" | "unchanged"; readonly file: string }
  /** Both texts changed the same lines: the newer one stays on disk, ours is saved as `conflict` next to it. */
  | { readonly outcome: "kept-both"; readonly file: string; readonly conflict: string }
  /** `exists`: create found a file. `gone`: it was deleted. `changed`: delete, exact write or expect met newer text. */
  | { readonly outcome: "exists" | "gone" | "changed"; readonly file: string };

/** Room left in MEMORY.md before entries must be left out. */
export interface Headroom {
  readonly lines: number;
  readonly characters: number;
  /** Live notes without a line. */
  readonly omitted: number;
  /** The names of some of them, best first; absent if there are none. */
  readonly left?: readonly string[];
  /** Why index or MEMORY.md could not follow a saved change; the next command updates them. The numbers are 0 then. */
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
  /** Who made the change: `user`, `rules`, `undo`, … */
  readonly actor: string;
  readonly reason: string;
  /** An earlier MEMORY.md, whose hand-written lines for the notes of this commit are restored. */
  readonly indexBefore?: Uint8Array | undefined;
}

/** Files that others changed since the store's last check. */
export interface ExternalChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Ignored entries: those that are not notes (links, special files), and forgotten notes that came back. */
  readonly skipped: readonly Skipped[];
}

/** An ignored file, and why. */
export interface Skipped {
  readonly file: string;
  readonly reason: string;
  /** A note with this name was forgotten, so the file is neither read nor sent. */
  readonly isForgotten?: true;
}

export interface ForgetReceipt {
  /** A hash of the file name; the receipt reveals nothing else of what was forgotten. */
  readonly id: string;
  readonly time: string;
  readonly purged: { readonly versions: number; readonly indexLines: number };
}

/** What recall needs from a store. */
export type ReadableStore = Pick<NoteStore, "index" | "read" | "reconcile" | "recordUse">;

/** One directory of notes. Every write goes through `commit`; what it acknowledged survives a crash or kill. */
export interface NoteStore {
  /** Absolute, links resolved. */
  readonly directory: string;
  /** Where lock, journal, history and index live. */
  readonly state: string;
  readonly index: NoteIndex;
  read(file: string): Uint8Array | undefined;
  /**
   * All or nothing, durable on return. If it throws, nothing was lost.
   * @throws MemoryError `locked`, `permission`, `disk-full`, `invalid-input` for text whose base is not UTF-8.
   */
  commit(changes: readonly StoreChange[], note: CommitNote): CommitResult;
  /**
   * Detects what others wrote. `quick` trusts the directory's mtime in large stores; `full` checks every file. `glance`
   * is for many reads in a row: within a second of a check it only asks whether files were added or removed, and leaves
   * the rest to the next check. Never throws because the store is busy or read-only; it then reports what it saw.
   */
  reconcile(mode: "glance" | "quick" | "full"): ExternalChanges;
  /** The store's history, external edits included. */
  history(): History;
  /** Which note every version belongs to, external edits included. */
  lives(): Lives;
  /** Gives a store without a history that of another store; `false` if it already has one. */
  adoptHistory(transactions: readonly Transaction[]): boolean;
  /** Suppresses and purges a note in this store, under every name it ever had; `undefined` if there never was one. */
  forget(file: string): ForgetReceipt | undefined;
  /** Like `forget`, by lineage; `undefined` if none ever was here. Records on disk first what is to be forgotten. */
  forgetLineages(lineages: ReadonlySet<Lineage>): ForgetReceipt["purged"] | undefined;
  /** The time of the last forget (ISO); `undefined` without one, or if its names are in use again. */
  lastForgetAt(): string | undefined;
  /** Records that files were recalled, for ranking. Loses nothing if it cannot be written. */
  recordUse(files: readonly string[]): void;
  /** Records that files were opened, cited, edited or pinned: it ranks and keeps them. A failed write loses nothing. */
  recordHelp(files: readonly string[]): void;
  /** The usage of each note that was ever shown or used. */
  usage(): ReadonlyMap<string, NoteUsage>;
  /** Regenerates MEMORY.md from the notes. */
  rebuildIndexFile(): Headroom;
  /** Discards the derived index and rebuilds it from the files. */
  rebuildIndex(): void;
  /** Faults of journal and history; empty if both are sound. */
  verify(): readonly string[];
  /** Keeps state small, within `timeoutMs`: joins old lines of the usage log, packs the history. For the background. */
  tidy(timeoutMs: number): void;
  close(): void;
}
