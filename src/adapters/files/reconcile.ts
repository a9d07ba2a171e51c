import type { FileChange } from "../../core/notes/history.ts";
import type { IndexedNote } from "../../core/notes/note-index.ts";
import type { ExternalChanges } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { rememberDirectories } from "./directories.ts";
import { rememberRenames } from "./index-page.ts";
import { anonymousId } from "../../core/notes/anonymous-id.ts";
import { forgottenIds } from "./forgotten.ts";
import { type Scan, scanNotes } from "./scan.ts";
import { pathOf, readIndexed, type StoreContext } from "./store-context.ts";

/** Larger files are indexed but not kept in history (bytes). */
const VERSIONED_BYTES = 16_000_000;
const NONE: ExternalChanges = { added: [], changed: [], removed: [], skipped: [] };

export interface Difference extends ExternalChanges {
  readonly scan: Scan;
  readonly stampsOnly: readonly IndexedNote[];
  readonly fresh: readonly IndexedNote[];
}

/** Compares the files with the index, reading only those whose size or mtime differ. */
export function findDifference(context: StoreContext): Difference {
  const scan = scanNotes(context.directory, context.files, context.excluded, context.clock.now());
  const known = context.index.stamps();
  const forgotten = forgottenIds(context);
  const added: string[] = [];
  const changed: string[] = [];
  const fresh: IndexedNote[] = [];
  const stampsOnly: IndexedNote[] = [];
  const skipped = [...scan.skipped];
  for (const { file, size, mtimeMs } of scan.notes) {
    const stamp = known.get(file);
    known.delete(file);
    if (stamp !== undefined && stamp.size === size && stamp.mtimeMs === mtimeMs) continue;
    if (forgotten.size > 0 && forgotten.has(anonymousId(file))) {
      skipped.push({
        file,
        reason: "a note of this name was forgotten and came back; remove it, or save it under another name",
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

function readReadable(
  context: StoreContext,
  file: string,
  skipped: { file: string; reason: string }[],
): IndexedNote | undefined {
  try {
    return readIndexed(context, file);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    skipped.push({ file, reason: error.message });
    return undefined;
  }
}

/**
 * Takes what others wrote into journal and index; called under the lock. A store that cannot be
 * journalled (read-only) is indexed all the same.
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

/** Notes that have another file name and the same text: what is written about them by hand follows. */
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
  const changes: FileChange[] = [];
  for (const { file, hash, size } of fresh) {
    const after = size > VERSIONED_BYTES ? undefined : context.files.read(pathOf(context, file));
    if (after === undefined || sha256(after) !== hash) continue;
    // After the index was lost everything looks new; what history holds already is not news.
    const isKnown =
      pending !== undefined &&
      (pending.has(file) ? pending.get(file) === hash : context.archive?.holds(file, after) === true);
    if (!isKnown) changes.push({ file, before: undefined, after });
  }
  for (const file of removed) changes.push({ file, before: undefined, after: undefined });
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

/** Hash of the newest journalled content of each file; `undefined` for one whose last word is that it went. */
function pendingHashes(context: StoreContext): Map<string, string | undefined> {
  const hashes = new Map<string, string | undefined>();
  for (const { changes } of context.journal.read())
    for (const { file, after } of changes) hashes.set(file, after && sha256(after));
  return hashes;
}

export const nothingChanged = NONE;
