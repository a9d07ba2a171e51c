import { linkKey } from "../../core/notes/links.ts";
import type { IndexEntry } from "../../core/notes/note-index.ts";
import { shownType } from "../notes/note-words.ts";
import type { NoteRef, ScopedStore } from "../workspace/workspace.ts";
import type { GraphView } from "./activity-shapes.ts";
import { idOf, type Reading } from "./reading.ts";
import type { LinkedNote } from "./shapes.ts";

/** Dead links that a graph lists. */
const MOST_DEAD = 500;

interface Named {
  readonly scoped: ScopedStore;
  readonly entry: IndexEntry;
}

/** Which note a link means: one of its own scope first, then of any other. Only names of `wanted` are known; default all. */
function namesIn(
  stores: readonly ScopedStore[],
  wanted?: ReadonlySet<string>,
): (from: ScopedStore, key: string) => Named | undefined {
  const byScope = new Map(
    stores.map((scoped) => {
      const names = new Map<string, Named>();
      const entries = scoped.store.index.entries();
      const isWanted = (key: string): boolean => wanted === undefined || wanted.has(key);
      // A file's own name counts before what another note is called.
      for (const entry of entries) {
        const key = linkKey(entry.name);
        if (isWanted(key) && !names.has(key)) names.set(key, { scoped, entry });
      }
      for (const entry of entries) {
        const key = linkKey(entry.file);
        if (isWanted(key)) names.set(key, { scoped, entry });
      }
      return [scoped.scope, names] as const;
    }),
  );
  return (from, key) =>
    byScope.get(from.scope)?.get(key) ?? [...byScope.values()].find((names) => names.has(key))?.get(key);
}

/** What a note points at, in its order; one that leads nowhere has no id. */
export function linksFrom({ workspace, kept }: Reading, { scoped, file }: NoteRef): readonly LinkedNote[] {
  const entry = scoped.store.index.entry(file);
  const links = entry === undefined ? [] : kept.linksOf(scoped.store, entry);
  if (links.length === 0) return [];
  const named = namesIn(workspace.stores, new Set(links.map(({ key }) => key)));
  return links.map(({ target, key }) => linked(target, named(scoped, key)));
}

function linked(target: string, to: Named | undefined): LinkedNote {
  if (to === undefined) return { target };
  const { name, description } = to.entry;
  return { target, id: idOf(to.scoped, to.entry.file), name, description };
}

/** The notes that point at a note, each once. */
export function backlinksOf({ workspace, kept }: Reading, { scoped, file }: NoteRef): readonly LinkedNote[] {
  const own = scoped.store.index.entry(file);
  if (own === undefined) return [];
  const keys = new Set([linkKey(own.file), linkKey(own.name)]);
  const named = namesIn(workspace.stores, keys);
  return workspace.stores.flatMap((from) =>
    from.store.index.entries().flatMap((entry): LinkedNote[] => {
      if (from.scope === scoped.scope && entry.file === file) return [];
      const link = kept.linksOf(from.store, entry).find(({ key }) => {
        const to = keys.has(key) ? named(from, key) : undefined;
        return to?.scoped.scope === scoped.scope && to.entry.file === file;
      });
      return link === undefined ? [] : [linked(link.target, { scoped: from, entry })];
    }),
  );
}

/** Live notes that are linked, and how. */
export function graphView({ workspace, kept }: Reading): GraphView {
  for (const { store } of workspace.stores) store.reconcile("full");
  const named = namesIn(workspace.stores);
  const live = workspace.stores.flatMap((scoped) =>
    scoped.store.index
      .entries()
      .filter(({ supersededBy }) => supersededBy === undefined)
      .map((entry) => ({ scoped, entry, id: idOf(scoped, entry.file) })),
  );
  const dead: { id: string; target: string }[] = [];
  const pairs = new Map<string, readonly [string, string]>();
  for (const { scoped, entry, id } of live)
    for (const { target, key } of kept.linksOf(scoped.store, entry)) {
      const to = named(scoped, key);
      const toId = to === undefined ? undefined : idOf(to.scoped, to.entry.file);
      if (toId === undefined) dead.push({ id, target });
      else if (toId !== id && to?.entry.supersededBy === undefined) pairs.set(`${id}\n${toId}`, [id, toId]);
    }
  const counts = countEnds([...pairs.values()]);
  const nodes = live
    .filter(({ id }) => counts.out.has(id) || counts.in.has(id))
    .map(({ scoped, entry, id }) => ({
      id,
      name: entry.name,
      type: shownType(entry),
      scope: scoped.scope,
      out: counts.out.get(id) ?? 0,
      in: counts.in.get(id) ?? 0,
    }));
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  const edges = [...pairs.values()].map(([from, to]) => [places.get(from) ?? 0, places.get(to) ?? 0] as const);
  return { nodes, edges, dead: dead.slice(0, MOST_DEAD), orphans: live.length - nodes.length };
}

function countEnds(pairs: readonly (readonly [string, string])[]): Readonly<Record<"out" | "in", Map<string, number>>> {
  const ends = { out: new Map<string, number>(), in: new Map<string, number>() };
  for (const [from, to] of pairs) {
    ends.out.set(from, (ends.out.get(from) ?? 0) + 1);
    ends.in.set(to, (ends.in.get(to) ?? 0) + 1);
  }
  return ends;
}
