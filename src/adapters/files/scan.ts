import { isExcluded } from "../../core/notes/daily-log.ts";
import type { FilePort } from "../../core/notes/file-port.ts";
import { INDEX_FILE, isMarkdown, MAX_DEPTH } from "../../core/notes/names.ts";

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
  /** mtime of every directory that was read, by path relative to the store (`""` is the store). */
  readonly directories: Readonly<Record<string, number>>;
  /** Temporary files of writers that were killed. */
  readonly leftovers: readonly string[];
}

const LEFTOVER_AGE_MS = 60_000;

/** Every note below `root`. Hidden entries, indexes and `excluded` sub-directories are not notes; links are not followed. */
export function scanNotes(root: string, files: FilePort, excluded: ReadonlySet<string>, now: number): Scan {
  const notes: ScannedFile[] = [];
  const skipped: { file: string; reason: string }[] = [];
  const directories: Record<string, number> = {};
  const leftovers: string[] = [];
  const visit = (relative: string, depth: number): void => {
    const path = relative === "" ? root : `${root}/${relative}`;
    // The mtime is taken first: a change during the listing is then seen as a change after it.
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

/** Whether a file of this name is a note: Markdown, not hidden, not the index. */
export function isNoteName(name: string): boolean {
  return !name.startsWith(".") && isMarkdown(name) && name.toUpperCase() !== INDEX_FILE.toUpperCase();
}
