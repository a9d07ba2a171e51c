import { sha256 } from "../shared/hash.ts";
import { FORGET_PREFIX, STORE_KIND } from "./memory-names.ts";
import { byteLength, foldOf, type PushFrom } from "./judge-push.ts";
import type { MemoryVersionRow } from "./memory-tables.ts";
import type { EntryRow, LockedSpace, PushWrite, SpaceRow } from "./tables.ts";

/** The outcome of one change requested by an application. */
export type MemoryVerdict =
  | { readonly kind: "written" | "unchanged"; readonly lineage: string }
  | { readonly kind: "not-found" | "precondition" | "archived" }
  | { readonly kind: "path-conflict"; readonly entry: Pick<EntryRow, "key" | "lineage"> }
  | { readonly kind: "quota"; readonly entries: number; readonly bytes: number };

export async function createMemory(
  locked: LockedSpace,
  { key, content, lineage }: { readonly key: string; readonly content: string; readonly lineage: string },
  from: PushFrom,
): Promise<MemoryVerdict> {
  if (locked.space.archivedAt !== undefined) return { kind: "archived" };
  const entry = await blocking(locked, key, undefined);
  if (entry !== undefined) return { kind: "path-conflict", entry };
  return store(locked, { key, content, lineage, before: undefined }, from);
}

export interface MemoryChange {
  readonly lineage: string;
  readonly content: string | undefined;
  readonly key: string | undefined;
  /** The hash that the caller saw. */
  readonly expected: string | undefined;
}

export async function updateMemory(locked: LockedSpace, change: MemoryChange, from: PushFrom): Promise<MemoryVerdict> {
  const { lineage, expected } = change;
  if (locked.space.archivedAt !== undefined) return { kind: "archived" };
  const before = await liveEntry(locked, lineage);
  if (before === undefined) return { kind: "not-found" };
  const key = change.key ?? before.key;
  const hash = change.content === undefined ? before.hash : sha256(change.content);
  // If the wanted content is already there, nothing changes, whatever hash the caller saw.
  if (key === before.key && hash === before.hash) return { kind: "unchanged", lineage };
  if (expected !== undefined && expected !== before.hash) return { kind: "precondition" };
  const entry = key === before.key ? undefined : await blocking(locked, key, lineage);
  if (entry !== undefined) return { kind: "path-conflict", entry };
  const content = change.content ?? new TextDecoder("utf-8", { ignoreBOM: true }).decode(await locked.body(before.seq));
  return store(locked, { key, content, lineage, before }, from);
}

export async function deleteMemory(
  locked: LockedSpace,
  { lineage, expected }: Pick<MemoryChange, "lineage" | "expected">,
  from: PushFrom,
): Promise<MemoryVerdict> {
  const before = await liveEntry(locked, lineage);
  if (before === undefined) return { kind: "not-found" };
  if (expected !== undefined && expected !== before.hash) return { kind: "precondition" };
  const { space } = locked;
  const draft: Drafted[] = [{ key: before.key, state: "deleted", lineage, base: before.seq, size: 0 }];
  await locked.write({
    ...writeOf(space, draft, from),
    liveEntries: space.liveEntries - 1,
    liveBytes: space.liveBytes - before.size,
    gone: space.kind === STORE_KIND ? [before.key] : [],
  });
  return { kind: "written", lineage };
}

/** One of several changes made at once; without content the memory is deleted. */
export interface MemoryWrite {
  readonly key: string;
  readonly lineage: string;
  readonly content: string | undefined;
  /** The current entry of this name. */
  readonly before: Pick<EntryRow, "seq" | "size"> | undefined;
}

/** Writes everything, or nothing if the quota would be exceeded. */
export async function writeMemories(
  locked: LockedSpace,
  writes: readonly MemoryWrite[],
  from: PushFrom,
): Promise<"written" | "quota"> {
  let { space } = locked;
  const { liveEntries, liveBytes } = sumsAfter(space, writes);
  const isOver = (now: number, was: number, most: number): boolean => now > most && now > was;
  if (isOver(liveEntries, space.liveEntries, space.maxEntries) || isOver(liveBytes, space.liveBytes, space.maxBytes))
    return "quota";
  for (let at = 0; at < writes.length; at += STATEMENT_WRITES) {
    const some = writes.slice(at, at + STATEMENT_WRITES);
    const gone = some.flatMap(({ key, content }) => (content === undefined ? [key] : []));
    const draft = { ...writeOf(space, some.map(drafted), from), ...sumsAfter(space, some) };
    await locked.write({ ...draft, gone: space.kind === STORE_KIND ? gone : [] });
    space = { ...space, head: draft.head, liveEntries: draft.liveEntries, liveBytes: draft.liveBytes };
  }
  return "written";
}

/** Keeps a statement below its limit of 65,535 values. */
const STATEMENT_WRITES = 500;

