import type { FilePort } from "../../core/notes/file-port.ts";
import type { FrontmatterCodec } from "../../core/notes/frontmatter.ts";
import type { FileChange, HistoryArchive } from "../../core/notes/history.ts";
import type { StoreLock } from "../../core/notes/lock.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import type { IndexedNote, NoteIndex } from "../../core/notes/note-index.ts";
import { parseNote } from "../../core/notes/parse-note.ts";
import type { Clock } from "../../core/shared/clock.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { anonymousId } from "../../core/notes/anonymous-id.ts";
import { forgottenIds } from "./forgotten.ts";
import type { Journal } from "./journal.ts";
import type { FileReplacer } from "./replace-file.ts";
import { MTIME_TICK_MS } from "./scan.ts";

/** What the parts of one open store share. */
export interface StoreContext {
  readonly directory: string;
  readonly state: string;
  readonly files: FilePort;
  readonly lock: StoreLock;
  readonly index: NoteIndex;
  /** `undefined` without git: the journal is the history then. */
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

/** The present file as the index wants it; `undefined` when it is gone. */
export function readIndexed(context: StoreContext, file: string): IndexedNote | undefined {
  // The stamp is taken first: a change during the reading is then seen as a change after it.
  const stat = context.files.stat(pathOf(context, file));
  const bytes = context.files.read(pathOf(context, file));
  if (bytes === undefined || stat === undefined) return undefined;
  const note = parseNote(file, bytes, context.codec);
  const body = note.body.length > INDEXED_CHARACTERS ? note.body.slice(0, INDEXED_CHARACTERS) : note.body;
  // A file this fresh may change again without a sign: its stamp is made to differ, so that it is read once more.
  const isFresh = Math.abs(context.clock.now() - stat.mtimeMs) < MTIME_TICK_MS;
  return {
    file,
    hash: sha256(bytes),
    size: bytes.byteLength,
    mtimeMs: isFresh ? stat.mtimeMs - 1 : stat.mtimeMs,
    note: { ...note, body },
  };
}

/** Files that a transaction took away: their lines leave MEMORY.md. */
export function retiredBy(changes: readonly FileChange[]): ReadonlySet<string> {
  return new Set(changes.filter(({ after }) => after === undefined).map(({ file }) => file));
}

/** The index follows these files. A note whose name was forgotten stays out of it. */
export function reindex(context: StoreContext, files: readonly string[]): void {
  const forgotten = forgottenIds(context);
  const notes = files.filter((file) => file !== INDEX_FILE && !forgotten.has(anonymousId(file)));
  const upsert = notes.map((file) => readIndexed(context, file)).filter((note) => note !== undefined);
  const present = new Set(upsert.map(({ file }) => file));
  context.index.apply({ upsert, remove: files.filter((file) => !present.has(file)) });
}

/** Makes the names of these files durable; the store's own directory is left to `writeIndexFile`, which follows. */
export function syncParents(context: StoreContext, files: readonly string[]): void {
  const parents = files
    .map((file) => file.slice(0, Math.max(0, file.lastIndexOf("/"))))
    .filter((parent) => parent !== "");
  for (const parent of new Set(parents))
    if (context.files.stat(pathOf(context, parent)) !== undefined) context.files.syncDirectory(pathOf(context, parent));
}
