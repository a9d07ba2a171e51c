import { randomBytes } from "node:crypto";
import { sha256 } from "../../core/shared/hash.ts";
import {
  foldedKey,
  LINES_KEY,
  NO_REVISION,
  type Change,
  type NoteChange,
  type Outcome,
} from "../../core/sync/protocol.ts";
import type { NoAnswer, PushAnswer, Transport } from "../../core/sync/transport.ts";
import {
  commonCursor,
  goneRevision,
  isGone,
  keyOf,
  type MemoryRun,
  pullMemories,
  readMemory,
  revisionOf,
} from "./memory-pull.ts";
import { type KeptFiles, type Known, openSnapshots } from "./memory-snapshots.ts";
import {
  memoryStoreCalls,
  type MemoryStoreCalls,
  type MemoryStorePlace,
  type NotWritten,
  Unanswered,
  type Written,
} from "./memory-store.ts";

/**
 * A store of the memory API as a space: a note is a memory, and its key is the path. These stores keep no cursors, push
 * ids or lineages, so this device does (`memory-snapshots.ts`). If another writer interrupts a group of changes, those
 * already written stay.
 */
export function memoryTransport(place: MemoryStorePlace, files: KeptFiles): Transport {
  const newCursor = (): string => randomBytes(12).toString("base64url");
  const run: MemoryRun = {
    calls: memoryStoreCalls(place),
    snapshots: openSnapshots(files, newCursor),
    known: undefined,
    goal: undefined,
  };
  return {
    pull: (request) => answered(() => pullMemories(run, request)),
    push: (_pushId, changes) => answered(() => pushMemories(run, changes)),
    read: (key) => answered(async () => ({ outcome: "entry", entry: await readMemory(run, key) })),
    common: (marks) =>
      answered(async () => {
        // Throws if the store does not answer: only the store itself can say that there is nothing in common.
        await run.calls.isArchived();
        return { outcome: "common", cursor: await commonCursor(run, marks) };
      }),
  };
}

/** Checks that a store exists and accepts changes; the answer says why not. */
export async function checkMemoryStore(place: MemoryStorePlace): Promise<{ readonly outcome: "there" } | NoAnswer> {
  return answered(async () => {
    if (!(await memoryStoreCalls(place).isArchived())) return { outcome: "there" };
    return { outcome: "denied", reason: "role", message: `${place.store} is archived, and takes no changes` };
  });
}

async function answered<T>(work: () => Promise<T | NoAnswer>): Promise<T | NoAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unanswered) return error.answer;
    throw error;
  }
}

interface Pushing {
  readonly run: MemoryRun;
  /** The store's state as far as this device knows, including what this push did. */
  readonly entries: Map<string, Known>;
  /** The store's current state; requested once, when something was not as expected. */
  now?: ReadonlyMap<string, Known>;
}

async function pushMemories(run: MemoryRun, changes: readonly Change[]): Promise<PushAnswer> {
  const known = run.known ?? (await firstLook(run));
  const pushing: Pushing = { run, entries: new Map(known.entries) };
  const outcomes = new Map<Change, Outcome>();
  for (const change of changes) if ("forget" in change) outcomes.set(change, await forget(pushing, change.forget));
  for (const unit of unitsOf(changes)) await pushUnit(pushing, unit, outcomes);
  const isSame =
    pushing.entries.size === known.entries.size &&
    [...pushing.entries].every(([key, { version }]) => known.entries.get(key)?.version === version);
  const head = isSame ? known.cursor : run.snapshots.save(pushing.entries);
  run.known = { cursor: head, entries: pushing.entries };
  run.goal = undefined;
  return {
    outcome: "pushed",
    prev: known.cursor,
    head,
    outcomes: changes.flatMap((change) => outcomes.get(change) ?? []),
  };
}

async function firstLook(run: MemoryRun): Promise<NonNullable<MemoryRun["known"]>> {
  const entries = await presentOf(run.calls);
  return { cursor: run.snapshots.save(entries), entries };
}

