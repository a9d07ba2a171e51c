import { sha256 } from "../shared/hash.ts";
import {
  foldedKey,
  nameHash,
  type Change,
  type ForgetChange,
  type NoteChange,
  type Outcome,
} from "../sync/protocol.ts";
import { FORGET_PREFIX } from "./memory-names.ts";
import type { EntryRow, PushWrite, SpaceRow, VersionRow } from "./tables.ts";

/** What the server knows of the names and lineages of a push, read while the space is locked. */
export interface PushState {
  readonly space: SpaceRow;
  readonly answered: readonly Pick<VersionRow, "key" | "seq" | "state" | "hash" | "lineage" | "base">[];
  readonly forgotten: ReadonlyMap<string, number>;
  readonly entries: readonly EntryRow[];
}

export interface PushFrom {
  readonly pushId: string;
  readonly deviceId: string;
  /** Shown to people with a version. */
  readonly actor: string;
  readonly at: number;
  /** Random, new for each push. */
  readonly mark: string;
}

/** A change refused before the tables are read, for instance because of a secret. */
export type Refused = Extract<Outcome<number>, { outcome: "refused" }>;

export type PushVerdict =
  | { readonly kind: "accepted"; readonly outcomes: readonly Outcome<number>[]; readonly write: PushWrite | undefined }
  | { readonly kind: "quota"; readonly entries: number; readonly bytes: number };

interface Draft {
  readonly from: PushFrom;
  readonly space: SpaceRow;
  readonly answered: ReadonlyMap<string, PushState["answered"][number]>;
  /** Live entries and tombstones as they would be after the changes so far. */
  readonly at: Map<string, EntryRow>;
  /** Entries removed by a forget in this push: their numbers are still a valid base. */
  readonly ended: Map<string, number>;
  readonly dead: Set<string>;
  readonly versions: PushWrite["versions"][number][];
  readonly forgets: { lineage: string; seq: number }[];
  head: number;
  liveEntries: number;
  liveBytes: number;
}

/**
 * Decides the outcome of a push from the current state. Forgets come first, since they override every base. Then
 * changes in order, a group at the place of its first member, each judged against the result of those before.
 */
export function judgePush(
  state: PushState,
  changes: readonly Change<number>[],
  refused: ReadonlyMap<number, Refused>,
  from: PushFrom,
): PushVerdict {
  const draft = draftOf(state, from);
  const outcomes = new Map<number, Outcome<number>>(refused);
  for (const [place, change] of changes.entries())
    if (isForget(change)) outcomes.set(place, forget(draft, change.forget));
  for (const unit of unitsOf(changes)) judgeUnit(draft, unit, refused, outcomes);
  const { space, liveEntries, liveBytes } = draft;
  // A space over its quota still accepts changes that make it smaller.
  const tooMany = liveEntries > space.maxEntries && liveEntries > space.liveEntries;
  const tooLarge = liveBytes > space.maxBytes && liveBytes > space.liveBytes;
  if (tooMany || tooLarge) return { kind: "quota", entries: liveEntries, bytes: liveBytes };
  return {
    kind: "accepted",
    outcomes: changes.flatMap((_, place) => outcomes.get(place) ?? []),
    write: draft.versions.length === 0 ? undefined : writeOf(draft),
  };
}

export function isForget(change: Change<number>): change is ForgetChange {
  return "forget" in change;
}

function draftOf({ space, answered, forgotten, entries }: PushState, from: PushFrom): Draft {
  return {
    from,
    space,
    answered: new Map(answered.map((version) => [version.key, version])),
    at: new Map(entries.map((entry) => [entry.key, entry])),
    ended: new Map(),
    dead: new Set(forgotten.keys()),
    versions: [],
    forgets: [],
    head: space.head,
    liveEntries: space.liveEntries,
    liveBytes: space.liveBytes,
  };
}

function writeOf({ head, from, liveEntries, liveBytes, versions, forgets }: Draft): PushWrite {
  return { head, mark: from.mark, liveEntries, liveBytes, versions, forgotten: forgets };
}

function forget(draft: Draft, lineage: string): Outcome<number> {
  if (draft.dead.has(lineage)) return { outcome: "done", forget: lineage };
  draft.dead.add(lineage);
  const held = [...draft.at.values()].filter((entry) => entry.lineage === lineage);
  for (const entry of held) {
    draft.at.delete(entry.key);
    draft.ended.set(entry.key, entry.seq);
    if (entry.state === "live") draft.liveEntries -= 1;
    draft.liveBytes -= entry.size;
  }
  const names = JSON.stringify(held.map(({ key }) => nameHash(key)));
  add(draft, { key: `${FORGET_PREFIX}${lineage}`, state: "forgotten", lineage, base: 0, body: names, size: 0 });
  draft.forgets.push({ lineage, seq: draft.head });
  return { outcome: "done", forget: lineage };
}

