import type { Lineage, Lives } from "../../core/notes/history.ts";
import { entryTarget, handLinesOf } from "../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import type { ExternalChanges, NoteStore, StoreChange } from "../../core/notes/store.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { linesIn, linesText } from "../../core/sync/merge-lines.ts";
import { LIMITS, LINES_KEY } from "../../core/sync/protocol.ts";
import type { LocalNotes, LocalStep, Replica, UnsentText } from "../../core/sync/replica.ts";
import { addHandLines, removeHandLines } from "../transfer/hand-lines.ts";

/** Hand-written lines are not a note: all devices and stores have them under the same lineage. */
const LINES_LINEAGE: Lineage = sha256("memdir lines of MEMORY.md").slice(0, 24);

/** The author of what sync writes, in a store's history. */
const SYNC = "sync";

export interface ReplicaParts {
  readonly store: NoteStore;
  /** Called before each check of the files, and afterwards with the changes found. */
  readonly looking?: () => void;
  readonly looked?: (changes: ExternalChanges) => void;
  /** Whether a note of this name was forgotten here. */
  readonly isForgotten: (file: string) => boolean;
  /** Keeps unsent text of a forgotten note, and returns when it is on disk. */
  readonly keepForReview: (unsent: readonly UnsentText[]) => void;
  /** Purges lineages, and whatever quotes them, from every store of this machine. */
  readonly forget: (lineages: ReadonlySet<Lineage>) => void;
}

/** The notes of a store as sync sees them. All writes go through `commit`, so history has them. */
export function storeReplica({ store, isForgotten, keepForReview, forget, ...parts }: ReplicaParts): Replica {
  // A line that points at a forgotten note names it, so it is neither sent nor accepted.
  const mayTravel = (line: string): boolean => {
    const file = entryTarget(line);
    return file === undefined || !isForgotten(file) || store.read(file) !== undefined;
  };
  return {
    look() {
      parts.looking?.();
      const changes = store.reconcile("full");
      parts.looked?.(changes);
      return lookAt(store, mayTravel);
    },
    apply: (steps, reason) => applySteps(store, steps, reason, mayTravel),
    forget(lineages, unsent) {
      if (unsent.length > 0) keepForReview(unsent);
      forget(lineages);
    },
  };
}

function lookAt(store: NoteStore, mayTravel: (line: string) => boolean): LocalNotes {
  const lines = linesText(handLinesOf(decoded(store.read(INDEX_FILE)) ?? "").filter(mayTravel));
  const hashes = new Map<string, string>([[LINES_KEY, sha256(lines)]]);
  const blocked = new Map<string, string>();
  const tooLarge: string[] = [];
  for (const { file, hash, size, problems } of store.index.entries()) {
    const problem = problems.find(({ code }) => code === "invalid-utf8" || code === "nul-bytes");
    if (problem !== undefined) blocked.set(file, problem.message);
    else if (size > LIMITS.entryBytes) tooLarge.push(file);
    else hashes.set(file, hash);
  }
  for (const file of tooLarge) blocked.set(file, `it is larger than ${LIMITS.entryBytes} bytes`);
  // Each text is read once, so that the text judged is also the one a commit compares the file with.
  const texts = new Map<string, string | undefined>([[LINES_KEY, lines]]);
  const text = (key: string): string | undefined => {
    if (!texts.has(key)) texts.set(key, hashes.has(key) ? decoded(store.read(key)) : undefined);
    return texts.get(key);
  };
  let lives: Lives | undefined;
  const life = (): Lives => (lives ??= store.lives());
  let past: ReturnType<typeof pastOf> | undefined;
  return {
    hashes,
    blocked,
    tooLarge,
    notText: [...blocked.keys()].filter((file) => !tooLarge.includes(file)),
    text,
    lineage: (key) => (key === LINES_KEY ? LINES_LINEAGE : life().present.get(key)?.lineage),
    keysOf: (lineage) =>
      [...life().present].flatMap(([file, one]) => (one.lineage === lineage && hashes.has(file) ? [file] : [])),
    knew: (key, lineage, wanted) => (past ??= pastOf(store)).get(lineage)?.texts.has(textId(key, wanted)) === true,
    came: (lineage) => [...((past ??= pastOf(store)).get(lineage)?.came ?? [])],
  };
}

