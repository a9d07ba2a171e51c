import type { IndexEntry } from "../../core/notes/note-index.ts";
import { linkKey, linksIn, noteKey } from "../../core/notes/names.ts";
import type { LoggedRecall, KeptRecallLog } from "../../core/recall/log-line.ts";
import { sha256, versionOfHash } from "../../core/shared/hash.ts";
import { approvedGuards } from "../guards/guard-registry.ts";
import { shownType, splitScope } from "../notes/gate.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import type { NoteRef, ScopedStore } from "../workspace/workspace.ts";
import type { NoteId, NoteItem, NotesView } from "./shapes.ts";
import type { Scope } from "../../core/notes/note.ts";
import { splitFrontmatter } from "../../core/notes/frontmatter.ts";
import { loggedRecalls } from "../recall/log-recall.ts";
import type { NoteStore } from "../../core/notes/store.ts";

interface KeptLink {
  readonly target: string;
  /** As given by `linkKey`. */
  readonly key: string;
}

/** A cache between reads, for what many reads need and what seldom changes. */
interface Kept {
  /** The links in a note's text; read once per version of the text. */
  linksOf(store: Pick<NoteStore, "read">, entry: Pick<IndexEntry, "file" | "hash">): readonly KeptLink[];
  /** Recalls of the log, oldest first; read again when the log has changed size. */
  recalls(log: KeptRecallLog): readonly LoggedRecall[];
}

export function createKept(): Kept {
  const links = new Map<string, readonly KeptLink[]>();
  let read: { readonly bytes: number; readonly recalls: readonly LoggedRecall[] } | undefined;
  return {
    linksOf(store, { file, hash }) {
      const known = links.get(hash);
      if (known !== undefined) return known;
      const bytes = store.read(file);
      const targets = bytes === undefined ? [] : linksIn(splitFrontmatter(new TextDecoder().decode(bytes)).body);
      const found = targets.map((target) => ({ target, key: linkKey(target) }));
      links.set(hash, found);
      return found;
    },
    recalls(log) {
      const { bytes } = log.health();
      if (read?.bytes !== bytes) read = { bytes, recalls: loggedRecalls(log) };
      return read.recalls;
    },
  };
}

/** What every read needs. */
export interface Reading {
  readonly workspace: OpenWorkspace;
  readonly kept: Kept;
}

export function idOf(scoped: Pick<ScopedStore, "scope">, file: string): NoteId {
  return noteKey({ scope: scoped.scope, file });
}

/** The note of an id; `undefined` unless it is an entry of that scope's index: callers name entries, never paths. */
export function refOf({ stores }: Pick<OpenWorkspace, "stores">, id: NoteId): (NoteRef & EntryOf) | undefined {
  const { scope, rest: file } = splitScope(id);
  const scoped = scope === undefined ? undefined : storeOf(stores, scope);
  const entry = scoped?.store.index.entry(file);
  return scoped === undefined || entry === undefined ? undefined : { scoped, file, entry };
}

interface EntryOf {
  readonly entry: IndexEntry;
}

export function storeOf(stores: readonly ScopedStore[], scope: Scope | string): ScopedStore | undefined {
  return stores.find((one) => one.scope === scope);
}

export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** All notes of all scopes in use, superseded ones included. */
export function notesView({ workspace, kept }: Reading): NotesView {
  for (const { store } of workspace.stores) store.reconcile("full");
  const facts = listFacts({ workspace, kept });
  const notes = workspace.stores.flatMap((scoped) =>
    scoped.store.index.entries().map((entry) => noteItem(scoped, entry, facts)),
  );
  return { notes, stamp: stampOf(workspace) };
}

/** What the list shows of a note in addition to its index entry. */
interface ListFacts {
  readonly guarded: ReadonlySet<NoteId>;
  readonly recalled: ReadonlyMap<NoteId, { readonly times: number; readonly last: string }>;
}

export function listFacts({ workspace, kept }: Reading): ListFacts {
  return {
    guarded: new Set(approvedGuards(workspace.locations).map(noteKey)),
    recalled: timesRecalled(kept.recalls(workspace.recallLog)),
  };
}

function timesRecalled(recalls: readonly LoggedRecall[]): ListFacts["recalled"] {
  const recalled = new Map<NoteId, { times: number; last: string }>();
  for (const { time, selected, pointed } of recalls)
    for (const note of [...selected, ...pointed]) {
      const before = recalled.get(noteKey(note));
      recalled.set(noteKey(note), { times: (before?.times ?? 0) + 1, last: time });
    }
  return recalled;
}

export function noteItem(scoped: Pick<ScopedStore, "scope">, entry: IndexEntry, facts: ListFacts): NoteItem {
  const id = idOf(scoped, entry.file);
  const recalled = facts.recalled.get(id);
  return {
    id,
    file: entry.file,
    scope: scoped.scope,
    name: entry.name,
    description: entry.description,
    type: shownType(entry),
    version: versionOfHash(entry.hash),
    time: isoOf(entry.time),
    ...(entry.pinned && { pinned: true }),
    ...(facts.guarded.has(id) && { guard: true }),
    ...(entry.supersededBy !== undefined && { supersededBy: entry.supersededBy }),
    ...(entry.problems.length > 0 && { problems: entry.problems.map(({ message }) => message) }),
    ...(recalled !== undefined && { recalled }),
  };
}

/** Like `stampOf`, but reads every file first; used before slow work on the present notes. */
export function presentStamp(workspace: Pick<OpenWorkspace, "stores">): string {
  for (const { store } of workspace.stores) store.reconcile("full");
  return stampOf(workspace);
}

/** Changes whenever a note of any scope changes. */
export function stampOf({ stores }: Pick<OpenWorkspace, "stores">): string {
  const said = stores.map(({ scope, store }) => {
    // Sorted, because a rebuilt index may list them in another order.
    const stamps = [...store.index.stamps().values()].map(({ file, hash }) => `${file} ${hash}`).toSorted();
    return `${scope} ${stamps.join("\n")}`;
  });
  return versionOfHash(sha256(said.join("\n")));
}
