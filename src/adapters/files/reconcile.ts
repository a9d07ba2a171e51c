import { type FileChange, type Lineage, type LifeStep, type Lives, traceLives } from "../../core/notes/history.ts";
import { lifeStep, wholePast } from "./journal.ts";
import type { IndexedNote } from "../../core/notes/note-index.ts";
import type { ExternalChanges, Skipped } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { rememberDirectories, type Scan, scanNotes } from "./scan.ts";
import { rememberRenames } from "./index-page.ts";
import { anonymousId, conflictFile, INDEX_FILE, originalName } from "../../core/notes/names.ts";
import { forgottenIds } from "./forgotten.ts";
import { pathOf, readIndexed, reindex, type StoreContext } from "./store-context.ts";
import { entryTarget, handLinesOf, withHandLines } from "../../core/notes/index-file.ts";
import { isUtf8 } from "../../core/notes/parse-note.ts";
import type { DisplacedCopy } from "./replace-file.ts";

/** An editor that opened a file before it was displaced has saved it within this time (ms). */
const GRACE_MS = 2_000;

const SWEEP_EVERY_MS = 500;

const swept = new WeakMap<StoreContext, number>();

/** Keeps edits written into displaced copies since they were moved aside; called under the lock. */
export function sweepLateEdits(context: StoreContext): void {
  const now = context.clock.now();
  if (Math.abs(now - (swept.get(context) ?? 0)) < SWEEP_EVERY_MS) return;
  swept.set(context, now);
  sweep(context, isQuiet(now));
}

/** Whether a displaced copy that is no longer written to holds edits, which cannot wait for the next write. */
export function hasLateEdits(context: StoreContext): boolean {
  return context.replacer.hasLate(isQuiet(context.clock.now()));
}

const isQuiet =
  (now: number) =>
  ({ time }: DisplacedCopy): boolean =>
    now - time >= GRACE_MS || now < time;

/** The same for one file, immediately. */
export function sweepLateEditsOf(context: StoreContext, file: string): void {
  sweep(context, (copy) => copy.file === file);
}

function sweep(context: StoreContext, isDue: (copy: DisplacedCopy) => boolean): void {
  context.replacer.sweepDisplaced(isDue, (copy, content) =>
    copy.file === INDEX_FILE ? keepLateLines(context, content) : keepLateEdit(context, copy, content),
  );
}

/**
 * Keeps a late edit as a conflict copy, or under the note's name if free; `false` if another program took it. It stays
 * an edit of the note that was displaced, so that a forget of that note reaches it.
 */
function keepLateEdit(context: StoreContext, copy: DisplacedCopy, content: Uint8Array): boolean {
  const isHere = (name: string): boolean => {
    const current = context.files.read(pathOf(context, name));
    return current !== undefined && sha256(current) === sha256(content);
  };
  let isKept = false;
  const taken = (name: string): boolean => {
    if (context.files.stat(pathOf(context, name)) === undefined) return false;
    isKept ||= isHere(name);
    return true;
  };
  const { file, lineage } = orElse<NoteOfCopy>({ file: copy.file }, () => noteOfCopy(context, copy));
  const target = taken(file) ? conflictFile(file, taken) : file;
  if (isKept) return true;
  if (context.replacer.replace(target, content, undefined) === "changed") return false;
  journalLate(context, target, content, lineage);
  reindex(context, [target]);
  return true;
}

/** A history that cannot be read must not stop the edit from being kept. */
function orElse<T>(fallback: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return fallback;
  }
}

interface NoteOfCopy {
  readonly file: string;
  readonly lineage?: Lineage;
}

/** The note that a displaced copy was, under the name that it has now: it may have been renamed since. */
function noteOfCopy(context: StoreContext, copy: Pick<DisplacedCopy, "file" | "hash">): NoteOfCopy {
  const { file, hash } = copy;
  const { steps, lives } = livesNow(context);
  const isCopied = (change: LifeStep["changes"][number]): boolean =>
    change.file === file && change.content?.startsWith(hash) === true;
  const version = steps.findLast(({ changes }) => changes.some(isCopied));
  const lineage = version && lives.at(version.seq, file);
  if (lineage === undefined) return { file };
  if (lives.present.get(file)?.lineage === lineage) return { file, lineage };
  const isHere = (name: string): boolean =>
    originalName(name) === undefined && context.files.stat(pathOf(context, name)) !== undefined;
  const [renamed] = [...lives.present].find(([name, one]) => one.lineage === lineage && isHere(name)) ?? [];
  return { file: renamed ?? file, lineage };
}

