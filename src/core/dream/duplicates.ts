import { dayIn } from "../shared/clock.ts";
import { compareStatements, type Likeness } from "./compare.ts";
import { isOpen, isProtected, type ReadNote } from "./note.ts";
import type { DreamEdit, DreamOperation } from "./operation.ts";
import type { Sentence } from "./statement.ts";

/** Groups larger than this are a template, not a memory said again; they are left alone. */
const MOST_ALIKE = 50;

/**
 * Notes that say the same, or contradict one another about one subject. Candidates meet under keys made of their
 * sentences, so that the time grows with the number of notes, not of pairs.
 */
export function findDuplicates(notes: readonly ReadNote[], timeZone: string | undefined): DreamOperation[] {
  const gone = new Set<string>();
  const operations: DreamOperation[] = [];
  for (const [first, second] of candidatePairs(notes)) {
    if (gone.has(first.note.file) || gone.has(second.note.file) || !areComparable(first, second)) continue;
    const operation = operationFor(first, second, compareStatements(first.statement, second.statement), timeZone);
    if (operation === undefined) continue;
    operations.push(operation);
    for (const edit of operation.edits) if (edit.kind === "retire") gone.add(edit.file);
  }
  return operations;
}

/** A preference and a fact never say the same, and what is said of one type of note is not said of another. */
function areComparable(first: ReadNote, second: ReadNote): boolean {
  return first.note.type === second.note.type || first.note.type === undefined || second.note.type === undefined;
}

function operationFor(first: ReadNote, second: ReadNote, likeness: Likeness, timeZone: string | undefined): DreamOperation | undefined {
  switch (likeness.kind) {
    case "different":
      return undefined;
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

/** A person looked at both and said that both hold. */
function areSettled({ note: first }: ReadNote, { note: second }: ReadNote): boolean {
  return first.settledWith?.includes(second.file) === true || second.settledWith?.includes(first.file) === true;
}

/** Protected notes stay; then the one that says more; then the newer. */
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
  // A protected note takes nothing in; what only the other one knows keeps that one alive.
  if (missing.length > 0 && !isOpen(stays.note)) return undefined;
  const kept: DreamEdit[] = missing.length === 0 ? [] : [{ kind: "append", file: stays.note.file, text: missing.join("\n\n") }];
  return {
    kind: "merge",
    cause: "duplicate",
    files: [stays.note.file, goes.note.file],
    reason: contained ? `all that ${goes.note.file} says stands in ${stays.note.file}` : `${goes.note.file} and ${stays.note.file} say the same`,
    edits: [...kept, { kind: "retire", file: goes.note.file, by: stays.note.file }],
    ask: !isOpen(goes.note),
  };
}

/** `**Why:** …` and `**How to apply:** …`, one text each. */
function reasonsOf(body: string): string[] {
  return body.split(/\n\s*(?=\*\*(?:Why|How to apply):?\*\*)/u).slice(1).map((part) => part.trim());
}

/** A newer note says in so many words that something changed. */
export const CHANGE = /\b(?:now|no longer|instead of|moved|changed|switched|since|from now on|as of|replaced|any ?more|anymore)\b|现在|不再|改为|もう|今は|이제|\b(?:jetzt|nicht mehr|désormais|maintenant|ahora|ya no|agora|não mais)\b|(?<!\p{L})(?:теперь|больше не)(?!\p{L})/iu;
export const DAY_MS = 86_400_000;

function contradiction(first: ReadNote, second: ReadNote, said: { readonly first: string; readonly second: string }, timeZone: string | undefined): DreamOperation {
  const [older, newer] = first.note.time <= second.note.time ? [first, second] : [second, first];
  const [before, now] = older === first ? [said.first, said.second] : [said.second, said.first];
  const files = [newer.note.file, older.note.file];
  const apart = `"${before}" (${dayIn(timeZone, older.note.time)}) against "${now}" (${dayIn(timeZone, newer.note.time)})`;
  const isSettled = newer.note.time - older.note.time >= DAY_MS && CHANGE.test(newer.note.body) && !isProtected(older.note);
  if (!isSettled) return { kind: "conflict", cause: "contradiction", files, reason: `${apart}: which one holds?`, edits: [], ask: true };
  return { kind: "supersede", cause: "contradiction", files, reason: `${apart}: the newer note says that it changed`, edits: [{ kind: "retire", file: older.note.file, by: newer.note.file }], ask: !isOpen(older.note) };
}

/** Pairs that share a sentence, or a sentence but for one value or a denial; oldest pairs first, each once. */
function* candidatePairs(notes: readonly ReadNote[]): Generator<readonly [ReadNote, ReadNote]> {
  const groups = new Map<string, ReadNote[]>();
  for (const note of notes) {
    for (const key of keysOf(note)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [note]);
      else group.push(note);
    }
  }
  const seen = new Set<string>();
  for (const group of groups.values()) {
    if (group.length < 2 || group.length > MOST_ALIKE) continue;
    for (const [at, first] of group.entries()) {
      for (const second of group.slice(at + 1)) {
        const pair = `${first.note.file}\n${second.note.file}`;
        if (seen.has(pair) || first === second) continue;
        seen.add(pair);
        yield [first, second];
      }
    }
  }
}

function keysOf({ statement }: ReadNote): ReadonlySet<string> {
  const keys = new Set<string>();
  const [head] = statement.sentences;
  if (head === undefined) return keys;
  keys.add(`bag ${bagKey(statement.sentences)}`);
  for (const sentence of statement.sentences) keys.add(`sentence ${bagKey([sentence])}`);
  for (const [at, word] of head.words.entries()) if (word.value !== undefined) keys.add(`but ${at} ${head.words.map(({ term }, index) => (index === at ? "*" : term)).join(" ")}`);
  return keys;
}

/** Without words of denial, so that a rule and its opposite meet. */
function bagKey(sentences: readonly Sentence[]): string {
  return [...new Set(sentences.flatMap(({ words }) => words.filter(({ isDenial }) => !isDenial).map(({ term }) => term)))].toSorted().join(" ");
}
