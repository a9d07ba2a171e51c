import type { FilePort } from "../../core/notes/file-port.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { FileChange, HistoryArchive } from "../../core/notes/history.ts";
import type { StoreLock } from "../../core/notes/store.ts";
import { anonymousId, checkNotePath, INDEX_FILE, isExcluded } from "../../core/notes/names.ts";
import type { IndexedNote, NoteIndex } from "../../core/notes/note-index.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { forgottenIds } from "./forgotten.ts";
import type { Journal } from "./journal.ts";
import type { FileReplacer } from "./replace-file.ts";
import { MTIME_TICK_MS } from "./scan.ts";
import { MemoryError } from "../../core/shared/errors.ts";

/** The state shared by the parts of one open store. */
export interface StoreContext {
  readonly directory: string;
  readonly state: string;
  readonly files: FilePort;
  readonly lock: StoreLock;
  readonly index: NoteIndex;
  /** `undefined` without git: then the journal is the history. */
  readonly archive: HistoryArchive | undefined;
  readonly codec: FrontmatterCodec;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly replacer: FileReplacer;
  /** Sub-directories that are stores of their own (`team`). */
  readonly excluded: ReadonlySet<string>;
  readonly orderedByName: boolean;
  readonly lockTimeoutMs: number;
}

/** Only this much of a body is searched. */
const INDEXED_CHARACTERS = 200_000;

export function pathOf(context: StoreContext, file: string): string {
  return `${context.directory}/${file}`;
}

/** The current file in the form that the index takes; `undefined` when it is gone. */
export function readIndexed(context: StoreContext, file: string): IndexedNote | undefined {
  // The stamp is read first, so a change during the read counts as a later one.
  const stat = context.files.stat(pathOf(context, file));
  const bytes = context.files.read(pathOf(context, file));
  if (bytes === undefined || stat === undefined) return undefined;
  const note = parseNote(file, bytes, context.codec);
  const body = note.body.length > INDEXED_CHARACTERS ? note.body.slice(0, INDEXED_CHARACTERS) : note.body;
  // A file this recent may change again without a new mtime. Its stamp is altered so that it is read again.
  const isFresh = Math.abs(context.clock.now() - stat.mtimeMs) < MTIME_TICK_MS;
  return {
    file,
    hash: sha256(bytes),
    size: bytes.byteLength,
    mtimeMs: isFresh ? stat.mtimeMs - 1 : stat.mtimeMs,
    note: { ...note, body },
  };
}

/** Files that a transaction removed; their lines are removed from MEMORY.md. */
export function retiredBy(changes: readonly FileChange[]): ReadonlySet<string> {
  return new Set(changes.filter(({ after }) => after === undefined).map(({ file }) => file));
}

/** Updates the index for these files. A note with a forgotten name stays out of it. */
export function reindex(context: StoreContext, files: readonly string[]): void {
  const forgotten = forgottenIds(context);
  const notes = files.filter((file) => file !== INDEX_FILE && !forgotten.has(anonymousId(file)));
  const upsert = notes.map((file) => readIndexed(context, file)).filter((note) => note !== undefined);
  const present = new Set(upsert.map(({ file }) => file));
  context.index.apply({ upsert, remove: files.filter((file) => !present.has(file)) });
}

/** Makes the names of these files durable; the store's own directory is synced later, by `writeIndexFile`. */
export function syncParents(context: StoreContext, files: readonly string[]): void {
  const parents = files
    .map((file) => file.slice(0, Math.max(0, file.lastIndexOf("/"))))
    .filter((parent) => parent !== "");
  for (const parent of new Set(parents))
    if (context.files.stat(pathOf(context, parent)) !== undefined) context.files.syncDirectory(pathOf(context, parent));
}

/** Whether a name is inside the store, outside its nested stores, and not the store's index. */
export function isInside(context: StoreContext, file: string): boolean {
  const parts = file.split("/");
  const isPlain =
    !file.includes("\0") && !file.includes("\\") && parts.every((part) => part !== "" && part !== "." && part !== "..");
  const isNested = parts.some((_, depth) => depth > 0 && isExcluded(context.excluded, parts.slice(0, depth).join("/")));
  return isPlain && !isNested && file.toUpperCase() !== INDEX_FILE.toUpperCase();
}

/**
 * New names are checked strictly; an existing file may have any name that stays inside the store.
 * @throws MemoryError `invalid-input`, also for names that lead through a symbolic link.
 */
export function guardPath(context: StoreContext, file: string): void {
  const check = checkNotePath(file);
  const inside = isInside(context, file);
  const exists = inside && context.files.stat(pathOf(context, file)) !== undefined;
  if (!check.ok && !exists) throw new MemoryError("invalid-input", check.reason);
  if (!inside)
    throw new MemoryError(
      "invalid-input",
      `"${file}" belongs to another store or is the index itself; memdir does not write it as a note`,
    );
  const parts = file.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join("/");
    const kind = context.files.stat(pathOf(context, part))?.kind;
    if (kind === "link")
      throw new MemoryError(
        "invalid-input",
        `${part} is a symbolic link; memdir does not write through links, edit its target instead`,
      );
    if (kind !== undefined && kind !== (depth === parts.length ? "file" : "directory")) {
      throw new MemoryError(
        "invalid-input",
        `${part} is ${kind === "directory" ? "a directory" : "not a directory"}; choose another name`,
      );
    }
  }
}