/** An index has no conflict copies: lines added while it was being replaced are added to it again. */
function keepLateLines(context: StoreContext, content: Uint8Array): boolean {
  if (!addLateLines(context, content)) return false;
  journalLate(context, INDEX_FILE, content);
  return true;
}

/** `false` if another program saved the index at the same moment. An index that is not text is left unchanged. */
function addLateLines(context: StoreContext, content: Uint8Array): boolean {
  const path = pathOf(context, INDEX_FILE);
  const kind = context.files.stat(path)?.kind;
  const current = kind === "file" ? context.files.read(path) : undefined;
  if ((kind !== undefined && current === undefined) || !isUtf8(content) || (current !== undefined && !isUtf8(current)))
    return true;
  const isStale = (line: string): boolean => {
    const file = entryTarget(line);
    return file !== undefined && context.files.stat(pathOf(context, file)) === undefined;
  };
  const text = current === undefined ? undefined : decode(current);
  const united = withHandLines(
    text,
    handLinesOf(decode(content)).filter((line) => !isStale(line)),
  );
  if (united === undefined || united === text) return true;
  const bytes = new TextEncoder().encode(united);
  return context.replacer.replace(INDEX_FILE, bytes, current && sha256(current)) === "done";
}

/**
 * Records what others wrote into the files of an interrupted change before it was finished: each is an edit of the note
 * that was there, even where the change removed or renamed it.
 */
export function keepEditsOver(context: StoreContext, changes: readonly FileChange[]): void {
  const forgotten = forgottenIds(context);
  for (const { file, before, after } of changes) {
    const content = file === INDEX_FILE ? undefined : context.files.read(pathOf(context, file));
    if (content === undefined || sha256(content) === (after && sha256(after))) continue;
    if (forgotten.has(anonymousId(file)) || content.length > VERSIONED_BYTES) continue;
    const copied = before && orElse<NoteOfCopy>({ file }, () => noteOfCopy(context, { file, hash: sha256(before) }));
    journalLate(context, file, content, copied?.lineage);
  }
}

function journalLate(context: StoreContext, file: string, after: Uint8Array, lineage?: Lineage): void {
  const time = new Date(context.clock.now()).toISOString();
  context.journal.commit({
    seq: context.journal.nextSeq(),
    time,
    actor: "external",
    reason: "edited while it was being replaced",
    changes: [{ file, before: undefined, after, ...(lineage !== undefined && { lineage }) }],
  });
  context.journal.finish();
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Larger files are indexed but not kept in history (bytes). */
const VERSIONED_BYTES = 16_000_000;

const NONE: ExternalChanges = { added: [], changed: [], removed: [], skipped: [] };

export interface Difference extends ExternalChanges {
  readonly scan: Scan;
  readonly stampsOnly: readonly IndexedNote[];
  readonly fresh: readonly IndexedNote[];
}

/** Compares the files with the index; reads only files whose size or mtime differs. */
export function findDifference(context: StoreContext): Difference {
  const scan = scanNotes(context.directory, context.files, context.excluded, context.clock.now());
  const known = context.index.stamps();
  const forgotten = forgottenIds(context);
  const added: string[] = [];
  const changed: string[] = [];
  const fresh: IndexedNote[] = [];
  const stampsOnly: IndexedNote[] = [];
  const skipped: Skipped[] = [...scan.skipped];
  for (const { file, size, mtimeMs } of scan.notes) {
    const stamp = known.get(file);
    known.delete(file);
    if (stamp !== undefined && stamp.size === size && stamp.mtimeMs === mtimeMs) continue;
    if (forgotten.size > 0 && forgotten.has(anonymousId(file))) {
      skipped.push({
        file,
        reason: "a note of this name was forgotten and came back; remove it, or save it under another name",
        isForgotten: true,
      });
      if (stamp !== undefined) known.set(file, stamp);
      continue;
    }
    const note = readReadable(context, file, skipped);
    if (note === undefined) continue;
    if (stamp?.hash === note.hash) {
      stampsOnly.push(note);
    } else {
      (stamp === undefined ? added : changed).push(file);
      fresh.push(note);
    }
  }
  return { scan, added, changed, removed: [...known.keys()], skipped, stampsOnly, fresh };
}

function readReadable(context: StoreContext, file: string, skipped: Skipped[]): IndexedNote | undefined {
  try {
    return readIndexed(context, file);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    skipped.push({ file, reason: error.message });
    return undefined;
  }
}

/**
 * Takes others' edits into journal and index; called under the lock. A store that cannot be journalled (read-only) is
 * still indexed.
 */
export function adoptChanges(context: StoreContext, journalled = true): ExternalChanges {
  const before = context.clock.now();
  const difference = findDifference(context);
  const renamed = renamedIn(context, difference);
  const { added, changed, removed, fresh, stampsOnly, scan, skipped } = difference;
  if (journalled) {
    journalExternal(context, fresh, removed);
    for (const file of scan.leftovers) context.files.remove(pathOf(context, file));
  }
  if (fresh.length + stampsOnly.length + removed.length > 0)
    context.index.apply({ upsert: [...fresh, ...stampsOnly], remove: removed });
  rememberRenames(context, renamed);
  rememberDirectories(context, scan.directories, before);
  return { added, changed, removed, skipped };
}

/** Notes with a new file name and the same text; hand-written lines about them follow. */
function renamedIn({ index }: StoreContext, { added, fresh, removed }: Difference): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const taken = new Set<string>();
  for (const file of removed) {
    const hash = index.entry(file)?.hash;
    const to = fresh.find((note) => note.hash === hash && added.includes(note.file) && !taken.has(note.file));
    if (to === undefined) continue;
    renamed.set(file, to.file);
    taken.add(to.file);
  }
  return renamed;
}

