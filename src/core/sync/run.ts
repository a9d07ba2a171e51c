import { applyPush, areTooMany, batchesOf, liveCount, unsentOf } from "./plan-push.ts";
import type { SyncBase } from "./base.ts";
import { judged, type Judge, type Refused, TOO_LARGE } from "./gates.ts";
import { planPull, type Conflict, type MergeTexts } from "./plan-pull.ts";
import { nextKey, type Replica } from "./replica.ts";
import { type Change, LIMITS, LINES_KEY, NO_REVISION, type Revision } from "./protocol.ts";
import { START, type NoAnswer, type Page, type Transport } from "./transport.ts";

export interface SyncPorts {
  readonly transport: Transport;
  readonly base: SyncBase;
  readonly replica: Replica;
  readonly merge: MergeTexts;
  readonly judge: Judge;
  /** Makes a random push id. */
  readonly newPushId: () => string;
}

export interface RunOptions {
  /** How many notes the user allowed a pull or push to remove, even if that is most of the space. Default 0. */
  readonly acceptRemovals?: number;
  readonly pageLimit?: number;
}

/** How a run ended. Except after `done`, the next run continues where this one stopped. */
export type RunEnd =
  | { readonly outcome: "done" }
  /** Other devices kept writing. */
  | { readonly outcome: "busy" }
  /** More than half of the space would be removed, `here` or `there`: the user is asked. */
  | { readonly outcome: "too-many-removals"; readonly where: "here" | "there"; readonly keys: readonly string[] }
  | NoAnswer;

export interface RunReport {
  readonly end: RunEnd;
  readonly pulled: number;
  readonly pushed: number;
  readonly merged: readonly string[];
  readonly conflicts: readonly Conflict[];
  readonly refused: readonly Refused[];
  /** Entries that cannot be stored as notes on this device. */
  readonly held: readonly string[];
  /** Forgotten notes whose unsent lines went to the review queue. */
  readonly toReview: readonly string[];
}

/** The maximum number of rounds without progress, and of all rounds, since other devices may keep writing. */
const [IDLE_ROUNDS, ROUNDS] = [8, 100];
/** How often a page is planned again because an editor wrote in the meantime. */
const ATTEMPTS = 5;

interface Run {
  readonly ports: SyncPorts;
  readonly options: RunOptions;
  readonly counted: {
    pulled: number;
    pushed: number;
    readonly removedHere: string[];
    readonly liveBefore: number;
    readonly merged: string[];
    readonly conflicts: Conflict[];
    readonly refused: Map<string, Refused>;
    /** Keys and lineages that wait for other people's consent: sent once a run. */
    readonly proposed: Set<string>;
    readonly held: string[];
    readonly toReview: string[];
    /** Revisions for which a push was refused, by key. */
    readonly stale: Map<string, Revision>;
  };
}

/** How a step ended; `undefined` means go on. */
type Stop = RunEnd | undefined;

/** Syncs one space: pulls to the end and sends local changes until both sides are equal. */
export async function runSync(ports: SyncPorts, options: RunOptions = {}): Promise<RunReport> {
  const counted: Run["counted"] = {
    pulled: 0,
    pushed: 0,
    removedHere: [],
    liveBefore: liveCount(ports.base.state),
    merged: [],
    conflicts: [],
    refused: new Map(),
    proposed: new Set(),
    held: [],
    toReview: [],
    stale: new Map(),
  };
  const run: Run = { ports, options, counted };
  const end = await rounds(run);
  const { pulled, pushed, merged, conflicts, refused, held, toReview } = counted;
  return { end, pulled, pushed, merged, conflicts, refused: [...refused.values()], held, toReview };
}

async function rounds(run: Run): Promise<RunEnd> {
  const { counted } = run;
  let isAtHead = false;
  for (let [round, idle] = [0, 0]; round < ROUNDS && idle < IDLE_ROUNDS; round++) {
    const before = counted.pulled + counted.pushed;
    const stop = isAtHead ? undefined : ((await pullAll(run)) ?? (await takeStale(run)));
    if (stop !== undefined) return stop;
    const pushed = await pushAll(run);
    if (pushed !== "again" && pushed !== "at-head") return pushed;
    isAtHead = pushed === "at-head";
    idle = counted.pulled + counted.pushed > before ? 0 : idle + 1;
  }
  return { outcome: "busy" };
}

