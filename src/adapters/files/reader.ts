import type { ReadableStore } from "../../core/notes/store.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { looksUnchanged, QUICK_SCAN_NOTES, type StoreView } from "./directories.ts";
import { isFinished } from "./journal-mark.ts";
import { readPatiently, recordUse } from "./reading.ts";
import { scanNotes } from "./scan.ts";

export interface ReaderParts extends StoreView {
  readonly state: string;
  readonly clock: Clock;
  readonly excluded: readonly string[];
  /** Called when the index is behind the files or a crash is to be cleaned up: reading alone is not enough then. */
  readonly outdated: () => never;
}

/** A store to recall from and nothing else: it parses no file, takes no lock and loads none of the writing code. */
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
