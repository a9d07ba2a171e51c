import { changeOf } from "../notes/changes/change.ts";
import { readSaid, type Said } from "../notes/changes/reading.ts";
import { dayIn } from "../shared/clock.ts";
import { truncate } from "../shared/text.ts";
import { compareStatements, type Likeness } from "../notes/compare.ts";
import {
  type DreamNote,
  isOpen,
  isProtected,
  type ReadNote,
  type DreamEdit,
  type DreamOperation,
} from "./operation.ts";
import type { Sentence } from "../notes/statement.ts";

/** Larger groups are a template, not repeated memories, and are left alone. */
const MOST_ALIKE = 50;

/** Most notes named in one conflict; the others are counted. */
const MOST_NAMED = 10;

/**
 * Finds notes that say the same, or contradict one another on one subject. Candidates are paired by keys made of their
 * sentences, so the time grows with the number of notes, not of pairs. Notes that all contradict one another are one
 * conflict.
 */
export function findDuplicates(notes: readonly ReadNote[], timeZone: string | undefined): DreamOperation[] {
  const gone = new Set<string>();
  const operations: DreamOperation[] = [];
  const clusters = new Clusters();
  for (const [first, second] of candidatePairs(notes)) {
    if (gone.has(first.note.file) || gone.has(second.note.file) || !areComparable(first, second)) continue;
    const operation = operationFor(first, second, timeZone);
    if (operation === undefined) continue;
    if (operation.kind === "conflict") {
      clusters.join(first.note, second.note, operation);
      continue;
    }
    operations.push(operation);
    for (const edit of operation.edits) if (edit.kind === "retire") gone.add(edit.file);
  }
  return [...operations, ...clusters.conflicts(gone)];
}

/** Files of notes that contradict this one, unless a person settled that both hold; each once. */
export function rivalsOf(notes: readonly ReadNote[], file: string, timeZone: string | undefined): readonly string[] {
  const rivals: string[] = [];
  for (const [first, second] of candidatePairs(notes, file)) {
    if (!areComparable(first, second)) continue;
    if (operationFor(first, second, timeZone)?.kind === "conflict")
      rivals.push(first.note.file === file ? second.note.file : first.note.file);
  }
  return rivals;
}

/** Groups notes that contradict one another. */
class Clusters {
  readonly #of = new Map<string, Cluster>();

  join(first: DreamNote, second: DreamNote, operation: DreamOperation): void {
    const time = Math.max(first.time, second.time);
    const known = [this.#of.get(first.file), this.#of.get(second.file)].filter((one) => one !== undefined);
    const [large = { operation, time, files: new Set<string>() }, small = large] = known.toSorted(
      (a, b) => b.files.size - a.files.size,
    );
    // The newest pair represents the cluster.
    for (const one of [small, { operation, time }])
      if (one.time > large.time) Object.assign(large, { operation: one.operation, time: one.time });
    if (small !== large) for (const file of small.files) this.#put(file, large);
    this.#put(first.file, large);
    this.#put(second.file, large);
  }

  #put(file: string, cluster: Cluster): void {
    cluster.files.add(file);
    this.#of.set(file, cluster);
  }

  conflicts(gone: ReadonlySet<string>): readonly DreamOperation[] {
    return [...new Set(this.#of.values())].map(({ operation, files }) => {
      const others = [...files].filter((file) => !operation.files.includes(file) && !gone.has(file)).toSorted();
      if (others.length === 0) return operation;
      const named = [...operation.files, ...others].slice(0, MOST_NAMED);
      const more = operation.files.length + others.length - named.length;
      return {
        ...operation,
        files: named,
        more,
        reason: `${operation.reason} ${others.length === 1 ? "One note more says" : `${others.length} notes more say`} something else again`,
      };
    });
  }
}

interface Cluster {
  operation: DreamOperation;
  time: number;
  readonly files: Set<string>;
}

/** Notes of different types are not compared: a preference and a fact never say the same. */
function areComparable(first: ReadNote, second: ReadNote): boolean {
  return first.note.type === second.note.type || first.note.type === undefined || second.note.type === undefined;
}