type Placed = readonly [place: number, change: NoteChange<number>];

/** Groups of changes that are accepted together; a change without a group is on its own. */
function unitsOf(changes: readonly Change<number>[]): readonly (readonly Placed[])[] {
  const units = new Map<string, Placed[]>();
  for (const [place, change] of changes.entries()) {
    if (isForget(change)) continue;
    const name = change.group === undefined ? `alone ${place}` : `group ${change.group}`;
    units.set(name, [...(units.get(name) ?? []), [place, change]]);
  }
  return [...units.values()];
}

type Verdict = Outcome<number> | "accept";

function judgeUnit(
  draft: Draft,
  unit: readonly Placed[],
  refused: ReadonlyMap<number, Refused>,
  outcomes: Map<number, Outcome<number>>,
): void {
  const given = new Set(unit.flatMap(([, { key, state }]) => (state === "deleted" ? [key] : [])));
  const claimed = new Set<string>();
  const verdicts = unit.map(([place, change]): Verdict => {
    const verdict = refused.get(place) ?? verdictOf(draft, change, given);
    if (verdict !== "accept" || change.state === "deleted") return verdict;
    const fold = foldOf(change.key, draft.space.sealed);
    if (claimed.has(fold)) return { outcome: "taken", key: change.key };
    claimed.add(fold);
    return verdict;
  });
  const whole = verdicts.every((verdict) => verdict === "accept" || verdict.outcome === "done");
  for (const [index, [place, change]] of unit.entries()) {
    const verdict = verdicts[index] ?? "accept";
    if (verdict !== "accept") outcomes.set(place, verdict);
    else outcomes.set(place, whole ? accept(draft, change) : { outcome: "group", key: change.key });
  }
}

function verdictOf(draft: Draft, change: NoteChange<number>, given: ReadonlySet<string>): Verdict {
  const { key, lineage, base, state } = change;
  const before = draft.answered.get(key);
  const now = draft.at.get(key);
  if (before !== undefined) {
    // A push id stands for one content. Other content is a client error; the client pulls and tries again.
    const same = before.state === state && before.lineage === lineage && before.base === base;
    if (same && before.hash === hashOf(change)) return { outcome: "done", key, revision: before.seq };
    return { outcome: "stale", key, revision: now?.seq ?? 0 };
  }
  if (draft.dead.has(lineage)) return { outcome: "forgotten", key };
  const expected = now?.seq ?? (base > 0 && draft.ended.get(key) === base ? base : 0);
  if (expected !== base) return { outcome: "stale", key, revision: now?.seq ?? 0 };
  return state === "live" && isTaken(draft, key, given) ? { outcome: "taken", key } : "accept";
}

/** Whether another live entry has the same folded name and keeps it after this unit. */
function isTaken(draft: Draft, key: string, given: ReadonlySet<string>): boolean {
  const fold = foldOf(key, draft.space.sealed);
  for (const entry of draft.at.values())
    if (entry.fold === fold && entry.key !== key && entry.state === "live" && !given.has(entry.key)) return true;
  return false;
}

function accept(draft: Draft, change: NoteChange<number>): Outcome<number> {
  const { key, lineage, base, state, body = "" } = change;
  const before = draft.at.get(key);
  const size = state === "live" ? byteLength(body) : 0;
  draft.liveEntries += (state === "live" ? 1 : 0) - (before?.state === "live" ? 1 : 0);
  draft.liveBytes += size - (before?.size ?? 0);
  const hash = hashOf(change);
  add(draft, { key, state, lineage, base, hash, body: state === "live" ? body : undefined, size });
  const fold = foldOf(key, draft.space.sealed);
  draft.at.set(key, { key, fold, seq: draft.head, state, hash, lineage, size });
  return { outcome: "done", key, revision: draft.head };
}

function add(
  draft: Draft,
  version: Pick<VersionRow, "key" | "state" | "lineage" | "base"> & {
    readonly hash?: string | undefined;
    readonly body: string | undefined;
    readonly size: number;
  },
): void {
  const { from, space } = draft;
  draft.head += 1;
  draft.versions.push({
    ...version,
    hash: version.hash,
    body: version.body === undefined ? undefined : new TextEncoder().encode(version.body),
    fold: foldOf(version.key, space.sealed),
    seq: draft.head,
    deviceId: from.deviceId,
    pushId: from.pushId,
    actor: from.actor,
    reason: "",
    at: from.at,
    mark: from.mark,
  });
}

function hashOf({ state, body = "" }: NoteChange<number>): string | undefined {
  return state === "live" ? sha256(body) : undefined;
}

export function foldOf(key: string, sealed: boolean): string {
  return sealed ? key : foldedKey(key);
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
