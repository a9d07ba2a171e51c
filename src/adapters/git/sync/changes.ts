import { LIMITS, nameHash, type RemoteEntry } from "../../../core/sync/protocol.ts";
import { revisionIn, type SpaceTree } from "./space-tree.ts";

/** An entry that changed; the text of a live one is read when its page is made. */
export interface Changed {
  readonly entry: RemoteEntry;
  readonly blob?: string;
  readonly bytes: number;
}

/** What is otherwise in `to` than in `from`: forgotten ones first, then by lineage, so that both halves of a rename are together. */
export function changesBetween(from: SpaceTree, to: SpaceTree): readonly Changed[] {
  const liveNames = new Set([...to.live.keys()].map(nameHash));
  const forgotten = [...to.forgotten]
    .filter(([lineage]) => !from.forgotten.has(lineage))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([lineage, { names }]): Changed => ({
      entry: { state: "forgotten", lineage, names: names.filter((name) => !liveNames.has(name)) },
      bytes: 0,
    }));
  const keys = new Set([...to.live.keys(), ...to.deleted.keys(), ...from.live.keys()]);
  const others = [...keys].flatMap((key) => changeOf(key, from, to));
  others.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  return [...forgotten, ...others];
}

function changeOf(key: string, from: SpaceTree, to: SpaceTree): Changed[] {
  const revision = revisionIn(to, key);
  if (revision === revisionIn(from, key)) return [];
  const live = to.live.get(key);
  if (live !== undefined) {
    const { lineage, blob, bytes } = live;
    return [{ entry: { state: "live", key, lineage, revision, body: "" }, blob, bytes }];
  }
  // A person may take a file out of the branch by hand: nothing in the tree says so then.
  const lineage = (to.deleted.get(key) ?? from.live.get(key))?.lineage;
  if (lineage === undefined || to.forgotten.has(lineage)) return [];
  return [{ entry: { state: "deleted", key, lineage, revision }, bytes: 0 }];
}

function orderOf({ entry }: Changed): string {
  return `${entry.lineage} ${entry.state === "forgotten" ? "" : entry.key}`;
}

/** So many of `changes`, from `start`, as one page holds: at least one, and a lineage is not cut where that can be. */
export function pageEnd(changes: readonly Changed[], start: number, limit: number): number {
  let bytes = 0;
  let end = start;
  for (; end < changes.length && end - start < Math.min(limit, LIMITS.pageEntries); end++) {
    bytes += changes[end]?.bytes ?? 0;
    if (end > start && bytes > LIMITS.pageBytes) break;
  }
  let whole = end;
  while (whole > start && whole < changes.length && changes[whole]?.entry.lineage === changes[whole - 1]?.entry.lineage)
    whole--;
  return whole > start ? whole : end;
}