function operationFor(first: ReadNote, second: ReadNote, timeZone: string | undefined): DreamOperation | undefined {
  const likeness: Likeness = compareStatements(first.statement, second.statement);
  switch (likeness.kind) {
    case "different":
      return changeFor(first, second, timeZone);
    case "contradicts":
      return areSettled(first, second) ? undefined : contradiction(first, second, likeness, timeZone);
    case "same":
    case "contained": {
      const inner = likeness.kind === "contained" ? likeness.inner : undefined;
      const stays = inner === undefined ? better(first, second) : inner === "first" ? second : first;
      const goes = stays === first ? second : first;
      return merge(stays, goes, inner !== undefined);
    }
  }
}

/** What the newer of two notes does to the older by the rule for changes, when they are not plain opposites. */
function changeFor(first: ReadNote, second: ReadNote, timeZone: string | undefined): DreamOperation | undefined {
  const [older, newer] = first.note.time <= second.note.time ? [first, second] : [second, first];
  const [before, after] = [saidOf(older), saidOf(newer)];
  const { kind, isTold = false } = changeOf(after, before);
  if ((kind !== "replaces" && kind !== "contradicts") || areSettled(first, second)) return undefined;
  const said = { first: truncate(before.text, QUOTED), second: truncate(after.text, QUOTED) };
  return contradiction(older, newer, said, timeZone, kind === "replaces" && isTold);
}

const QUOTED = 80;

/** A person decided that both hold. */
function areSettled({ note: first }: ReadNote, { note: second }: ReadNote): boolean {
  return first.settledWith?.includes(second.file) === true || second.settledWith?.includes(first.file) === true;
}

/** Prefers a protected note, then the one that says more, then the newer. */
function better(first: ReadNote, second: ReadNote): ReadNote {
  if (isProtected(first.note) !== isProtected(second.note)) return isProtected(first.note) ? first : second;
  const [a, b] = [reasonsOf(first.note.body).length, reasonsOf(second.note.body).length];
  if (a !== b) return a > b ? first : second;
  if (first.note.time !== second.note.time) return first.note.time > second.note.time ? first : second;
  return first.note.file < second.note.file ? first : second;
}

function merge(stays: ReadNote, goes: ReadNote, contained: boolean): DreamOperation | undefined {
  if (isProtected(goes.note)) return undefined;
  const missing = reasonsOf(goes.note.body).filter((reason) => !stays.note.body.includes(reason));
  // A protected note is not extended, so the other one stays if it has reasons of its own.
  if (missing.length > 0 && !isOpen(stays.note)) return undefined;
  const kept: DreamEdit[] =
    missing.length === 0 ? [] : [{ kind: "append", file: stays.note.file, text: missing.join("\n\n") }];
  return {
    kind: "merge",
    cause: "duplicate",
    files: [stays.note.file, goes.note.file],
    reason: contained
      ? `all that ${goes.note.file} says stands in ${stays.note.file}`
      : `${goes.note.file} and ${stays.note.file} say the same`,
    edits: [...kept, { kind: "retire", file: goes.note.file, by: stays.note.file }],
    ask: !isOpen(goes.note),
  };
}

/** The `**Why:** …` and `**How to apply:** …` parts, one text each. */
function reasonsOf(body: string): string[] {
  return body
    .split(/\n\s*(?=\*\*(?:Why|How to apply):?\*\*)/u)
    .slice(1)
    .map((part) => part.trim());
}

/** Words with which a newer note says that something changed. */
export const CHANGE =
  /\b(?:now|no longer|instead of|moved|changed|switched|since|from now on|as of|replaced|any ?more|anymore)\b|现在|不再|改为|もう|今は|이제|\b(?:jetzt|nicht mehr|désormais|maintenant|ahora|ya no|agora|não mais)\b|(?<!\p{L})(?:теперь|больше не)(?!\p{L})/iu;
export const DAY_MS = 86_400_000;

