import { sha256 } from "../shared/hash.ts";
import { INDEX_FILE, originalName } from "./names.ts";

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
