import fs from "node:fs";
import path from "node:path";
import { ranksOf, type IndexEntry, type NoteIndex } from "../../core/notes/note-index.ts";
import { PAST_INDEXES } from "../../adapters/files/layout.ts";
import { nodeFiles } from "../../adapters/files/node-files.ts";
import { readUsage } from "../../adapters/files/usage.ts";
import { openNoteIndex } from "../../adapters/sqlite/note-index.ts";
import type { ContextWorkspace } from "./context.ts";
import type { RecallWorkspace } from "./recall-notes.ts";
import { versionAsOf } from "../notes/versions.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import type { History, Version } from "../../core/notes/history.ts";
import { generateIndex, INDEX_ENTRIES_WANTED, newerRivalsFirst } from "../../core/notes/index-file.ts";
import { INDEX_FILE } from "../../core/notes/names.ts";
import type { NoteStore } from "../../core/notes/store.ts";
import { MemoryError } from "../../core/shared/errors.ts";
import { fillIndex } from "../workspace/open-store.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";

/** Indexes of earlier versions kept per store. */
const KEPT_INDEXES = 8;
const FILLED = "filled";

/** Notes as they were at an earlier moment, to recall from and to start a session with. Only a cache is written. */
export interface PastWorkspace extends RecallWorkspace, Omit<ContextWorkspace, "stores" | "mode"> {
  readonly stores: readonly {
    readonly scope: ScopedStore["scope"];
    readonly store: Pick<NoteStore, "directory" | "index" | "read" | "reconcile" | "recordUse">;
  }[];
  close(): void;
}

/**
 * The stores in force as they were at a moment (ms), with the clock set to it. Each store has an index of the files of
 * the version then in force; it is kept next to the store until a note is forgotten. Use counts come from the usage log
 * up to that moment. Whatever has no versions is as it is now: settings, the user's vocabulary, the list of scopes.
 * Claims are not checked, because the working tree is today's.
 * @throws MemoryError `not-found` when no scope has a version that old.
 */
export function openAsOf(workspace: OpenWorkspace, ms: number): PastWorkspace {
  const opened = workspace.stores.flatMap((scoped) => {
    const version = versionAsOf(scoped, ms);
    return version === undefined ? [] : [{ scope: scoped.scope, store: openPast(workspace, scoped, version, ms) }];
  });
  if (opened.length === 0) throw nothingKnown(ms);
  return {
    stores: opened,
    mode: workspace.mode,
    codec: workspace.codec,
    vocabulary: workspace.vocabulary,
    clock: { now: () => ms, timeZone: workspace.clock.timeZone },
    tree: undefined,
    recallLog: workspace.recallLog,
    close() {
      for (const { store } of opened) store.index.close();
    },
  };
}

/** No scope has a version that old. */
export function nothingKnown(ms: number): MemoryError {
  return new MemoryError(
    "not-found",
    `nothing is known from ${new Date(ms).toISOString()}: history begins later, see \`memdir history\``,
  );
}

function openPast(
  workspace: OpenWorkspace,
  { store }: ScopedStore,
  version: Version,
  ms: number,
): PastWorkspace["stores"][number]["store"] {
  const history = store.history();
  const index = pastIndex(workspace, store, history, version);
  const uses = ranksOf(readUsage({ state: store.state, files: nodeFiles }, ms));
  const ranked = (): IndexEntry[] =>
    index
      .entries()
      .filter(({ supersededBy }) => supersededBy === undefined)
      .map((entry) => ({ ...entry, uses: uses.get(entry.file) ?? 0 }))
      .toSorted(byRank);
  const past: NoteIndex = {
    ...index,
    top: (limit) => ranked().slice(0, limit),
    topLines: (limit) => ranked().slice(0, limit),
  };
  return {
    directory: store.directory,
    index: past,
    read: (file) => (file === INDEX_FILE ? pageAt(past, history, version.seq) : history.contentAt(version.seq, file)),
    reconcile: () => ({ added: [], changed: [], removed: [], skipped: [] }),
    recordUse: () => undefined,
  };
}

/** The order of MEMORY.md: pinned, most used, most recent, by file. */
function byRank(a: IndexEntry, b: IndexEntry): number {
  return Number(b.pinned) - Number(a.pinned) || b.uses - a.uses || b.time - a.time || (a.file < b.file ? -1 : 1);
}

/** MEMORY.md regenerated from the notes of that version, with hand-written lines as far as history has them. */
function pageAt(index: NoteIndex, history: History, seq: number): Uint8Array | undefined {
  const written = history.contentAt(seq, INDEX_FILE);
  const { content } = generateIndex(
    written === undefined ? undefined : new TextDecoder().decode(written),
    newerRivalsFirst(index.topLines(INDEX_ENTRIES_WANTED), index.contradictions()),
    index.count(),
    (file) => index.entry(file)?.supersededBy !== undefined,
  );
  return content === "" ? undefined : new TextEncoder().encode(content);
}

function pastIndex({ codec }: OpenWorkspace, { state }: NoteStore, history: History, { seq }: Version): NoteIndex {
  const directory = path.join(state, PAST_INDEXES);
  prune(directory, `${seq}.db`);
  const index = openNoteIndex(path.join(directory, `${seq}.db`));
  if (index.state(FILLED) === "yes") return index;
  const contents = history.contentsAt(seq);
  const changed = lastChanges(history, seq);
  const entries = [...contents.keys()]
    .filter((file) => file !== INDEX_FILE)
    .toSorted()
    .map((file) => ({ file, mtimeMs: changed.get(file) ?? 0 }));
  index.clear();
  fillIndex(index, entries, (file) => contents.get(file), codec);
  index.setState(FILLED, "yes");
  return index;
}

/** When each file was last written, up to and including a version. */
function lastChanges(history: History, seq: number): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const version of history.versions().toReversed()) {
    if (version.seq <= seq) for (const { file } of version.files) times.set(file, Date.parse(version.time));
  }
  return times;
}

/** Makes room for one more index. Without write access the index is kept in memory. */
function prune(directory: string, wanted: string): void {
  try {
    nodeFiles.makeDirectory(directory);
    const kept = fs.readdirSync(directory).filter((name) => name.endsWith(".db") && name !== wanted);
    const oldest = kept.toSorted(
      (a, b) => fs.statSync(path.join(directory, a)).mtimeMs - fs.statSync(path.join(directory, b)).mtimeMs,
    );
    for (const name of oldest.slice(0, Math.max(0, kept.length - KEPT_INDEXES + 1)))
      for (const suffix of ["", "-wal", "-shm"]) fs.rmSync(path.join(directory, `${name}${suffix}`), { force: true });
  } catch (error) {
    // A cache that cannot be kept is rebuilt each time.
    if (!(error instanceof MemoryError) && !(error instanceof Error && "code" in error)) throw error;
  }
}
