import { putFile } from "./node-files.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import {
  type History,
  type HistoryArchive,
  type Redaction,
  type Transaction,
  type Version,
  isLineage,
  type LifeStep,
  traceLives,
} from "../../core/notes/history.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { isFinished, journalPath, journalSize, type Mark, readMark, writeMark } from "./layout.ts";
import { isRecord } from "../../core/shared/json.ts";

/**
 * The write-ahead journal of a store: one line per transaction with the contents before and after and a checksum. A
 * transaction is committed once its line is on disk. `finish` records, without waiting for the disk, how far the files
 * are up to date. The next process can then complete a transaction after a crash, and never mistakes a later edit for
 * part of it.
 */
export interface Journal {
  /** Transactions not yet archived, oldest first; torn or aborted lines are left out. */
  read(): Transaction[];
  /** Whether the files are up to date with the journal; `false` also if that is unknown. Cheap. */
  isFinished(): boolean;
  /** Transactions whose files may not be up to date, oldest first. */
  unfinished(): Transaction[];
  nextSeq(): number;
  commit(transaction: Transaction): void;
  /** Fills an empty journal with the history of another store, in one step; no files have to be updated. */
  adopt(transactions: readonly Transaction[]): void;
  /** Marks the files as up to date with everything committed so far. */
  finish(): void;
  /** Undoes a transaction whose files could not be written and were restored. */
  abort(seq: number): void;
  /** Drops the transactions that the archive holds, up to and including `seq`. */
  dropThrough(seq: number): void;
  /** Replaces contents throughout the journal; the old text is then gone from the disk. */
  rewrite(redaction: Redaction): void;
  /** Bytes waiting to be archived. */
  size(): number;
}

/** Opens a store's journal: one line per change, with the text before and after, on disk before a file changes. */
export function openJournal(directory: string, files: FilePort): Journal {
  const place = { state: directory, files };
  const path = journalPath(place);
  const size = (): number => journalSize(place);
  const read = (): Transaction[] => parseLines(files.read(path));

  // Avoids reading the journal between a commit and its `finish`; valid while the size is unchanged.
  let last: Mark | undefined;

  const appendLine = (value: unknown): void => appendDurably(files, directory, path, value);
  const lastSeq = (): number => {
    const mark = readMark(place);
    const bytes = size();
    if (mark.bytes === bytes) return mark.seq;
    if (last?.bytes === bytes) return last.seq;
    return Math.max(mark.seq, ...rawSeqs(files.read(path)));
  };

  /** Numbers continue from the highest, whichever transactions remain. */
  const replace = (transactions: readonly Transaction[]): void => {
    const through = lastSeq();
    replaceLines(files, path, [{ through }, ...transactions.map(toJson)]);
    writeMark(place, through);
  };

  return {
    read,
    size,
    nextSeq: () => lastSeq() + 1,
    isFinished: () => isFinished(place),
    unfinished() {
      last = undefined; // other processes may have written since
      const mark = readMark(place);
      if (mark.bytes === size()) return [];
      const through = Math.max(mark.seq, adoptedThrough(files.read(path)));
      return read().filter(({ seq }) => seq > through);
    },
    commit(transaction) {
      appendLine(toJson(transaction));
      last = { seq: transaction.seq, bytes: size() };
    },
    adopt(transactions) {
      const through = Math.max(0, ...transactions.map(({ seq }) => seq));
      replaceLines(files, path, [{ adopted: through }, ...transactions.map(toJson)]);
      writeMark(place, through);
    },
    finish: () => writeMark(place, lastSeq()),
    abort(seq) {
      appendLine({ abort: seq });
      writeMark(place, seq);
    },
    dropThrough: (seq) => replace(read().filter((transaction) => transaction.seq > seq)),
    rewrite: (redaction) => replace(read().map(redaction)),
  };
}

function appendDurably(files: FilePort, directory: string, path: string, value: unknown): void {
  const isNew = files.stat(path) === undefined;
  files.append(path, encode(lineOf(value)));
  if (isNew) files.syncDirectory(directory);
}

/** The first line, `through`, keeps the numbers increasing when all transactions are gone and the mark is lost. */
function replaceLines(files: FilePort, path: string, lines: readonly unknown[]): void {
  putFile(path, encode(lines.map(lineOf).join("")), { files, aside: `${path}.new`, named: true });
}

/** A torn line may precede it; starting on a new line keeps this one whole. */
function lineOf(value: unknown): string {
  const json = JSON.stringify(value);
  return `\n${checksum(json)} ${json}\n`;
}

function toJson(transaction: Transaction): unknown {
  return {
    ...transaction,
    changes: transaction.changes.map((change) => ({
      file: change.file,
      before: contentToJson(change.before),
      after: contentToJson(change.after),
      ...(change.lineage !== undefined && { lineage: change.lineage }),
    })),
  };
}

