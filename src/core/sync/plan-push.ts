import { type BaseEntry, type BaseUpdate, type Outbox, type SyncState, withMark } from "./base.ts";
import type { Lineage } from "../notes/history.ts";
import { sha256 } from "../shared/hash.ts";
import { type Change, LIMITS, LINES_KEY, NO_REVISION, type NoteChange, type Outcome, removedId } from "./protocol.ts";
import type { LocalNotes } from "./replica.ts";
import { type Refused, TOO_LARGE } from "./gates.ts";
import type { Cursor, PushAnswer } from "./transport.ts";

interface AppliedPush {
  readonly update: BaseUpdate;
  readonly pushed: readonly string[];
  /** Forgets that the space now knows. */
  readonly forgotten: number;
  readonly refused: readonly Refused[];
  /** Keys and lineages that wait for other people's consent: not sent again in this run. */
  readonly proposed: readonly string[];
  /** Keys that another live entry has in different letter case. */
  readonly taken: readonly string[];
  /** A change was not accepted because of other devices' changes: pull and try again. */
  readonly isBehind: boolean;
}

/** Applies the answer to a push to the base and the cursor. */
export function applyPush(
  answer: Extract<PushAnswer, { outcome: "pushed" }>,
  outbox: Outbox,
  state: SyncState,
): AppliedPush {
  const sent = new Map(outbox.changes.map((change) => [idOf(change), change]));
  const set: BaseEntry[] = [];
  const remove: string[] = [];
  for (const outcome of answer.outcomes) {
    if ("forget" in outcome) continue;
    const change = sent.get(outcome.key);
    if (change === undefined || "forget" in change) continue;
    const isAsSent = (state.entries.get(outcome.key)?.revision ?? NO_REVISION) === change.base;
    // A pull since then is newer.
    if (!isAsSent) continue;
    if (outcome.outcome === "done") set.push(entryOf(change, outcome.revision));
    if (outcome.outcome === "stale" && outcome.revision === NO_REVISION) remove.push(outcome.key);
  }
  const told = answer.outcomes.flatMap((outcome) =>
    "forget" in outcome && outcome.outcome === "done" ? [outcome.forget] : [],
  );
  const isBehind = answer.outcomes.some(({ outcome }) => ["stale", "forgotten", "taken", "group"].includes(outcome));
  return {
    update: { set, remove, told, outbox: "empty", ...placesAfter(answer, state, isBehind || told.length > 0) },
    pushed: answer.outcomes.flatMap((outcome) => (outcome.outcome === "done" && "key" in outcome ? [outcome.key] : [])),
    forgotten: told.length,
    refused: answer.outcomes.flatMap((outcome) => (outcome.outcome === "refused" ? [refusalOf(outcome)] : [])),
    proposed: answer.outcomes.flatMap((outcome) =>
      outcome.outcome !== "proposed" ? [] : ["key" in outcome ? outcome.key : outcome.forget],
    ),
    taken: answer.outcomes.flatMap((outcome) => (outcome.outcome === "taken" ? [outcome.key] : [])),
    isBehind,
  };
}

/** The cursor may jump past our own push only if nothing came between, and no forget has freed names to report. */
function placesAfter(
  { prev, head }: { readonly prev: Cursor; readonly head: Cursor },
  state: SyncState,
  mustPull: boolean,
): BaseUpdate {
  if (prev === state.cursor && !mustPull && state.resync === undefined)
    return { cursor: head, tops: [], marks: withMark(state.marks, head) };
  return head === state.cursor ? {} : { tops: [...state.tops.filter((top) => top !== head), head] };
}

function idOf(change: Change): string {
  return "forget" in change ? `~${change.forget}` : change.key;
}

function entryOf({ key, lineage, state, body }: NoteChange, revision: string): BaseEntry {
  return { key, lineage, revision, state, hash: body === undefined ? undefined : sha256(body), body };
}

function refusalOf({ key, reason, rule }: Extract<Outcome, { outcome: "refused" }>): Refused {
  if (reason === "size") return { key, ...TOO_LARGE };
  return { key, reason, ...(rule !== undefined && { rule }) };
}

/** Local changes that the remote does not have yet. */
export interface Unsent {
  readonly forgets: readonly Lineage[];
  readonly changes: readonly NoteChange[];
}

/** Compares by hash and reads only the texts that differ. */
export function unsentOf(local: LocalNotes, state: SyncState): Unsent {
  const keys = new Set([...local.hashes.keys(), ...state.entries.keys()]);
  const changes = [...keys].flatMap((key) => changeOf(key, local, state) ?? []);
  return { forgets: [...state.unsentForgets], changes: grouped(changes, state) };
}

