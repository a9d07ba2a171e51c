import { sha256 } from "../shared/hash.ts";
import { withMark, type BaseEntry, type BaseUpdate, type Outbox, type SyncState } from "./base.ts";
import type { Refused } from "./gates.ts";
import { NO_REVISION, type Change, type NoteChange, type Outcome } from "./protocol.ts";
import type { Cursor, PushAnswer } from "./transport.ts";

export interface AppliedPush {
  readonly update: BaseUpdate;
  readonly pushed: readonly string[];
  readonly refused: readonly Refused[];
  /** Keys and lineages that wait for other people: not to be sent again in this run. */
  readonly proposed: readonly string[];
  /** Keys that another live entry has in other case. */
  readonly taken: readonly string[];
  /** Something was not accepted because of what others did: pull and try again. */
  readonly isBehind: boolean;
}

/** What the answer to a push says about base and cursor. */
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
    // A pull since then knows better.
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
    refused: answer.outcomes.flatMap((outcome) => (outcome.outcome === "refused" ? [refusalOf(outcome)] : [])),
    proposed: answer.outcomes.flatMap((outcome) =>
      outcome.outcome !== "proposed" ? [] : ["key" in outcome ? outcome.key : outcome.forget],
    ),
    taken: answer.outcomes.flatMap((outcome) => (outcome.outcome === "taken" ? [outcome.key] : [])),
    isBehind,
  };
}

/** The cursor may jump to where our own push left the space only when nothing came between, and no forget has names to tell. */
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
  return { key, reason, ...(rule !== undefined && { rule }) };
}
