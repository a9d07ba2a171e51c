import type { IndexEntry } from "../../core/notes/note-index.ts";
import { noteKey } from "../../core/recall/ledger.ts";
import type { LoggedRecall } from "../../core/recall/log-line.ts";
import { versionOfHash } from "../../core/shared/content-version.ts";
import { sha256 } from "../../core/shared/hash.ts";
import { approvedGuards } from "../guards/guard-registry.ts";
import { shownType } from "../notes/note-words.ts";
import type { OpenWorkspace } from "../workspace/open-workspace.ts";
import type { ScopedStore } from "../workspace/workspace.ts";
import { idOf, isoOf, type Reading } from "./reading.ts";
import type { NoteId, NoteItem, NotesView } from "./shapes.ts";

/** Every note of every scope in force, superseded ones too. */
export function notesView({ workspace, kept }: Reading): NotesView {
  for (const { store } of workspace.stores) store.reconcile("full");
  const facts = listFacts({ workspace, kept });
  const notes = workspace.stores.flatMap((scoped) =>
    scoped.store.index.entries().map((entry) => noteItem(scoped, entry, facts)),
  );
  return { notes, stamp: stampOf(workspace) };
}

/** What the list says of a note beside its entry. */
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

/** The same after a look at every file, before slow work begins on what is there. */
export function presentStamp(workspace: Pick<OpenWorkspace, "stores">): string {
  for (const { store } of workspace.stores) store.reconcile("full");
  return stampOf(workspace);
}

/** Changes whenever a note of any scope does. */
export function stampOf({ stores }: Pick<OpenWorkspace, "stores">): string {
  const said = stores.map(({ scope, store }) => {
    const stamps = [...store.index.stamps().values()];
    return `${scope} ${stamps.map(({ file, hash }) => `${file} ${hash}`).join("\n")}`;
  });
  return versionOfHash(sha256(said.join("\n")));
}
