import type { Lineage, Lives } from "./lineage.ts";

/** One change of one file inside a transaction. Absent hashes mean absent files. */
export interface FileChange {
  readonly file: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Recorded where a note begins, comes back or becomes part of another; else it follows from what was before. */
  readonly lineage?: Lineage;
}

/** What was changed together, by whom and why. */
export interface Transaction {
  /** Counts up from 1 within a store. */
  readonly seq: number;
  /** ISO time. */
  readonly time: string;
  /** `user`, `rules`, `external` (an editor or another agent), `undo`, … */
  readonly actor: string;
  readonly reason: string;
  readonly changes: readonly FileChange[];
}

/** A transaction as history tells it, without contents. */
export interface Version {
  /** Short, unique, stable: the sequence number as text. */
  readonly id: string;
  readonly seq: number;
  readonly time: string;
  readonly actor: string;
  readonly reason: string;
  readonly files: readonly { readonly file: string; readonly kind: "added" | "changed" | "deleted" }[];
}

/** The past of a store. Implemented over git; over the journal alone where git is missing. */
export interface History {
  /** Newest first; only versions that touched `file` when it is given. */
  versions(file?: string): readonly Version[];
  /** Content of a file as of just after a version; `undefined` when it did not exist then. */
  contentAt(seq: number, file: string): Uint8Array | undefined;
  /** All files as of just after a version. */
  filesAt(seq: number): readonly string[];
  /** All files with their contents as of just after a version, in one step. */
  contentsAt(seq: number): ReadonlyMap<string, Uint8Array>;
  /** Everything, oldest first; contents before a change are left out. */
  transactions(): readonly Transaction[];
  /** Which note each version belongs to. */
  lives(): Lives;
}

/** What stays of a transaction when a note is forgotten. */
export type Redaction = (transaction: Transaction) => Transaction;

/** Where finished transactions are kept for good. */
export interface HistoryArchive extends History {
  /** Highest sequence number kept; 0 when empty. */
  lastSeq(): number;
  /** Keeps transactions in order; those already kept are skipped. */
  append(transactions: readonly Transaction[]): void;
  /** Whether the newest version holds exactly these bytes under this name. */
  holds(file: string, content: Uint8Array): boolean;
  /** Rewrites the past. Nothing of the old contents stays on disk. */
  rewrite(redaction: Redaction): void;
  /** What is wrong with the archive; empty when it is sound. */
  verify(): readonly string[];
  /** Under the store's lock: begins to make the archive smaller; `undefined` where that is not due. */
  packing(): HistoryPacking | undefined;
}

/** An archive that is being made smaller: nobody has to wait for `work`. */
export interface HistoryPacking {
  /** Without the lock, in at most this time. @throws MemoryError when it is over; `finish` then leaves all as it was. */
  work(timeoutMs: number): void;
  /** Under the lock again: takes over what was made; `false` where nothing was, or the archive was rewritten meanwhile. */
  finish(): boolean;
}
