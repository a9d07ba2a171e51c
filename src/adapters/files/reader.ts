import type { ReadableStore } from "../../core/notes/store.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { looksUnchanged, QUICK_SCAN_NOTES, type StoreView, isNoteName, scanNotes } from "./scan.ts";
import { isFinished } from "./layout.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { appendUse } from "./usage.ts";

/** A note is missing for microseconds while it is replaced. A link is not read, since it may lead anywhere. */
export function readPatiently({ directory, files, index }: StoreView, file: string): Uint8Array | undefined {
  if (isNoteName(file) && files.stat(`${directory}/${file}`)?.kind === "link") return undefined;
  for (let attempt = 0; attempt < 3; attempt++) {
    const bytes = files.read(`${directory}/${file}`);
    if (bytes !== undefined) return bytes;
    if (index.entry(file) === undefined) return undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
  }
  return undefined;
}

/** Recall also works if nothing can be written; the use is not counted then. Being shown changes no note's rank. */
export function recordUse(
  view: StoreView & { readonly state: string; readonly clock: Clock },
  used: readonly string[],
): void {
  if (used.length === 0) return;
  try {
    appendUse(view, used);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

export interface ReaderParts extends StoreView {
  readonly state: string;
  readonly clock: Clock;
  readonly excluded: readonly string[];
  /** Called when the index is out of date or a crash must be recovered from, which a reader cannot do. */
  readonly outdated: () => never;
}

/** A store for recall only: it parses no file, takes no lock and loads none of the writing code. */
export function openReader(parts: ReaderParts): ReadableStore {
  return {
    index: parts.index,
    read: (file) => readPatiently(parts, file),
    reconcile: () => (isUpToDate(parts) ? { added: [], changed: [], removed: [], skipped: [] } : parts.outdated()),
    recordUse: (used) => recordUse(parts, used),
  };
}

function isUpToDate(parts: ReaderParts): boolean {
  if (!isFinished(parts) || parts.files.stat(`${parts.state}/forget-pending.json`) !== undefined) return false;
  if (parts.index.count() > QUICK_SCAN_NOTES) return looksUnchanged(parts, parts.clock.now());
  const stamps = parts.index.stamps();
  const { notes, leftovers } = scanNotes(parts.directory, parts.files, new Set(parts.excluded), parts.clock.now());
  if (leftovers.length > 0 || notes.length !== stamps.size) return false;
  return notes.every(({ file, size, mtimeMs }) => {
    const stamp = stamps.get(file);
    return stamp?.size === size && stamp.mtimeMs === mtimeMs;
  });
}