async function presentOf(calls: MemoryStoreCalls): Promise<Map<string, Known>> {
  const listed = await calls.list(false);
  return new Map(listed.map(({ id, path, version, hash, at }) => [keyOf(path), { id, version, hash, at }]));
}

/** Changes of one group together, in their original order. */
function unitsOf(changes: readonly Change[]): readonly (readonly NoteChange[])[] {
  const units = new Map<string | NoteChange, NoteChange[]>();
  for (const change of changes) {
    if ("forget" in change) continue;
    const name = change.group ?? change;
    units.set(name, [...(units.get(name) ?? []), change]);
  }
  return [...units.values()];
}

async function pushUnit(pushing: Pushing, unit: readonly NoteChange[], outcomes: Map<Change, Outcome>): Promise<void> {
  const judged = new Map<NoteChange, Outcome | "open">();
  for (const change of unit) judged.set(change, await judge(pushing, change));
  const isWhole = [...judged.values()].every((one) => one === "open" || one.outcome === "done");
  const open = unit.filter((change) => judged.get(change) === "open");
  for (const [change, one] of judged) if (one !== "open") outcomes.set(change, one);
  if (!isWhole) {
    for (const change of open) outcomes.set(change, { outcome: "group", key: change.key });
    return;
  }
  const from = new Map(open.flatMap((one) => (one.state === "deleted" ? [[one.lineage, one] as const] : [])));
  const done = new Set<NoteChange>();
  // Writes come before removals: a push cut off between the two leaves a note twice, but never loses it.
  for (const change of open.filter(({ state }) => state === "live")) {
    const moved = isGone(change.base) ? from.get(change.lineage) : undefined;
    const outcome = await put(pushing, change, moved?.key);
    outcomes.set(change, outcome);
    if (moved === undefined) continue;
    done.add(moved);
    for (const [one, of] of await renamed(pushing, moved, change, outcome)) outcomes.set(one, of);
  }
  for (const change of open)
    if (change.state === "deleted" && !done.has(change)) outcomes.set(change, await remove(pushing, change));
}

/** Judges a change as far as possible before anything is written. */
async function judge(
  pushing: Pushing,
  { key, lineage, base, state, body = "" }: NoteChange,
): Promise<Outcome | "open"> {
  const { snapshots } = pushing.run;
  // Lines of MEMORY.md stay on their device: other users of the store would not see them as a memory.
  if (key === LINES_KEY) return { outcome: "done", key, revision: "kept-here" };
  if (snapshots.isDead(lineage)) return { outcome: "forgotten", key };
  const there = pushing.entries.get(key);
  if (isGone(base)) {
    if (there === undefined) return state === "deleted" ? { outcome: "done", key, revision: base } : "open";
    // Written by an earlier attempt whose answer was lost.
    if (state === "live" && there.hash === sha256(body)) return adopted(pushing, key, there, lineage);
    return { outcome: "stale", key, revision: revisionOf(there) };
  }
  if (there !== undefined && revisionOf(there) === base) return "open";
  if (there === undefined && state === "deleted") return { outcome: "done", key, revision: `gone.${base}` };
  if (there !== undefined && state === "live" && there.hash === sha256(body))
    return adopted(pushing, key, there, lineage);
  return { outcome: "stale", key, revision: there === undefined ? NO_REVISION : revisionOf(there) };
}

function adopted({ run, entries }: Pushing, key: string, there: Known, lineage: string): Outcome {
  run.snapshots.bind(there.id, lineage);
  entries.set(key, there);
  return { outcome: "done", key, revision: revisionOf(there) };
}

/** The outcomes of both halves of a rename, which is one change of one memory. */
async function renamed(
  pushing: Pushing,
  from: NoteChange,
  to: NoteChange,
  outcome: Outcome,
): Promise<readonly (readonly [NoteChange, Outcome])[]> {
  const { key, base } = from;
  if (outcome.outcome === "done") return [[from, { outcome: "done", key, revision: `gone.${base}` }]];
  const half: Outcome = { outcome: "group", key };
  if (outcome.outcome !== "stale" || outcome.revision !== NO_REVISION) return [[from, half]];
  return [
    [from, await stale(pushing, key)],
    [to, { outcome: "group", key: to.key }],
  ];
}