function contentToJson(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return null;
  // Bytes that are not UTF-8, or that begin with a byte order mark, cannot be restored from text.
  const text = decode(bytes);
  return Buffer.from(text).equals(bytes) ? text : { base64: Buffer.from(bytes).toString("base64") };
}

function contentFromJson(value: unknown): Uint8Array | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === "string") return encode(value);
  if (isRecord(value) && typeof value["base64"] === "string") return Buffer.from(value["base64"], "base64");
  throw new MemoryError("corrupt", "the journal holds a content of unknown form; it was written by a newer memdir");
}

function parseLines(bytes: Uint8Array | undefined): Transaction[] {
  const aborted = new Set<number>();
  const out: Transaction[] = [];
  for (const value of values(bytes)) {
    if (typeof value["abort"] === "number") aborted.add(value["abort"]);
    else if (value["through"] === undefined && value["adopted"] === undefined) out.push(toTransaction(value));
  }
  return out.filter((transaction) => !aborted.has(transaction.seq));
}

/** The last number taken over from another store, whose files are not this store's. */
function adoptedThrough(bytes: Uint8Array | undefined): number {
  return Math.max(0, ...values(bytes).map(({ adopted }) => (typeof adopted === "number" ? adopted : 0)));
}

function rawSeqs(bytes: Uint8Array | undefined): number[] {
  return values(bytes).map(({ seq, through }) =>
    typeof seq === "number" ? seq : typeof through === "number" ? through : 0,
  );
}

function values(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>>[] {
  const out: Readonly<Record<string, unknown>>[] = [];
  for (const line of decode(bytes).split("\n")) {
    const json = line.slice(17);
    if (line === "" || line.slice(0, 16) !== checksum(json)) continue; // torn: never acknowledged
    const value: unknown = JSON.parse(json);
    if (isRecord(value)) out.push(value);
  }
  return out;
}

function toTransaction(value: Readonly<Record<string, unknown>>): Transaction {
  const { seq, time, actor, reason, changes } = value;
  if (
    typeof seq !== "number" ||
    typeof time !== "string" ||
    typeof actor !== "string" ||
    typeof reason !== "string" ||
    !Array.isArray(changes)
  ) {
    throw new MemoryError("corrupt", "the journal holds a line of unknown form; it was written by a newer memdir");
  }
  return {
    seq,
    time,
    actor,
    reason,
    changes: changes.filter(isRecord).map((change) => ({
      file: String(change["file"]),
      before: contentFromJson(change["before"]),
      after: contentFromJson(change["after"]),
      ...(isLineage(change["lineage"]) && { lineage: change["lineage"] }),
    })),
  };
}

function checksum(json: string): string {
  return sha256(json).slice(0, 16);
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | undefined): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** The two places of a store's history. */
interface WithPast {
  readonly journal: Journal;
  readonly archive: HistoryArchive | undefined;
}

/** Size at which the journal is moved into the archive (bytes). */
const ARCHIVE_AT_BYTES = 4_000_000;

/** A history that cannot be written fails no commit: the journal keeps the transactions, and `verify` reports it. */
export function archiveWhenLarge(context: WithPast): void {
  if (context.journal.size() <= ARCHIVE_AT_BYTES) return;
  try {
    archiveJournal(context);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

/** The lower limit for background work (bytes). */
const IN_PASSING_BYTES = 200_000;

/** Called under the lock when memdir tidies up. */
export function archiveInPassing(context: WithPast): void {
  if (context.journal.size() > IN_PASSING_BYTES) archiveJournal(context);
}

/** Moves finished transactions from the journal into the archive; called under the lock. */
export function archiveJournal(context: WithPast): void {
  const { archive, journal } = context;
  if (archive === undefined) return;
  const transactions = journal.read();
  if (transactions.length === 0) return;
  archive.append(transactions);
  journal.dropThrough(archive.lastSeq());
}

/** The history as it lies on the disk, without moving the journal into the archive. */
export function wholeHistory({ archive, journal }: WithPast): History {
  return historyOf(wholePast({ archive, journal }));
}

/** All transactions, oldest first: those in the archive, then those that still wait in the journal. */
export function wholePast({ archive, journal }: WithPast): readonly Transaction[] {
  const archived = archive?.transactions() ?? [];
  const last = archived.at(-1)?.seq ?? 0;
  return [...archived, ...journal.read().filter(({ seq }) => seq > last)];
}

/** History from the journal alone, when git is missing. */
export function journalHistory(context: Pick<WithPast, "journal">): History {
  return historyOf(context.journal.read());
}

function historyOf(transactions: readonly Transaction[]): History {
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

/** The part of a transaction that identifies its notes. */
export function lifeStep({ changes, ...step }: Transaction): LifeStep {
  return {
    ...step,
    changes: changes.map(({ file, after, lineage }) => ({ file, content: after && sha256(after), lineage })),
  };
}
