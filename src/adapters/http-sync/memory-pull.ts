import { nameHash, type RemoteEntry } from "../../core/sync/protocol.ts";
import { START, type Cursor, type Pull, type PullAnswer, type PulledEntry } from "../../core/sync/transport.ts";
import type { Entries, Known, Snapshots } from "./memory-snapshots.ts";
import type { Memory, MemoryStoreCalls } from "./memory-store.ts";

/** What one run knows about a store. */
export interface MemoryRun {
  readonly calls: MemoryStoreCalls;
  readonly snapshots: Snapshots;
  /** The store as this run last saw it, as far as the client was told. */
  known: { readonly cursor: Cursor; readonly entries: Entries } | undefined;
  /** The state that the pages of an unfinished pull lead to. */
  goal: { readonly from: Cursor; readonly entries: Entries; readonly texts: Map<string, Memory> } | undefined;
}

/** One change of one key, with the entries before and after it. */
interface Difference {
  readonly key: string;
  readonly before: Known | undefined;
  readonly after: Known | undefined;
}

/** Memories per page; finished pages are kept when a long first run is interrupted. */
const PAGE_MEMORIES = 100;

/** A note's key, from the path of a memory. */
export function keyOf(path: string): string {
  return path.slice(1);
}

export function revisionOf({ version, hash }: Pick<Known, "version" | "hash">): string {
  return `${version}.${hash}`;
}

const GONE = "gone.";

/** Whether a revision is of something deleted; a note under this name is then new to the store. */
export function isGone(revision: string): boolean {
  return revision === "" || revision.startsWith(GONE);
}

export function goneRevision({ version }: Known): string {
  return `${GONE}${version}`;
}

/** Lists the store and compares hashes; fetches only texts that differ. */
export async function pullMemories(run: MemoryRun, { cursor, tops, limit, since }: Pull): Promise<PullAnswer> {
  const { snapshots } = run;
  const before = snapshots.at(cursor);
  if (before === undefined) return { outcome: "compacted" };
  // The client has the state of this cursor, so it no longer needs the earlier names of forgotten notes.
  snapshots.dropDead();
  const goal = run.goal?.from === cursor ? run.goal : { ...(await look(run, before)), from: cursor };
  const differences = differencesOf(before, goal.entries);
  const known = since === undefined ? [before, ...tops.flatMap((top) => snapshots.at(top) ?? [])] : [];
  if (differences.length > 0 && !(await isFuture(run.calls, known, goal.entries)))
    return { outcome: "history-changed" };
  const taken = differences.slice(0, Math.min(limit, PAGE_MEMORIES));
  const page = await pageOf(run, taken, goal);
  const then = since === undefined ? undefined : snapshots.at(since);
  const now = new Map(before);
  for (const { key, after } of page.taken) {
    if (after === undefined) now.delete(key);
    else now.set(key, after);
  }
  const next = page.taken.length === 0 ? cursor : snapshots.save(now);
  // Entries deleted or moved since the listing are left to the next look.
  const isLast = taken.length === differences.length || page.taken.length < taken.length;
  run.known = { cursor: next, entries: now };
  run.goal = isLast ? undefined : { ...goal, from: next };
  return {
    outcome: "page",
    next,
    head: isLast ? next : `${next}+`,
    changes: page.changes,
    ...(then !== undefined && { stoodAtSince: (key, revision) => isRevisionOf(then.get(key), revision) }),
  };
}

/** The store as its list shows it. Pages are read one by one, so an entry renamed meanwhile can be missing. */
async function look(
  { calls }: MemoryRun,
  before: Entries,
): Promise<{ readonly entries: Entries; readonly texts: Map<string, Memory> }> {
  const listed = await calls.list(false);
  const entries = new Map(listed.map((memory) => [keyOf(memory.path), knownOf(memory)]));
  const texts = new Map<string, Memory>();
  const fresh = differencesOf(before, entries).filter(({ after }) => after !== undefined).length;
  // A page of the list holds twenty texts; beyond this number, listing them takes fewer requests.
  if (fresh * 20 > entries.size + 20)
    for (const memory of await calls.list(true)) if (memory.content !== undefined) texts.set(memory.version, memory);
  return { entries, texts };
}

/** The current entry of one key. */
export async function readMemory({ calls, snapshots }: MemoryRun, key: string): Promise<RemoteEntry | undefined> {
  const listed = await calls.list(false);
  const found = listed.find(({ path }) => keyOf(path) === key);
  const memory = found === undefined ? undefined : await calls.read(found.id);
  if (memory?.content === undefined || keyOf(memory.path) !== key) return undefined;
  const entries = new Map(listed.map((one) => [keyOf(one.path), knownOf(one)]));
  const lineage = snapshots.lineageOf(memory.id, key, entries);
  return { state: "live", key, lineage, revision: revisionOf(knownOf(memory)), body: memory.content };
}

function isRevisionOf(entry: Known | undefined, revision: string): boolean {
  return entry !== undefined && revisionOf(entry) === revision;
}