/** `undefined` for a missing file and for bytes that are not valid UTF-8. */
function decoded(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** What a note has been on this device. */
interface PastOfNote {
  /** `textId` of every text that it has had, by name. */
  readonly texts: Set<string>;
  readonly came: Set<string>;
  readonly own: Set<string>;
}

/** Reads the history once: after a restore, every note of the space is looked up. */
function pastOf(store: NoteStore): ReadonlyMap<Lineage, PastOfNote> {
  const history = store.history();
  const lives = history.lives();
  const found = new Map<Lineage, PastOfNote>();
  for (const { seq, actor, changes } of history.transactions())
    for (const { file, after } of changes) {
      const lineage = lives.at(seq, file);
      const text = decoded(after);
      if (text === undefined || lineage === undefined) continue;
      const past = found.get(lineage) ?? { texts: new Set(), came: new Set(), own: new Set() };
      found.set(lineage, past);
      past.texts.add(textId(file, text));
      // Where a line stood first decides: sync also writes copies and merges of what was written here.
      const [first, other] = actor === SYNC ? [past.came, past.own] : [past.own, past.came];
      for (const line of text.split("\n")) if (!other.has(line)) first.add(line);
    }
  return found;
}

function textId(file: string, text: string): string {
  return sha256(`${file}\0${text}`);
}

function applySteps(
  store: NoteStore,
  steps: readonly LocalStep[],
  reason: string,
  mayTravel: (line: string) => boolean,
): "applied" | "changed" {
  const notes = steps.filter(({ key }) => key !== LINES_KEY);
  const note = { actor: SYNC, reason };
  // One note ends before another begins under its name, so that history keeps them apart. A text that continues under
  // another name does so in the same step, so that it is never only in history.
  const ends = notes.filter((step) => step.kind === "replace");
  const first = [...ends.map(endOf), ...notes.filter((step) => step.kind !== "replace").map(changeOf)];
  if (first.length > 0 && !store.commit(first, note).ok) return "changed";
  if (ends.length > 0 && !store.commit(ends.map(beginningOf), note).ok) return "changed";
  for (const step of steps)
    if (step.key === LINES_KEY && step.kind !== "delete") writeLines(store, linesIn(step.text).filter(mayTravel));
  return "applied";
}

/** The same text under another lineage is the same note: earlier versions then belong to that lineage. */
function endOf(step: Extract<LocalStep, { kind: "replace" }>): StoreChange {
  const { key, seen, text, lineage } = step;
  return { kind: "delete", file: key, base: encoded(seen), ...(text === seen && { lineage }) };
}

function beginningOf({ key, text, lineage }: Extract<LocalStep, { kind: "replace" }>): StoreChange {
  return { kind: "create", file: key, content: text, lineage };
}

function changeOf(step: Exclude<LocalStep, { kind: "replace" }>): StoreChange {
  if (step.kind === "delete") return { kind: "delete", file: step.key, base: encoded(step.seen) };
  if (step.kind === "create") return { kind: "create", file: step.key, content: step.text, lineage: step.lineage };
  return { kind: "write", file: step.key, content: step.text, base: encoded(step.seen) };
}

function writeLines(store: NoteStore, wanted: readonly string[]): void {
  const before = handLinesOf(decoded(store.read(INDEX_FILE)) ?? "");
  addHandLines(store.directory, wanted);
  removeHandLines(
    store.directory,
    before.filter((line) => line.trim() !== "" && !wanted.includes(line)),
  );
  store.rebuildIndexFile();
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
