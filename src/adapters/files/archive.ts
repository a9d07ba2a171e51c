import type { History, Transaction, Version } from "../../core/notes/history.ts";
import { type LifeStep, traceLives } from "../../core/notes/lineage.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import type { StoreContext } from "./store-context.ts";

/** The journal is moved into the archive when it has grown to this (bytes). */
const ARCHIVE_AT_BYTES = 4_000_000;

/** A history that cannot be written fails no commit: the journal keeps what it could not take, `verify` says what is wrong. */
export function archiveWhenLarge(context: StoreContext): void {
  if (context.journal.size() <= ARCHIVE_AT_BYTES) return;
  try {
    archiveJournal(context);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** In the background less is enough (bytes). */
const IN_PASSING_BYTES = 200_000;

/** Under the lock, where somebody tidies up anyway. */
export function archiveInPassing(context: StoreContext): void {
  if (context.journal.size() > IN_PASSING_BYTES) archiveJournal(context);
}

/** Under the lock: moves finished transactions from the journal into the archive. */
export function archiveJournal(context: StoreContext): void {
  const { archive, journal } = context;
  if (archive === undefined) return;
  const transactions = journal.read();
  if (transactions.length === 0) return;
  archive.append(transactions);
  journal.dropThrough(archive.lastSeq());
}

/** History told by the journal alone, where git is missing. */
export function journalHistory(context: StoreContext): History {
  const transactions = context.journal.read();
  const stateAt = (seq: number): Map<string, Uint8Array> => {
    const files = new Map<string, Uint8Array>();
    for (const transaction of transactions) {
      if (transaction.seq > seq) break;
      for (const { file, after } of transaction.changes) {
        if (after === undefined) files.delete(file);
        else files.set(file, after);
      }
    }
    return files;
  };
  return {
    versions(file) {
      const present = new Set<string>();
      const versions = transactions.map(({ seq, time, actor, reason, changes }): Version => {
        const files = changes.map((change) => {
          const kind = change.after === undefined ? "deleted" : present.has(change.file) ? "changed" : "added";
          if (change.after === undefined) present.delete(change.file);
          else present.add(change.file);
          return { file: change.file, kind } as const;
        });
        return { id: String(seq), seq, time, actor, reason, files };
      });
      return versions
        .filter(({ files }) => file === undefined || files.some((change) => change.file === file))
        .toReversed();
    },
    contentAt: (seq, file) => stateAt(seq).get(file),
    filesAt: (seq) => [...stateAt(seq).keys()].toSorted(),
    contentsAt: stateAt,
    transactions: () =>
      transactions.map((transaction) => ({
        ...transaction,
        changes: transaction.changes.map((change) => ({ ...change, before: undefined })),
      })),
    lives: () => traceLives(transactions.map(lifeStep)),
  };
}

/** What of a transaction tells which note it is about. */
export function lifeStep({ changes, ...step }: Transaction): LifeStep {
  return {
    ...step,
    changes: changes.map(({ file, after, lineage }) => ({ file, content: after && sha256(after), lineage })),
  };
}
