import { INDEX_FILE, originalName } from "./names.ts";
import { shownName } from "../shared/sanitize.ts";
import { sha256 } from "../shared/hash.ts";

/**
 * The identity of a note, independent of its name and location: 96 random bits in hexadecimal, assigned when the note
 * is created. A name can be reused, a lineage cannot.
 */
export type Lineage = string;

export function isLineage(value: unknown): value is Lineage {
  return typeof value === "string" && /^[0-9a-f]{24}$/u.test(value);
}

/** One version of one file, reduced to what determines its lineage. */
export interface LifeChange {
  readonly file: string;
  /** Identifies the content; equal for equal content. `undefined` if the file was removed. */
  readonly content: string | undefined;
  /** The recorded lineage. Absent for changes by others, and for memdir's own from before lineages existed. */
  readonly lineage?: Lineage | undefined;
}

export interface LifeStep {
  readonly seq: number;
  readonly time: string;
  readonly actor: string;
  readonly reason: string;
  readonly changes: readonly LifeChange[];
}

/** Which note each version of a store's history belongs to. */
export interface Lives {
  /** Lineage of a file at version `seq`; `undefined` if the version only removes a file that was not known. */
  at(seq: number, file: string): Lineage | undefined;
  /** Existing files, each with its lineage and the SHA-256 of its content. */
  readonly present: ReadonlyMap<string, { readonly lineage: Lineage; readonly content: string }>;
  /** Lineages that ended, by file name; the latest last. */
  readonly ended: ReadonlyMap<string, readonly Lineage[]>;
  /** Every name a lineage has had. */
  namesOf(lineage: Lineage): ReadonlySet<string>;
  /** Lineages that were joined to another one; from then on both are one note. */
  readonly joined: ReadonlyMap<Lineage, Lineage>;
}

/**
 * Follows every note through the history of a store, oldest step first. A lineage that was not recorded is derived,
 * always with the same result: a changed file stays the same note, and so do the same bytes under a new name, a file
 * that returns with the bytes it had, and a conflict copy.
 */
export function traceLives(steps: readonly LifeStep[]): Lives {
  const trace = emptyTrace();
  for (const step of steps) {
    const changes = step.changes.filter(({ file }) => file !== INDEX_FILE);
    // Removals first: a rename removes one file and adds another with the same bytes.
    for (const change of changes) if (change.content === undefined) end(trace, step, change, changes.length);
    for (const change of changes) if (change.content !== undefined) follow(trace, step, change, changes.length);
  }
  return {
    at: (seq, file) => trace.versions.get(`${seq}\0${file}`),
    present: trace.present,
    ended: trace.ended,
    namesOf: (lineage) => trace.names.get(lineage) ?? new Set(),
    joined: trace.joined,
  };
}

interface Life {
  readonly lineage: Lineage;
  readonly content: string;
}

interface Trace {
  readonly versions: Map<string, Lineage>;
  readonly present: Map<string, Life>;
  /** Lineages that were recorded rather than derived. */
  readonly recorded: Set<Lineage>;
  readonly ended: Map<string, Lineage[]>;
  /** The last content of each removed file, with its lineage. */
  readonly contents: Map<string, Lineage>;
  readonly names: Map<Lineage, Set<string>>;
  readonly joined: Map<Lineage, Lineage>;
}

function emptyTrace(): Trace {
  return {
    versions: new Map(),
    present: new Map(),
    recorded: new Set(),
    ended: new Map(),
    contents: new Map(),
    names: new Map(),
    joined: new Map(),
  };
}

function end(trace: Trace, step: LifeStep, { file, lineage }: LifeChange, changes: number): void {
  const before = trace.present.get(file);
  if (before === undefined) return;
  const next = lineage ?? movedLineage(step, file, changes) ?? before.lineage;
  record(trace, step.seq, file, before.lineage, next);
  trace.present.delete(file);
  if (step.actor === "external" && next === before.lineage) adoptCopy(trace, before);
  trace.contents.set(before.content, next);
  trace.ended.set(file, [...(trace.ended.get(file) ?? []).filter((one) => one !== next), next]);
}

function follow(trace: Trace, step: LifeStep, change: LifeChange, changes: number): void {
  const { file, content = "" } = change;
  const before = trace.present.get(file);
  const lineage =
    change.lineage ?? before?.lineage ?? movedLineage(step, file, changes) ?? knownLineage(trace, file, content);
  const next = lineage ?? derived(`${step.seq}\0${step.time}\0${file}`);
  if (change.lineage !== undefined) trace.recorded.add(change.lineage);
  // Sync gives a name to another note; only identical notes of two devices become one by that.
  const isOther = step.actor === "sync" && before !== undefined && before.content !== content;
  record(trace, step.seq, file, isOther ? undefined : before?.lineage, next);
  trace.present.set(file, { lineage: next, content });
  trace.contents.delete(content);
}

