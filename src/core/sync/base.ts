import type { Lineage } from "../notes/history.ts";
import type { Change, Revision } from "./protocol.ts";
import type { Cursor } from "./transport.ts";
import { LIMITS } from "./protocol.ts";

/** What both sides had under a key at their last agreement. */
export interface BaseEntry {
  readonly key: string;
  readonly lineage: Lineage;
  readonly revision: Revision;
  readonly state: "live" | "deleted";
  /** SHA-256 of `body`; both are absent for a deleted note. */
  readonly hash: string | undefined;
  readonly body: string | undefined;
}

/** A push whose answer has not been seen yet. */
export interface Outbox {
  readonly pushId: string;
  readonly changes: readonly Change[];
}

/** A space that was restored from a backup is being pulled again from the start. */
export interface Resync {
  /** The latest cursor that is in both histories. */
  readonly since: Cursor;
  /** Keys received so far, and `~LINEAGE` for forgotten ones. */
  readonly seen: ReadonlySet<string>;
}

/** All that a client remembers of one space. Without it the client joins again without loss. */
export interface SyncState {
  readonly cursor: Cursor;
  /** Cursors of push answers that the cursor has not reached yet. */
  readonly tops: readonly Cursor[];
  /** Earlier cursors, newest first. */
  readonly marks: readonly Cursor[];
  readonly entries: ReadonlyMap<string, BaseEntry>;
  /** Forgotten lineages, kept forever. */
  readonly dead: ReadonlySet<Lineage>;
  /** Forgotten here, and not yet reported. */
  readonly unsentForgets: ReadonlySet<Lineage>;
  /** Hashes of names that a forgotten note held and that no note pulled since holds. */
  readonly freed: ReadonlySet<string>;
  readonly outbox: Outbox | undefined;
  readonly resync: Resync | undefined;
}

/** One atomic update. Absent parts stay unchanged. */
export interface BaseUpdate {
  readonly cursor?: Cursor;
  readonly tops?: readonly Cursor[];
  readonly marks?: readonly Cursor[];
  readonly set?: readonly BaseEntry[];
  readonly remove?: readonly string[];
  readonly dead?: readonly Lineage[];
  readonly unsent?: readonly Lineage[];
  readonly told?: readonly Lineage[];
  readonly freed?: readonly string[];
  readonly outbox?: Outbox | "empty";
  readonly resync?: { readonly since: Cursor; readonly seen: readonly string[] } | "over";
}

/** The stored state of one space. */
export interface SyncBase {
  readonly state: SyncState;
  /** Atomic, and on disk when this returns. */
  write(update: BaseUpdate): void;
}

export const emptyState: SyncState = {
  cursor: "",
  tops: [],
  marks: [],
  entries: new Map(),
  dead: new Set(),
  unsentForgets: new Set(),
  freed: new Set(),
  outbox: undefined,
  resync: undefined,
};

/** Keeps the state in memory; each update goes to `persist` first. */
export function baseInMemory(initial: SyncState, persist: (update: BaseUpdate) => void = () => {}): SyncBase {
  const entries = new Map(initial.entries);
  const dead = new Set(initial.dead);
  const unsentForgets = new Set(initial.unsentForgets);
  let rest = initial;
  return {
    get state() {
      return { ...rest, entries, dead, unsentForgets };
    },
    write(update) {
      persist(update);
      for (const key of update.remove ?? []) entries.delete(key);
      for (const entry of update.set ?? []) entries.set(entry.key, entry);
      for (const lineage of update.dead ?? []) dead.add(lineage);
      for (const lineage of update.unsent ?? []) unsentForgets.add(lineage);
      for (const lineage of update.told ?? []) unsentForgets.delete(lineage);
      rest = withPlaces(rest, update);
    },
  };
}

function withPlaces(state: SyncState, update: BaseUpdate): SyncState {
  const { resync, outbox } = update;
  return {
    ...state,
    cursor: update.cursor ?? state.cursor,
    tops: update.tops ?? state.tops,
    marks: update.marks ?? state.marks,
    freed: update.freed === undefined ? state.freed : new Set(update.freed),
    outbox: outbox === undefined ? state.outbox : outbox === "empty" ? undefined : outbox,
    resync:
      resync === undefined
        ? state.resync
        : resync === "over"
          ? undefined
          : { since: resync.since, seen: new Set(resync.seen) },
  };
}

const ALL_OF_THE_LAST = LIMITS.marks / 2;

/** Adds a mark; if there are too many, every second one of the older half is dropped. */
export function withMark(marks: readonly Cursor[], mark: Cursor): readonly Cursor[] {
  if (marks[0] === mark) return marks;
  const all = [mark, ...marks];
  if (all.length <= LIMITS.marks) return all;
  return all.filter((_, place) => place < ALL_OF_THE_LAST || place === all.length - 1 || place % 2 === 0);
}

/**
 * Removes the texts and names of forgotten notes. Call it with every lineage that was forgotten here; those that the
 * space may know are reported to it.
 */
export function forgetInBase(state: SyncState, lineages: ReadonlySet<Lineage>): BaseUpdate {
  const entries = [...state.entries.values()].filter(({ lineage }) => lineages.has(lineage));
  const waiting = state.outbox?.changes.flatMap((change) => ("forget" in change ? [] : [change])) ?? [];
  const known = new Set([...entries, ...waiting].map(({ lineage }) => lineage));
  return {
    remove: entries.map(({ key }) => key),
    dead: [...lineages],
    unsent: [...lineages].filter((lineage) => known.has(lineage)),
    ...outboxWithout(state, lineages),
  };
}

/** The push keeps its id, so that changes accepted earlier get the same answer. */
export function outboxWithout({ outbox }: SyncState, lineages: ReadonlySet<Lineage>): Pick<BaseUpdate, "outbox"> {
  if (outbox === undefined) return {};
  const changes = outbox.changes.filter((change) => "forget" in change || !lineages.has(change.lineage));
  if (changes.length === outbox.changes.length) return {};
  return { outbox: changes.length === 0 ? "empty" : { pushId: outbox.pushId, changes } };
}