function knownOf({ id, version, hash, at }: Memory): Known {
  return { id, version, hash, at };
}

/** Puts both halves of a rename next to each other, and deletions first. */
function differencesOf(before: Entries, after: Entries): readonly Difference[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  const all = [...keys].flatMap((key): Difference[] => {
    const was = before.get(key);
    const is = after.get(key);
    if (was?.id === is?.id && was?.version === is?.version) return [];
    return [{ key, before: was, after: is }];
  });
  const goesTo = new Map(all.flatMap((one) => (one.after === undefined ? [] : [[one.after.id, one] as const])));
  const renamed = new Set<Difference>();
  const ordered = all.flatMap((one) => {
    if (one.after !== undefined) return [];
    const to = one.before === undefined ? undefined : goesTo.get(one.before.id);
    if (to !== undefined) renamed.add(to);
    return to === undefined ? [one] : [one, to];
  });
  return [...ordered, ...all.filter((one) => one.after !== undefined && !renamed.has(one))];
}

/**
 * Whether the newest version of each snapshot is still in the store's past. It is not if the store was restored from a
 * backup, and then older texts look like new ones.
 */
async function isFuture(calls: MemoryStoreCalls, looks: readonly Entries[], now: Entries): Promise<boolean> {
  const there = new Set([...now.values()].map(({ version, id }) => `${version} ${id}`));
  for (const entries of looks) {
    const newest = newestOf(entries);
    if (newest === undefined || there.has(`${newest.version} ${newest.id}`)) continue;
    if (!(await isInPast(calls, newest))) return false;
  }
  return true;
}

async function isInPast(calls: MemoryStoreCalls, { id, version, hash }: Known): Promise<boolean> {
  const found = await calls.version(version);
  return found !== undefined && found.memory === id && (found.isRedacted || found.hash === hash);
}

function newestOf(entries: Entries): Known | undefined {
  const later = (one: Known, other: Known): boolean =>
    one.at === other.at ? one.version > other.version : one.at > other.at;
  let newest: Known | undefined;
  for (const entry of entries.values()) if (newest === undefined || later(entry, newest)) newest = entry;
  return newest;
}

async function pageOf(
  run: MemoryRun,
  differences: readonly Difference[],
  goal: { readonly entries: Entries; readonly texts: ReadonlyMap<string, Memory> },
): Promise<{ readonly taken: readonly Difference[]; readonly changes: readonly PulledEntry[] }> {
  const { snapshots } = run;
  const taken: Difference[] = [];
  const changes: PulledEntry[] = [];
  const forgotten = new Map<string, string[]>();
  const listed = new Set([...goal.entries.values()].map(({ id }) => id));
  for (const difference of differences) {
    const { key, before, after } = difference;
    if (after === undefined) {
      // A memory missing from the list is gone only if it cannot be found by its id either.
      if (before === undefined || (!listed.has(before.id) && (await run.calls.read(before.id)) !== undefined)) continue;
      taken.push(difference);
      const lineage = snapshots.lineageOf(before.id, key, goal.entries);
      if (snapshots.isDead(lineage) || (await isForgotten(run, lineage, goal.entries)))
        forgotten.set(lineage, [...(forgotten.get(lineage) ?? []), key]);
      else changes.push({ entry: { state: "deleted", key, lineage, revision: goneRevision(before) } });
      continue;
    }
    const memory = goal.texts.get(after.version) ?? (await run.calls.read(after.id));
    if (memory?.content === undefined || keyOf(memory.path) !== key) continue;
    const now = knownOf(memory);
    taken.push({ ...difference, after: now });
    const lineage = snapshots.lineageOf(now.id, key, goal.entries);
    changes.push({ entry: { state: "live", key, lineage, revision: revisionOf(now), body: memory.content } });
  }
  const ends = [...forgotten].map(([lineage, keys]): PulledEntry => {
    snapshots.bury(lineage);
    return { entry: { state: "forgotten", lineage, names: keys.map(nameHash) } };
  });
  return { taken, changes: [...ends, ...changes] };
}

/** A memory counts as forgotten when it is deleted and the text of each of its versions was removed. */
async function isForgotten({ calls, snapshots }: MemoryRun, lineage: string, now: Entries): Promise<boolean> {
  const ids = new Set(snapshots.idsOf(lineage));
  if ([...now.values()].some(({ id }) => ids.has(id))) return false;
  for (const id of ids) {
    const versions = await calls.versions(id);
    const speaking = versions.filter(({ operation }) => operation !== "deleted");
    if (speaking.length === 0 || speaking.some(({ isRedacted }) => !isRedacted)) return false;
  }
  return ids.size > 0;
}

/** The latest of the cursors whose state is still in the store's past. */
export async function commonCursor({ calls, snapshots }: MemoryRun, marks: readonly Cursor[]): Promise<Cursor> {
  for (const mark of marks) {
    const newest = newestOf(snapshots.at(mark) ?? new Map());
    if (newest !== undefined && (await isInPast(calls, newest))) return mark;
  }
  return START;
}