function record(trace: Trace, seq: number, file: string, before: Lineage | undefined, next: Lineage): void {
  trace.versions.set(`${seq}\0${file}`, next);
  nameIt(trace, next, file);
  const isApartAgain = trace.joined.get(next) === before;
  trace.joined.delete(next); // it is a separate note, perhaps once more
  if (before !== undefined && before !== next && !isApartAgain) trace.joined.set(before, next);
}

/** Handles a rename done by hand in two steps, first copy, then delete: the copy is recognised by its bytes. */
function adoptCopy(trace: Trace, gone: Life): void {
  const [copy, life] =
    [...trace.present].findLast(
      ([, { lineage, content }]) =>
        content === gone.content && lineage !== gone.lineage && !trace.recorded.has(lineage),
    ) ?? [];
  if (copy === undefined || life === undefined) return;
  trace.present.set(copy, gone);
  for (const [version, lineage] of trace.versions)
    if (lineage === life.lineage) trace.versions.set(version, gone.lineage);
  for (const name of trace.names.get(life.lineage) ?? []) nameIt(trace, gone.lineage, name);
  trace.joined.set(life.lineage, gone.lineage);
}

function nameIt({ names }: Trace, lineage: Lineage, file: string): void {
  names.set(lineage, (names.get(lineage) ?? new Set()).add(file));
}

/** The note that this file must be: the original of a conflict copy, or a removed file with the same bytes. */
function knownLineage(trace: Trace, file: string, content: string): Lineage | undefined {
  const original = originalName(file);
  return (original === undefined ? undefined : lineageOf(trace, original)) ?? trace.contents.get(content);
}

/** For moves between stores from before lineages were recorded: both stores name the transfer. */
function movedLineage({ reason }: LifeStep, file: string, changes: number): Lineage | undefined {
  const transfer = /\(transfer ([0-9a-f]{8})\)$/u.exec(reason)?.[1];
  if (transfer === undefined) return undefined;
  return derived(changes === 1 ? `transfer ${transfer}` : `transfer ${transfer}\0${file}`);
}

function derived(from: string): Lineage {
  return sha256(`memdir lineage\0${from}`).slice(0, 24);
}

/** The given lineages and all that were joined to them, in any store. */
export function withJoined(wanted: Iterable<Lineage>, stores: readonly Pick<Lives, "joined">[]): ReadonlySet<Lineage> {
  const all = new Set(wanted);
  const pairs = stores.flatMap(({ joined }) => [...joined]);
  for (let grown = true; grown;) {
    const size = all.size;
    for (const [from, to] of pairs) if (all.has(to)) all.add(from);
    grown = all.size > size;
  }
  return all;
}

/** The lineage of a name: that of the present note, else of the last note that had it. */
export function lineageOf({ present, ended }: Pick<Lives, "present" | "ended">, file: string): Lineage | undefined {
  return present.get(file)?.lineage ?? ended.get(file)?.at(-1);
}

/** The highest version number allowed. Numbers stay exact, and there is always a next one. */
export const LAST_SEQ = 1_000_000_000_000;

/**
 * Why transactions cannot be the history of a store; `undefined` if they can. Call this before adopting a history:
 * an invalid number, an invalid time or a path that git refuses would break every later read of it.
 */
export function problemOfPast(past: readonly Transaction[]): string | undefined {
  let last = 0;
  for (const transaction of past) {
    const problem = problemOf(transaction, last);
    if (problem !== undefined) return problem;
    last = transaction.seq;
  }
  return undefined;
}

function problemOf({ seq, time, actor, changes }: Transaction, last: number): string | undefined {
  const which = `version ${seq}`;
  if (!Number.isInteger(seq) || seq < 1 || seq > LAST_SEQ)
    return `${which} has a number that is not a whole one from 1 to ${LAST_SEQ}`;
  if (seq <= last) return `${which} does not come after version ${last}`;
  if (!isTime(time)) return `${which} has a time that is not one ("${shownName(time)}")`;
  if (!/^[^\p{Cc}<>]{1,100}$/u.test(actor)) return `${which} has an author that is not a name`;
  const files = new Set<string>();
  for (const { file, lineage } of changes) {
    if (!isRelativePath(file)) return `${which} names a file "${shownName(file)}", which is not a path inside a store`;
    if (files.has(file)) return `${which} changes ${shownName(file)} twice`;
    if (lineage !== undefined && !isLineage(lineage))
      return `${which} gives ${shownName(file)} a lineage that is not 24 hexadecimal digits`;
    files.add(file);
  }
  return undefined;
}

