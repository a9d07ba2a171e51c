import { INDEX_FILE, originalName } from "./names.ts";
import { shownName } from "../shared/sanitize.ts";
import { sha256 } from "../shared/hash.ts";

/**
 * Who a note is, whatever it is called and wherever it lies: 96 random bits in hexadecimal, given when the note is made.
 * A name can be used again, a lineage never.
 */
export type Lineage = string;

export function isLineage(value: unknown): value is Lineage {
  return typeof value === "string" && /^[0-9a-f]{24}$/u.test(value);
}

/** One version of one file, as far as its lineage depends on it. */
export interface LifeChange {
  readonly file: string;
  /** Names the content; the same content has the same. `undefined` where the file went. */
  readonly content: string | undefined;
  /** What was recorded. Absent for what others wrote and for what memdir wrote before there were lineages. */
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
  /** Of the version `seq` of a file; `undefined` where it says only that a file went which nobody knew. */
  at(seq: number, file: string): Lineage | undefined;
  /** Files that are there, each with its lineage. */
  readonly present: ReadonlyMap<string, { readonly lineage: Lineage }>;
  /** Lineages that ended under a name, the latest last. */
  readonly ended: ReadonlyMap<string, readonly Lineage[]>;
  /** Every name of a lineage. */
  namesOf(lineage: Lineage): ReadonlySet<string>;
  /** Lineages that became part of another one: both are one note from then on. */
  readonly joined: ReadonlyMap<Lineage, Lineage>;
}

/**
 * Follows every note through the history of a store, oldest step first. Where nothing was recorded the lineage is
 * derived, the same each time: a changed file stays the same note, and so do the same bytes under a new name, a file
 * that comes back with the bytes it had, and a conflict copy.
 */
export function traceLives(steps: readonly LifeStep[]): Lives {
  const trace = emptyTrace();
  for (const step of steps) {
    const changes = step.changes.filter(({ file }) => file !== INDEX_FILE);
    // What went comes first: a rename is a file that went and one that came with the same bytes.
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
  /** Of what went: the content it had last, and whose it was. */
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
  record(trace, step.seq, file, before?.lineage, next);
  trace.present.set(file, { lineage: next, content });
  trace.contents.delete(content);
}

function record(trace: Trace, seq: number, file: string, before: Lineage | undefined, next: Lineage): void {
  trace.versions.set(`${seq}\0${file}`, next);
  nameIt(trace, next, file);
  const isApartAgain = trace.joined.get(next) === before;
  trace.joined.delete(next); // it is a note of its own, or one again
  if (before !== undefined && before !== next && !isApartAgain) trace.joined.set(before, next);
}

/** A person renamed it in two steps: the copy came first, and its bytes tell whose it is. */
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

/** The note that this file must be: a conflict copy's original, or what had these very bytes and went. */
function knownLineage(trace: Trace, file: string, content: string): Lineage | undefined {
  const original = originalName(file);
  return (original === undefined ? undefined : lineageOf(trace, original)) ?? trace.contents.get(content);
}

/** Moves between stores that were made before lineages were recorded: both stores name the transfer. */
function movedLineage({ reason }: LifeStep, file: string, changes: number): Lineage | undefined {
  const transfer = /\(transfer ([0-9a-f]{8})\)$/u.exec(reason)?.[1];
  if (transfer === undefined) return undefined;
  return derived(changes === 1 ? `transfer ${transfer}` : `transfer ${transfer}\0${file}`);
}

function derived(from: string): Lineage {
  return sha256(`memdir lineage\0${from}`).slice(0, 24);
}

/** The lineages with all that are one note with them, in any store. */
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

/** Whose a name is: the present note's, else that of the last one. */
export function lineageOf({ present, ended }: Pick<Lives, "present" | "ended">, file: string): Lineage | undefined {
  return present.get(file)?.lineage ?? ended.get(file)?.at(-1);
}

/** The highest number that a version may have: numbers stay exact, and there is always a next one. */
export const LAST_SEQ = 1_000_000_000_000;

/**
 * Why transactions cannot be the past of a store; `undefined` where they can. Whoever takes over a past asks this first:
 * a number that cannot be counted on, a time that is not one, or a path that git refuses would stop every later look at
 * the history.
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

/** A moment as memdir writes it, from 1970 to 9999. */
function isTime(time: string): boolean {
  const ms = /^\d{4}-/u.test(time) ? Date.parse(time) : Number.NaN;
  return ms >= 0 && new Date(ms).toISOString() === time;
}

/** Whether a path stays below the place that it is joined to, part by part, on every system. */
export function isRelativePath(file: string): boolean {
  return !/[\p{Cc}\\]/u.test(file) && file.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/**
 * The past of another store as one takes it over that has none of its notes yet: it ends with nothing, so that the version
 * after it is the one that brings the notes, and can be undone.
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

/** MEMORY.md as it was before a version took hand-written lines out of it: it enters the history right after that. */
export function pageBefore(history: History, seq: number): Uint8Array | undefined {
  const page = history.versions(INDEX_FILE).find((version) => version.seq <= seq + 1);
  return page === undefined ? undefined : history.contentAt(page.seq, INDEX_FILE);
}

/** Whose a file was before a version: what comes back is the same note, and no longer part of another. */
export function lineageBefore(history: History, seq: number, file: string): { readonly lineage?: Lineage } {
  const lives = history.lives();
  const [last] = history.versions(file).filter((version) => version.seq < seq);
  const lineage = last === undefined ? undefined : lives.at(last.seq, file);
  return lineage === undefined ? {} : { lineage };
}

/** The transfer that a version is one half of; `undefined` for others. */
export function transferOf(reason: string): string | undefined {
  return /\(transfer ([0-9a-f]{8})\)$/u.exec(reason)?.[1];
}