/** `movedFrom`: the note's old name, if rename and edit are one change. */
async function put(pushing: Pushing, change: NoteChange, movedFrom: string | undefined): Promise<Outcome> {
  const { calls, snapshots } = pushing.run;
  const { key, lineage, body = "" } = change;
  const old = pushing.entries.get(movedFrom ?? key);
  const path = `/${key}`;
  const isSame = old !== undefined && snapshots.lineageOf(old.id, movedFrom ?? key, pushing.entries) === lineage;
  if (old !== undefined && !isSame) {
    // Another note takes the name. The old note's memory is removed, so that forgetting one does not forget the other.
    if ((await calls.remove(old.id, old.hash)) === "changed") return stale(pushing, key);
    pushing.entries.delete(key);
  }
  const written =
    old === undefined || !isSame
      ? await calls.create(path, body)
      : await calls.update(old.id, { ...(movedFrom !== undefined && { path }), content: body }, old.hash);
  return settled(pushing, change, movedFrom, written);
}

async function settled(
  pushing: Pushing,
  { key, lineage, body = "" }: NoteChange,
  movedFrom: string | undefined,
  written: Written,
): Promise<Outcome> {
  if (written.outcome !== "written") return notDone(pushing, key, body, lineage, written);
  const { id, version, hash, at } = written.memory;
  pushing.run.snapshots.bind(id, lineage);
  if (movedFrom !== undefined) pushing.entries.delete(movedFrom);
  pushing.entries.set(key, { id, version, hash, at });
  return { outcome: "done", key, revision: revisionOf(written.memory) };
}

async function notDone(
  pushing: Pushing,
  key: string,
  body: string,
  lineage: string,
  not: NotWritten,
): Promise<Outcome> {
  if (not.outcome === "refused") return { outcome: "refused", key, reason: not.reason };
  if (not.outcome !== "path-conflict") return stale(pushing, key);
  const other = keyOf(not.path);
  if (other !== key)
    return foldedKey(other) === foldedKey(key) ? { outcome: "taken", key } : { outcome: "refused", key, reason: "key" };
  const there = (await present(pushing)).get(key);
  // Written by an earlier attempt of ours that was cut off before its answer came.
  if (there !== undefined && there.hash === sha256(body)) return adopted(pushing, key, there, lineage);
  return stale(pushing, key);
}

async function present(pushing: Pushing): Promise<ReadonlyMap<string, Known>> {
  pushing.now ??= await presentOf(pushing.run.calls);
  return pushing.now;
}

async function stale(pushing: Pushing, key: string): Promise<Outcome> {
  const there = (await present(pushing)).get(key);
  return { outcome: "stale", key, revision: there === undefined ? NO_REVISION : revisionOf(there) };
}

async function remove(pushing: Pushing, { key }: NoteChange): Promise<Outcome> {
  const there = pushing.entries.get(key);
  if (there === undefined) return { outcome: "done", key, revision: "gone." };
  if ((await pushing.run.calls.remove(there.id, there.hash)) === "changed") return stale(pushing, key);
  pushing.entries.delete(key);
  return { outcome: "done", key, revision: goneRevision(there) };
}

/** Deletes every memory of this note and removes the text from each of its versions. */
async function forget({ run, entries }: Pushing, lineage: string): Promise<Outcome> {
  const { calls, snapshots } = run;
  for (const [key, { id }] of entries) snapshots.lineageOf(id, key, entries);
  const ids = new Set(snapshots.idsOf(lineage));
  for (const id of ids) await calls.remove(id);
  for (const id of ids) {
    for (const { id: version, isRedacted, operation } of await calls.versions(id)) {
      if (isRedacted || (await calls.redact(version)) !== "refused" || operation === "deleted") continue;
      const message = `version ${version} of a forgotten note could not be redacted yet`;
      throw new Unanswered({ outcome: "offline", message });
    }
  }
  snapshots.bury(lineage);
  for (const [key, { id }] of entries) if (ids.has(id)) entries.delete(key);
  return { outcome: "done", forget: lineage };
}