/** Whether a time is written as memdir writes it, from 1970 to 9999. */
function isTime(time: string): boolean {
  const ms = /^\d{4}-/u.test(time) ? Date.parse(time) : Number.NaN;
  return ms >= 0 && new Date(ms).toISOString() === time;
}

/** Whether a path, on every system, stays inside the directory it is joined to. */
export function isRelativePath(file: string): boolean {
  return !/[\p{Cc}\\]/u.test(file) && file.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/**
 * The history of another store, for a store that has none of its notes yet. It ends with all files removed, so that the
 * next version adds the notes and can be undone.
 */
export function pastElsewhere(past: readonly Transaction[], nowMs: number): readonly Transaction[] {
  const last = new Map(past.flatMap(({ changes }) => changes).map(({ file, after }) => [file, after]));
  const changes = [...last].flatMap(([file, before]) =>
    before === undefined ? [] : [{ file, before, after: undefined }],
  );
  if (changes.length === 0) return past;
  return [
    ...past,
    {
      seq: (past.at(-1)?.seq ?? 0) + 1,
      time: new Date(nowMs).toISOString(),
      actor: "external",
      reason: "the past until here is of another place; nothing of it was here yet",
      changes,
    },
  ];
}

/** One change of one file inside a transaction. `undefined` contents mean that there is no file. */
export interface FileChange {
  readonly file: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Recorded when a note is created, returns or joins another; otherwise it follows from earlier versions. */
  readonly lineage?: Lineage;
}

/** Changes made together, with their author and reason. */
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

/** A transaction as the history lists it, without contents. */
export interface Version {
  /** Short, unique, stable: the sequence number as text. */
  readonly id: string;
  readonly seq: number;
  readonly time: string;
  readonly actor: string;
  readonly reason: string;
  readonly files: readonly { readonly file: string; readonly kind: "added" | "changed" | "deleted" }[];
}

/** The history of a store. Implemented over git, or over the journal alone if git is missing. */
export interface History {
  /** Newest first; if `file` is given, only versions that changed it. */
  versions(file?: string): readonly Version[];
  /** Content of a file just after a version; `undefined` if it did not exist then. */
  contentAt(seq: number, file: string): Uint8Array | undefined;
  /** All files just after a version. */
  filesAt(seq: number): readonly string[];
  /** All files with their contents just after a version, in one step. */
  contentsAt(seq: number): ReadonlyMap<string, Uint8Array>;
  /** All transactions, oldest first, without the contents before each change. */
  transactions(): readonly Transaction[];
  /** Which note each version belongs to. */
  lives(): Lives;
}

/** Returns what remains of a transaction when a note is forgotten. */
export type Redaction = (transaction: Transaction) => Transaction;

/** Permanent storage for finished transactions. */
export interface HistoryArchive extends History {
  /** Highest sequence number kept; 0 when empty. */
  lastSeq(): number;
  /** Adds transactions in order; skips those already kept. */
  append(transactions: readonly Transaction[]): void;
  /** Whether the newest version holds exactly these bytes under this name. */
  holds(file: string, content: Uint8Array): boolean;
  /** Rewrites the history. None of the old contents stay on disk. */
  rewrite(redaction: Redaction): void;
  /** Faults of the archive; empty if it is sound. */
  verify(): readonly string[];
  /** Called under the store's lock: starts to compact the archive; `undefined` if that is not due. */
  packing(): HistoryPacking | undefined;
}

/** An archive that is being compacted. Other processes need not wait for `work`. */
export interface HistoryPacking {
  /** Runs without the lock. @throws MemoryError when the time is up; `finish` then changes nothing. */
  work(timeoutMs: number): void;
  /** Under the lock again: adopts the result; `false` if there is none or the archive was rewritten meanwhile. */
  finish(): boolean;
}

/** MEMORY.md as it was before a version removed hand-written lines; the history records it right after that version. */
export function pageBefore(history: History, seq: number): Uint8Array | undefined {
  const page = history.versions(INDEX_FILE).find((version) => version.seq <= seq + 1);
  return page === undefined ? undefined : history.contentAt(page.seq, INDEX_FILE);
}

/** The lineage of a file before a version: a restored file is the same note again, no longer joined to another. */
export function lineageBefore(history: History, seq: number, file: string): { readonly lineage?: Lineage } {
  const lives = history.lives();
  const [last] = history.versions(file).filter((version) => version.seq < seq);
  const lineage = last === undefined ? undefined : lives.at(last.seq, file);
  return lineage === undefined ? {} : { lineage };
}

/** The id of the transfer that a version is one half of; `undefined` for other versions. */
export function transferOf(reason: string): string | undefined {
  return /\(transfer ([0-9a-f]{8})\)$/u.exec(reason)?.[1];
}