function changeOf(key: string, local: LocalNotes, state: SyncState): NoteChange | undefined {
  if (local.blocked.has(key)) return undefined;
  const agreed = state.entries.get(key);
  const base = agreed?.revision ?? NO_REVISION;
  const hash = local.hashes.get(key);
  if (hash === undefined) return agreed?.state === "live" ? removalOf(agreed) : undefined;
  if (hash === agreed?.hash && local.lineage(key) === agreed.lineage) return undefined;
  const body = local.text(key);
  const lineage = local.lineage(key);
  // It changed during the snapshot; the next snapshot shows it.
  if (body === undefined || lineage === undefined || state.dead.has(lineage)) return undefined;
  if (key === LINES_KEY && body === "" && agreed === undefined) return undefined;
  if (sha256(body) === agreed?.hash && lineage === agreed.lineage) return undefined;
  return { key, lineage, base, state: "live", body };
}

function removalOf({ key, lineage, revision, hash }: BaseEntry): NoteChange {
  return {
    key,
    lineage,
    base: revision,
    state: "deleted",
    ...(hash !== undefined && { was: removedId(hash) }),
  };
}

const SUPERSEDED_BY = /^[ \t]*supersededBy[ \t]*:[ \t]*["']?([^"'\r\n]+?)["']?[ \t]*$/mu;

/**
 * A rename is two changes, and so is a supersede: both are accepted or neither. The same holds for a note and the one
 * that took its name: if the note's new name is refused, it would exist nowhere, and other devices would delete it.
 */
function grouped(changes: readonly NoteChange[], { entries }: SyncState): readonly NoteChange[] {
  const byKey = new Map(changes.map((change) => [change.key, change]));
  const groupOf = new Map<string, string>();
  const join = (first: string, second: string): void => {
    const group = groupOf.get(first) ?? groupOf.get(second) ?? first;
    const old = [groupOf.get(first), groupOf.get(second)];
    for (const [key, name] of groupOf) if (old.includes(name)) groupOf.set(key, group);
    groupOf.set(first, group);
    groupOf.set(second, group);
  };
  const gone = new Map(changes.flatMap((one) => leftBy(one, entries.get(one.key))));
  for (const { key, lineage, state, body } of changes) {
    if (state === "deleted") continue;
    const from = gone.get(lineage);
    if (from !== undefined) join(from, key);
    const newer = SUPERSEDED_BY.exec(body ?? "")?.[1];
    if (newer !== undefined && byKey.has(newer)) join(key, newer);
  }
  return changes.map((change) => {
    const group = groupOf.get(change.key);
    return group === undefined ? change : { ...change, group };
  });
}

/** The note that a change removes from its name. */
function leftBy(
  { key, lineage, state }: NoteChange,
  agreed: BaseEntry | undefined,
): readonly (readonly [Lineage, string])[] {
  if (state === "deleted") return [[lineage, key]];
  return agreed?.state === "live" && agreed.lineage !== lineage ? [[agreed.lineage, key]] : [];
}

/** Splits changes into pushes of limited size; a group stays together, and one too large for a push goes alone. */
export function batchesOf(
  { forgets, changes }: Unsent,
  bytesOf: (change: Change) => number = bytesOfText,
): readonly (readonly Change[])[] {
  const units: Change[][] = forgets.map((forget) => [{ forget }]);
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const group = change.group === undefined ? undefined : groups.get(change.group);
    if (group !== undefined) {
      group.push(change);
      continue;
    }
    const unit: Change[] = [change];
    if (change.group !== undefined) groups.set(change.group, unit);
    units.push(unit);
  }
  const batches: Change[][] = [];
  let bytes = 0;
  for (const unit of units) {
    const size = unit.reduce((sum, change) => sum + bytesOf(change), 0);
    const last = batches.at(-1);
    const fits =
      last !== undefined && last.length + unit.length <= LIMITS.pushChanges && bytes + size <= LIMITS.pushBytes;
    if (fits) last.push(...unit);
    else batches.push([...unit]);
    bytes = fits ? bytes + size : size;
  }
  return batches;
}

function bytesOfText(change: Change): number {
  return "forget" in change ? 0 : Buffer.byteLength(change.body ?? "");
}

/** To remove more than half of a space and more than this many notes at once, the user is asked first. */
const REMOVALS_UNASKED = 10;

export function areTooMany(removals: number, live: number): boolean {
  return removals > REMOVALS_UNASKED && removals * 2 > live;
}

export function liveCount(state: SyncState): number {
  return [...state.entries.values()].filter((entry) => entry.state === "live").length;
}