async function pullAll(run: Run): Promise<Stop> {
  const { transport, base } = run.ports;
  for (let isFirst = true; ; isFirst = false) {
    const { cursor, tops, resync } = base.state;
    const limit = run.options.pageLimit ?? LIMITS.pageEntries;
    const answer = await transport.pull({ cursor, tops, limit, since: resync?.since });
    if (answer.outcome === "history-changed" || answer.outcome === "compacted") {
      const stop = await beginResync(run);
      if (stop !== undefined) return stop;
      continue;
    }
    if (answer.outcome !== "page") return answer;
    if (isFirst && base.state.outbox !== undefined) {
      // The space's history is the known one, so the outbox can be resent: before taking the page, which may hold later
      // changes. The page is older than that answer and is requested again.
      const stop = await sendOutbox(run);
      if (stop !== undefined) return stop;
      continue;
    }
    const stop = takePage(run, answer);
    if (stop !== undefined) return stop;
    if (answer.next === answer.head) return undefined;
  }
}

/**
 * A push was refused because of an entry that no pull returns, since the client's view of the space lacks it and would
 * stay without it. The entry is requested by name.
 */
async function takeStale(run: Run): Promise<Stop> {
  const { transport, base } = run.ports;
  const { stale } = run.counted;
  for (const [key, revision] of stale) {
    const isUnknown = revision !== NO_REVISION && base.state.entries.get(key)?.revision !== revision;
    if (!isUnknown || base.state.resync !== undefined) continue;
    const answer = await transport.read(key);
    if (answer.outcome !== "entry") return answer;
    const { cursor } = base.state;
    const changes = answer.entry === undefined ? [] : [{ entry: answer.entry }];
    const stop = takePage(run, { outcome: "page", head: cursor, next: cursor, changes });
    if (stop !== undefined) return stop;
  }
  stale.clear();
  return undefined;
}

/** The space was restored from a backup: our last push may be gone, so its answer is meaningless. */
async function beginResync({ ports: { transport, base } }: Run): Promise<Stop> {
  const { marks } = base.state;
  const answer = await transport.common(marks.slice(0, LIMITS.marks));
  if (answer.outcome !== "common") return answer;
  const at = marks.indexOf(answer.cursor);
  base.write({
    cursor: START,
    tops: [],
    marks: at === -1 ? [] : marks.slice(at),
    outbox: "empty",
    freed: [],
    resync: { since: answer.cursor, seen: [] },
  });
  return undefined;
}

function takePage(run: Run, page: Page): Stop {
  const { base, replica, merge } = run.ports;
  const { counted } = run;
  if (page.changes.length === 0 && page.next === base.state.cursor && base.state.resync === undefined) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = planPull(page, replica.look(), base.state, merge);
    const removed = [...counted.removedHere, ...plan.removals];
    if (isStopped(run, removed, counted.liveBefore))
      return { outcome: "too-many-removals", where: "here", keys: removed };
    if (plan.forget.size > 0) replica.forget(plan.forget, plan.unsent);
    if (replica.apply(plan.steps, "from sync") === "changed") continue;
    base.write(plan.update);
    counted.removedHere.push(...plan.removals);
    counted.pulled += plan.notes;
    counted.merged.push(...plan.merged);
    counted.conflicts.push(...plan.conflicts);
    counted.held.push(...plan.held);
    counted.toReview.push(...plan.unsent.map(({ key }) => key));
    return undefined;
  }
  return { outcome: "busy" };
}

async function sendOutbox(run: Run): Promise<Stop> {
  const { base, transport } = run.ports;
  const { outbox } = base.state;
  if (outbox === undefined) return undefined;
  const answer = await transport.push(outbox.pushId, outbox.changes);
  if (answer.outcome !== "pushed") return answer;
  settle(run, answer, outbox.pushId);
  return undefined;
}

/** Whether other devices' changes came between, or a name must change. */
function settle(run: Run, answer: Parameters<typeof applyPush>[0], pushId: string): boolean {
  const { base } = run.ports;
  const { state } = base;
  const { outbox } = state;
  // A forget has emptied it in the meantime.
  if (outbox?.pushId !== pushId) return true;
  const applied = applyPush(answer, outbox, state);
  base.write(applied.update);
  run.counted.pushed += applied.pushed.filter((key) => key !== LINES_KEY).length + applied.forgotten;
  for (const one of applied.refused) run.counted.refused.set(one.key, one);
  for (const one of applied.proposed) run.counted.proposed.add(one);
  for (const one of answer.outcomes) if (one.outcome === "stale") run.counted.stale.set(one.key, one.revision);
  for (const key of applied.taken) renameTaken(run, key);
  return applied.isBehind;
}