function contradiction(
  first: ReadNote,
  second: ReadNote,
  said: { readonly first: string; readonly second: string },
  timeZone: string | undefined,
  isTold = false,
): DreamOperation {
  const [older, newer] = first.note.time <= second.note.time ? [first, second] : [second, first];
  const [before, now] = older === first ? [said.first, said.second] : [said.second, said.first];
  const files = [newer.note.file, older.note.file];
  // Quotes the newer note first, in the order of `files`.
  const apart = `"${now}" (${dayIn(timeZone, newer.note.time)}) against "${before}" (${dayIn(timeZone, older.note.time)})`;
  const isLater = newer.note.time - older.note.time >= DAY_MS && CHANGE.test(newer.note.body);
  const isSettled = (isTold || isLater) && !isProtected(older.note);
  if (!isSettled)
    return {
      kind: "conflict",
      cause: "contradiction",
      files,
      reason: `${apart}: which one holds?`,
      edits: [],
      ask: true,
    };
  return {
    kind: "supersede",
    cause: "contradiction",
    files,
    reason: `${apart}: the newer note says that it changed`,
    edits: [{ kind: "retire", file: older.note.file, by: newer.note.file }],
    ask: !isOpen(older.note),
  };
}

/** Pairs that share a sentence but for one value or a denial, oldest first, each once. `only`: pairs of that note. */
function* candidatePairs(notes: readonly ReadNote[], only?: string): Generator<readonly [ReadNote, ReadNote]> {
  const groups = groupsBy(notes, keysOf);
  const leaving = new Set(notes.flatMap((note) => saidOf(note).from?.map(({ term }) => term) ?? []));
  // A note that says "from X to Y" or "Y, not X" is paired with the notes that have X.
  for (const [key, group] of groupsBy(notes, (note) => valuesOf(note, leaving))) groups.set(key, group);
  const seen = new Set<string>();
  for (const group of groups.values()) {
    if (group.length < 2 || group.length > MOST_ALIKE) continue;
    for (const [at, first] of group.entries()) {
      for (const second of group.slice(at + 1)) {
        if (only !== undefined && first.note.file !== only && second.note.file !== only) continue;
        const pair = `${first.note.file}\n${second.note.file}`;
        if (seen.has(pair)) continue;
        seen.add(pair);
        yield [first, second];
      }
    }
  }
}

function groupsBy(notes: readonly ReadNote[], keys: (note: ReadNote) => ReadonlySet<string>): Map<string, ReadNote[]> {
  const groups = new Map<string, ReadNote[]>();
  for (const note of notes)
    for (const key of keys(note)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [note]);
      else group.push(note);
    }
  return groups;
}

function valuesOf(note: ReadNote, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const { tokens, from = [] } = saidOf(note);
  return new Set([...tokens, ...from].filter(({ term }) => wanted.has(term)).map(({ term }) => `value ${term}`));
}

const read = new WeakMap<ReadNote, Said>();

/** Cached, since a note is compared with many others. */
function saidOf(note: ReadNote): Said {
  const { body, description } = note.note;
  const known = read.get(note) ?? readSaid(body.trim() === "" ? description : body, note.statement);
  read.set(note, known);
  return known;
}

function keysOf({ statement }: ReadNote): ReadonlySet<string> {
  const keys = new Set<string>();
  const [head] = statement.sentences;
  if (head === undefined) return keys;
  // Keys for all sentences together and for each one: another note may say in one sentence what this one says in two.
  for (const sentences of [statement.sentences, ...statement.sentences.map((one) => [one])])
    keys.add(`words ${bagKey(sentences)}`);
  for (const [at, word] of head.words.entries())
    if (word.value !== undefined)
      keys.add(`but ${at} ${head.words.map(({ term }, index) => (index === at ? "*" : term)).join(" ")}`);
  return keys;
}

/** Omits words of denial, so that a rule and its opposite share a key. */
function bagKey(sentences: readonly Sentence[]): string {
  return [
    ...new Set(sentences.flatMap(({ words }) => words.filter(({ isDenial }) => !isDenial).map(({ term }) => term))),
  ]
    .toSorted()
    .join(" ");
}