function journalExternal(context: StoreContext, fresh: readonly IndexedNote[], removed: readonly string[]): void {
  const isFirstLook = context.index.stamps().size === 0;
  const pending = isFirstLook ? pendingHashes(context) : undefined;
  const gone = isFirstLook ? [...removed, ...renamedUnseen(context, fresh)] : removed;
  const changes: FileChange[] = [];
  for (const { file, hash, size } of fresh) {
    const after = size > VERSIONED_BYTES ? undefined : context.files.read(pathOf(context, file));
    if (after === undefined || sha256(after) !== hash) continue;
    // After the index was lost everything looks new; content that history already holds is not journalled again.
    const isKnown =
      pending !== undefined &&
      (pending.has(file) ? pending.get(file) === hash : context.archive?.holds(file, after) === true);
    if (!isKnown) changes.push({ file, before: undefined, after });
  }
  for (const file of gone) changes.push({ file, before: undefined, after: undefined });
  if (changes.length === 0) return;
  const seq = context.journal.nextSeq();
  const time = new Date(context.clock.now()).toISOString();
  context.journal.commit({
    seq,
    time,
    actor: "external",
    reason: isFirstLook ? "notes found" : "changed outside memdir",
    changes,
  });
  context.journal.finish();
}

/**
 * Files that history knows, that are gone, and whose content is there under a new name: without an index, nothing else
 * says that they were renamed, and the note would begin a second life that no forget of the first reaches.
 */
function renamedUnseen(context: StoreContext, fresh: readonly IndexedNote[]): string[] {
  if (fresh.length === 0 || context.journal.nextSeq() === 1) return [];
  const { files, directory } = context;
  const { present } = livesNow(context).lives;
  const fresher = new Set(fresh.flatMap(({ file, hash }) => (present.has(file) ? [] : [hash])));
  return [...present].flatMap(([file, { content }]) =>
    fresher.has(content) && files.stat(`${directory}/${file}`) === undefined ? [file] : [],
  );
}

/** Which note each version belongs to, by archive and journal alone; reads all texts, and writes nothing. */
function livesNow({ archive, journal }: StoreContext): { readonly steps: readonly LifeStep[]; readonly lives: Lives } {
  const steps = wholePast({ archive, journal }).map(lifeStep);
  return { steps, lives: traceLives(steps) };
}

/** Hash of the newest journalled content of each file; `undefined` if the last entry removed it. */
function pendingHashes(context: StoreContext): Map<string, string | undefined> {
  const hashes = new Map<string, string | undefined>();
  for (const { changes } of context.journal.read())
    for (const { file, after } of changes) hashes.set(file, after && sha256(after));
  return hashes;
}

export const nothingChanged = NONE;