/** Another note has this name in different case, so ours gets the next free one. */
function renameTaken({ ports: { replica } }: Run, key: string): void {
  const local = replica.look();
  const text = local.text(key);
  const lineage = local.lineage(key);
  if (text === undefined || lineage === undefined) return;
  const to = nextKey(key, (name) => local.hashes.has(name) || local.blocked.has(name));
  replica.apply(
    [
      { kind: "delete", key, seen: text },
      { kind: "create", key: to, text, lineage },
    ],
    "another note has this name in other case",
  );
}

/** `at-head`: everything was accepted and nothing came between, so there is nothing to pull first. */
async function pushAll(run: Run): Promise<RunEnd | "again" | "at-head"> {
  const { base, replica } = run.ports;
  const state = base.state;
  const local = replica.look();
  const unsent = unsentOf(local, state);
  const { refused, proposed } = run.counted;
  const open = withoutRefused(unsent.changes, refused).filter(({ key }) => !proposed.has(key));
  const forgets = unsent.forgets.filter((lineage) => !proposed.has(lineage));
  const checked = await judged(open, run.ports.judge);
  for (const one of checked.refused) refused.set(one.key, one);
  for (const key of local.tooLarge ?? []) refused.set(key, { key, ...TOO_LARGE });
  for (const key of local.notText ?? []) refused.set(key, { key, reason: "text" });
  const removed = removalsOf(unsent.changes);
  if (isStopped(run, removed, liveCount(state))) return { outcome: "too-many-removals", where: "there", keys: removed };
  const batches = batchesOf({ forgets, changes: checked.changes }, run.ports.transport.bytesOf);
  if (batches.length === 0) return { outcome: "done" };
  for (const batch of batches) {
    const stop = await pushBatch(run, batch);
    if (stop === "again") return "again";
    if (stop !== undefined) return stop;
  }
  // Changes made while we sent, here or elsewhere, follow in the next round.
  const { tops, resync } = base.state;
  return tops.length === 0 && resync === undefined ? "at-head" : "again";
}

async function pushBatch(run: Run, batch: readonly Change[]): Promise<Stop | "again"> {
  const { base, transport, newPushId } = run.ports;
  const pushId = newPushId();
  const changes = stillWanted(batch, base.state.dead);
  if (changes.length === 0) return undefined;
  base.write({ outbox: { pushId, changes } });
  const answer = await transport.push(pushId, changes);
  if (answer.outcome !== "pushed") {
    // Denied means that nothing was done. Offline leaves the result unknown, so the same id is sent again.
    if (answer.outcome !== "offline") base.write({ outbox: "empty" });
    return answer;
  }
  return settle(run, answer, pushId) ? "again" : undefined;
}

function stillWanted(batch: readonly Change[], dead: ReadonlySet<string>): readonly Change[] {
  return batch.filter((change) => "forget" in change || !dead.has(change.lineage));
}

function withoutRefused<T extends { readonly key: string; readonly group?: string }>(
  changes: readonly T[],
  refused: ReadonlyMap<string, Refused>,
): readonly T[] {
  const groups = new Set(changes.flatMap(({ key, group }) => (refused.has(key) && group !== undefined ? [group] : [])));
  return changes.filter(({ key, group }) => !refused.has(key) && (group === undefined || !groups.has(group)));
}

/** More removals than allowed, and enough to ask the user. */
function isStopped({ options: { acceptRemovals = 0 } }: Run, { length }: readonly string[], live: number): boolean {
  return length > acceptRemovals && areTooMany(length, live);
}

/** Names that are removed; a note that continues under another name does not count. */
function removalsOf(changes: ReturnType<typeof unsentOf>["changes"]): readonly string[] {
  const live = new Set(changes.flatMap(({ lineage, state }) => (state === "live" ? [lineage] : [])));
  return changes.flatMap(({ key, lineage, state }) => (state === "deleted" && !live.has(lineage) ? [key] : []));
}
