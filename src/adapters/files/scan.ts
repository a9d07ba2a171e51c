import type { DirectoryEntry, FilePort } from "../../core/notes/file-port.ts";
import { INDEX_FILE, MAX_DEPTH, isExcluded, isMarkdown } from "../../core/notes/names.ts";
import { isRecord, parseJson, record } from "../../core/shared/json.ts";
import type { NoteIndex } from "../../core/notes/note-index.ts";

/** Two changes within one tick of the file system's clock leave the same mtime (ms). */
export const MTIME_TICK_MS = 20;

export interface ScannedFile {
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface Scan {
  readonly notes: readonly ScannedFile[];
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** mtime of every directory read, by path relative to the store (`""` is the store). */
  readonly directories: Readonly<Record<string, number>>;
  /** Temporary files of writers that were killed. */
  readonly leftovers: readonly string[];
}

const LEFTOVER_AGE_MS = 60_000;

/** Every note below `root`. Hidden entries, indexes and `excluded` sub-directories are skipped; links not followed. */
export function scanNotes(root: string, files: FilePort, excluded: ReadonlySet<string>, now: number): Scan {
  const notes: ScannedFile[] = [];
  const skipped: { file: string; reason: string }[] = [];
  const directories: Record<string, number> = {};
  const leftovers: string[] = [];
  const visit = (relative: string, depth: number): void => {
    const path = relative === "" ? root : `${root}/${relative}`;
    // The mtime is read first, so a change during the listing counts as a later one.
    const stat = files.stat(path);
    const entries = files.list(path);
    if (stat === undefined || entries === undefined) return;
    directories[relative] = stat.mtimeMs;
    for (const entry of entries) {
      const file = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (entry.name.startsWith(".")) {
        if (/^\.memdir-.*\.(?:tmp|link)$/u.test(entry.name)) leftovers.push(file);
      } else if (entry.kind === "directory") {
        if (!isExcluded(excluded, file) && depth < MAX_DEPTH) visit(file, depth + 1);
      } else if (isNoteName(entry.name)) {
        visitNote(file, entry.kind);
      }
    }
  };
  const visitNote = (file: string, kind: string): void => {
    if (kind !== "file") {
      skipped.push({
        file,
        reason: kind === "link" ? "it is a symbolic link; links are not followed" : "it is not an ordinary file",
      });
      return;
    }
    const stat = files.stat(`${root}/${file}`);
    if (stat !== undefined) notes.push({ file, size: stat.size, mtimeMs: stat.mtimeMs });
  };
  visit("", 0);
  return {
    notes,
    skipped,
    directories,
    leftovers: leftovers.filter((file) => now - (files.stat(`${root}/${file}`)?.mtimeMs ?? now) > LEFTOVER_AGE_MS),
  };
}

/** Whether a file name is that of a note: Markdown, not hidden, not the index. */
export function isNoteName(name: string): boolean {
  return !name.startsWith(".") && isMarkdown(name) && name.toUpperCase() !== INDEX_FILE.toUpperCase();
}

/** The parts of a store needed to look at it. */
export interface StoreView {
  readonly directory: string;
  readonly files: FilePort;
  readonly index: NoteIndex;
}

const STATE_KEY = "directories";

/** Above this number of notes a quick look relies on the directories' mtimes. */
export const QUICK_SCAN_NOTES = 1_000;

/** How long a look by this process stays valid for a glance (ms, on a monotonic clock). */
const GLANCE_MS = 1_000;

interface Look {
  readonly since: number;
  readonly mtimes: Readonly<Record<string, number>>;
}

const looks = new WeakMap<NoteIndex, Look>();

/** Whether this process looked a moment ago and no file was added or removed since, except by this process. */
export function isSeenJustNow(view: StoreView): boolean {
  const look = looks.get(view.index);
  if (look === undefined || performance.now() - look.since > GLANCE_MS || !isAsThen(view, look.mtimes)) return false;
  const count = view.index.count();
  return count > QUICK_SCAN_NOTES || count === notesIn(view, Object.keys(look.mtimes));
}

function notesIn(view: StoreView, directories: readonly string[]): number {
  return directories
    .flatMap((relative) => entriesIn(view, relative))
    .filter(({ name, kind }) => kind === "file" && isNoteName(name)).length;
}

function isAsThen(view: StoreView, mtimes: Readonly<Record<string, number>>): boolean {
  return Object.entries(mtimes).every(([relative, mtimeMs]) => mtimeOf(view, relative) === mtimeMs);
}

/**
 * Whether a large store looks as it did when the index was last complete. It compares the directories' mtimes. Just
 * after a write by memdir, when an mtime may hide another change in the same tick, it compares the names too. A file
 * replaced within that tick stays unnoticed until the next full look.
 */
export function looksUnchanged(view: StoreView, now: number): boolean {
  if (view.index.count() <= QUICK_SCAN_NOTES) return false;
  const seen = parseDirectories(view.index.state(STATE_KEY));
  if (seen === undefined) return false;
  const places = Object.entries(seen.mtimes);
  if (!isAsThen(view, seen.mtimes)) return false;
  if (places.every(([, mtimeMs]) => seen.at - mtimeMs > MTIME_TICK_MS)) return true;
  if (!seen.own || !hasSameNames(view, Object.keys(seen.mtimes))) return false;
  rememberDirectories(view, seen.mtimes, now, true);
  // Comparing the names counts as a look at others' changes, so the next few adds need not read them all again.
  looks.set(view.index, { since: performance.now(), mtimes: seen.mtimes });
  return true;
}

function hasSameNames(view: StoreView, directories: readonly string[]): boolean {
  const known = view.index.stamps();
  let present = 0;
  for (const relative of directories) {
    for (const { name, kind } of entriesIn(view, relative)) {
      if (kind === "directory" || !isNoteName(name)) continue;
      if (!known.has(relative === "" ? name : `${relative}/${name}`)) return false;
      present++;
    }
  }
  return present === known.size;
}

/** Stores the state of the directories at `at`; `own` when memdir made the last change. */
export function rememberDirectories(
  view: StoreView,
  mtimes: Readonly<Record<string, number>>,
  at: number,
  own = false,
): void {
  const earlier = looks.get(view.index);
  // A change by memdir does not count as a look at others' changes.
  if (!own || earlier !== undefined)
    looks.set(view.index, { since: own && earlier !== undefined ? earlier.since : performance.now(), mtimes });
  if (view.index.count() <= QUICK_SCAN_NOTES) return; // small stores are always scanned in full
  view.index.setState(STATE_KEY, JSON.stringify({ at, own, mtimes }));
}

/** Directory mtimes before a change by memdir; `undefined` if they were already out of date. */
export function knownDirectories(view: StoreView): Readonly<Record<string, number>> | undefined {
  const seen = [parseDirectories(view.index.state(STATE_KEY)), looks.get(view.index)];
  return seen.find((one) => one !== undefined && isAsThen(view, one.mtimes))?.mtimes;
}

/** Directories known before a change by memdir stay known after it. */
export function refreshDirectories(view: StoreView, known: Readonly<Record<string, number>>, now: number): void {
  const mtimes = Object.keys(known).map((relative) => [relative, mtimeOf(view, relative) ?? 0]);
  rememberDirectories(view, Object.fromEntries(mtimes), now, true);
}

/** `""` is the store's own directory. */
function placeOf({ directory }: StoreView, relative: string): string {
  return relative === "" ? directory : `${directory}/${relative}`;
}

function entriesIn(view: StoreView, relative: string): readonly DirectoryEntry[] {
  return view.files.list(placeOf(view, relative)) ?? [];
}

function mtimeOf(view: StoreView, relative: string): number | undefined {
  return view.files.stat(placeOf(view, relative))?.mtimeMs;
}

function parseDirectories(
  text: string | undefined,
): { at: number; own: boolean; mtimes: Record<string, number> } | undefined {
  const { at, own, mtimes } = record(parseJson(text ?? ""));
  if (typeof at !== "number" || !isRecord(mtimes)) return undefined;
  const known = Object.entries(mtimes).map(([relative, mtime]): [string, number] => [relative, Number(mtime)]);
  return { at, own: own === true, mtimes: Object.fromEntries(known) };
}
