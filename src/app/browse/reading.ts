import type { Scope } from "../../core/notes/note.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import { noteKey } from "../../core/recall/ledger.ts";
import { splitScope } from "../notes/note-words.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import type { NoteRef, ScopedStore } from "../workspace/workspace.ts";
import type { Kept } from "./kept.ts";
import type { NoteId } from "./shapes.ts";

/** What every read works on. */
export interface Reading {
  readonly workspace: OpenWorkspace;
  readonly kept: Kept;
}

export function idOf(scoped: Pick<ScopedStore, "scope">, file: string): NoteId {
  return noteKey({ scope: scoped.scope, file });
}

/**
 * The note of an id; `undefined` unless it is an entry of that scope's index: whoever asks names entries, never paths.
 */
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