function sumsAfter(
  { liveEntries, liveBytes }: SpaceRow,
  writes: readonly MemoryWrite[],
): Pick<SpaceRow, "liveEntries" | "liveBytes"> {
  const sum = (of: (write: MemoryWrite) => number): number => writes.reduce((all, write) => all + of(write), 0);
  return {
    liveEntries:
      liveEntries + sum(({ content, before }) => Number(content !== undefined) - Number(before !== undefined)),
    liveBytes: liveBytes + sum(({ content, before }) => byteLength(content ?? "") - (before?.size ?? 0)),
  };
}

function drafted({ key, lineage, content, before }: MemoryWrite): Drafted {
  const said = { key, lineage, base: before?.seq ?? 0, size: byteLength(content ?? "") };
  return content === undefined
    ? { ...said, state: "deleted" }
    : { ...said, state: "live", hash: sha256(content), body: content };
}

/**
 * Redacts one version. When no text of a deleted memory is left, it is forgotten, so that the devices of a synced
 * space purge it too.
 */
export async function redactVersion(
  locked: LockedSpace,
  version: Pick<MemoryVersionRow, "seq" | "lineage">,
  from: PushFrom,
): Promise<"redacted" | "forgotten" | "head"> {
  const { space } = locked;
  const { lineage, seq } = version;
  const live = await liveEntry(locked, lineage);
  if (live?.seq === seq) return "head";
  await locked.redact(seq, { deviceId: from.deviceId, at: from.at });
  if (live !== undefined || (await locked.speaking(lineage)) > 0) return "redacted";
  const key = `${FORGET_PREFIX}${lineage}`;
  const write = writeOf(space, [{ key, state: "forgotten", lineage, base: 0, body: "[]", size: 0 }], from);
  await locked.write({
    ...write,
    gone: space.kind === STORE_KIND ? [key] : [],
    forgotten: [{ lineage, seq: write.head }],
  });
  return "forgotten";
}

/** What blocks a new name: the same name, one above or below it, or in a synced space one that differs only in form. */
async function blocking(locked: LockedSpace, key: string, except: string | undefined): Promise<EntryRow | undefined> {
  const overlapping = await locked.overlapping(key, except);
  if (overlapping !== undefined || locked.space.kind === STORE_KIND) return overlapping;
  const alike = await locked.entries({ keys: [], folds: [foldOf(key, locked.space.sealed)], lineages: [] });
  return alike.find(({ state, lineage }) => state === "live" && lineage !== except);
}

async function liveEntry(locked: LockedSpace, lineage: string): Promise<EntryRow | undefined> {
  const entries = await locked.entries({ keys: [], folds: [], lineages: [lineage] });
  return entries.filter(({ state }) => state === "live").toSorted((a, b) => b.seq - a.seq)[0];
}

interface Stored {
  readonly key: string;
  readonly content: string;
  readonly lineage: string;
  readonly before: EntryRow | undefined;
}

async function store(locked: LockedSpace, stored: Stored, from: PushFrom): Promise<MemoryVerdict> {
  const { space } = locked;
  const { key, content, lineage, before } = stored;
  const size = byteLength(content);
  const liveEntries = space.liveEntries + (before === undefined ? 1 : 0);
  const liveBytes = space.liveBytes + size - (before?.size ?? 0);
  // A space over its quota still accepts changes that make it smaller.
  const tooMany = liveEntries > space.maxEntries && liveEntries > space.liveEntries;
  const tooLarge = liveBytes > space.maxBytes && liveBytes > space.liveBytes;
  if (tooMany || tooLarge) return { kind: "quota", entries: liveEntries, bytes: liveBytes };
  const renamed = before !== undefined && before.key !== key ? before : undefined;
  // Devices learn of a rename by the old name's tombstone.
  const tombstones: Drafted[] =
    renamed === undefined || space.kind === STORE_KIND
      ? []
      : [{ key: renamed.key, state: "deleted", lineage, base: renamed.seq, size: 0 }];
  const base = before === undefined || renamed !== undefined ? 0 : before.seq;
  const draft: Drafted[] = [
    ...tombstones,
    { key, state: "live", lineage, base, hash: sha256(content), body: content, size },
  ];
  await locked.write({
    ...writeOf(space, draft, from),
    liveEntries,
    liveBytes,
    gone: renamed !== undefined && space.kind === STORE_KIND ? [renamed.key] : [],
  });
  return { kind: "written", lineage };
}

type Drafted = Pick<PushWrite["versions"][number], "key" | "state" | "lineage" | "base" | "size"> & {
  readonly hash?: string;
  readonly body?: string;
};

function writeOf(space: SpaceRow, drafts: readonly Drafted[], from: PushFrom): PushWrite {
  const { deviceId, pushId, actor, at, mark } = from;
  const isStore = space.kind === STORE_KIND;
  const versions = drafts.map((draft, place) => ({
    ...draft,
    seq: space.head + 1 + place,
    hash: draft.hash,
    body: draft.body === undefined ? undefined : new TextEncoder().encode(draft.body),
    fold: foldOf(draft.key, space.sealed || isStore),
    deviceId,
    pushId,
    actor,
    reason: "",
    at,
    mark,
  }));
  const { liveEntries, liveBytes } = space;
  return { head: space.head + drafts.length, mark, liveEntries, liveBytes, versions, forgotten: [] };
}
