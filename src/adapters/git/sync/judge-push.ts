import type { Lineage } from "../../../core/notes/history.ts";
import {
  type Change,
  foldedKey,
  isSealed,
  LIMITS,
  type NoteChange,
  nameHash,
  NO_REVISION,
  type Outcome,
} from "../../../core/sync/protocol.ts";
import {
  blobOf,
  type DeletedEntry,
  isKey,
  type LiveEntry,
  revisionIn,
  type SpaceTree,
  wantedRevision,
} from "./space-tree.ts";

export interface Verdict {
  readonly outcomes: readonly Outcome[];
  /** The space after the push; the same object if nothing new was accepted. */
  readonly space: SpaceTree;
  readonly hasForgets: boolean;
}

interface Draft {
  readonly live: Map<string, LiveEntry>;
  readonly deleted: Map<string, DeletedEntry>;
  readonly forgotten: Map<Lineage, { readonly day: string; readonly names: readonly string[] }>;
  /** Live keys by their folded form. */
  readonly folded: Map<string, string>;
  isChanged: boolean;
}

/**
 * The effect of a push on a space: first forgets, then deletions, then texts, each compared with its base. If one part
 * of a group is not accepted, the group is removed and everything is judged again without it.
 */
export function judgePush(space: SpaceTree, changes: readonly Change[], today: string, idLike: string): Verdict {
  const failedGroups = new Set<string>();
  for (;;) {
    const draft: Draft = {
      live: new Map(space.live),
      deleted: new Map(space.deleted),
      forgotten: new Map(space.forgotten),
      folded: new Map([...space.live.keys()].map((key) => [foldedKey(key), key])),
      isChanged: false,
    };
    const outcomes = judgeOnce({ draft, today, idLike }, changes, failedGroups);
    const failed = changes.filter(
      (change, at) => groupOf(change) !== undefined && !["done", "group"].includes(outcomes[at]?.outcome ?? ""),
    );
    const before = failedGroups.size;
    for (const change of failed) failedGroups.add(groupOf(change) ?? "");
    if (failedGroups.size > before) continue;
    const after = { ...space, live: draft.live, deleted: draft.deleted, forgotten: draft.forgotten };
    const hasForgets = changes.some((change) => "forget" in change && !space.forgotten.has(change.forget));
    return { outcomes, space: draft.isChanged ? after : space, hasForgets };
  }
}

interface Judging {
  readonly draft: Draft;
  readonly today: string;
  readonly idLike: string;
}

function judgeOnce(judging: Judging, changes: readonly Change[], failedGroups: ReadonlySet<string>): Outcome[] {
  const outcomes: Outcome[] = [];
  const inTurn = [...changes.keys()].toSorted((a, b) => turnOf(changes[a]) - turnOf(changes[b]) || a - b);
  for (const at of inTurn) {
    const change = changes[at];
    if (change === undefined) continue;
    if ("forget" in change) outcomes[at] = forget(judging, change.forget);
    else {
      const verdict = judgeNote(judging, change);
      const isOut = change.group !== undefined && failedGroups.has(change.group) && verdict === "accept";
      if (verdict !== "accept") outcomes[at] = verdict;
      else if (isOut) outcomes[at] = { outcome: "group", key: change.key };
      else outcomes[at] = accept(judging, change);
    }
  }
  return outcomes;
}

function turnOf(change: Change | undefined): number {
  return change === undefined || "forget" in change ? 0 : change.state === "deleted" ? 1 : 2;
}

function groupOf(change: Change): string | undefined {
  return "forget" in change ? undefined : change.group;
}

function forget({ draft, today }: Judging, lineage: Lineage): Outcome {
  if (!draft.forgotten.has(lineage)) {
    const held = [...draft.live, ...draft.deleted].filter(([, entry]) => entry.lineage === lineage);
    for (const [key] of held) {
      remove(draft, key);
      draft.deleted.delete(key);
    }
    draft.forgotten.set(lineage, { day: today, names: held.map(([key]) => nameHash(key)).toSorted() });
    draft.isChanged = true;
  }
  return { outcome: "done", forget: lineage };
}

function judgeNote({ draft, idLike }: Judging, change: NoteChange): "accept" | Outcome {
  const { key, lineage, base, state, body = "" } = change;
  if (!isKey(key)) return { outcome: "refused", key, reason: "key" };
  if (state === "live" && Buffer.byteLength(body) > (isSealed(body) ? LIMITS.sealedBytes : LIMITS.entryBytes))
    return { outcome: "refused", key, reason: "size" };
  if (draft.forgotten.has(lineage)) return { outcome: "forgotten", key };
  const now = revisionIn(draft, key);
  if (now === wantedRevision(change, idLike)) return { outcome: "done", key, revision: now };
  if (now !== base) return { outcome: "stale", key, revision: now };
  const holder = draft.folded.get(foldedKey(key)) ?? key;
  if (state === "live" && holder !== key) return { outcome: "taken", key };
  return "accept";
}

function accept({ draft, today, idLike }: Judging, change: NoteChange): Outcome {
  const { key, lineage, state, body = "" } = change;
  draft.isChanged = true;
  if (state === "deleted") {
    remove(draft, key);
    draft.deleted.set(key, { lineage, day: today, ...(change.was !== undefined && { was: change.was }) });
  } else {
    draft.deleted.delete(key);
    draft.folded.set(foldedKey(key), key);
    draft.live.set(key, { lineage, blob: blobOf(body, idLike), bytes: Buffer.byteLength(body), text: body });
  }
  return { outcome: "done", key, revision: revisionIn(draft, key) || NO_REVISION };
}

function remove({ live, folded }: Draft, key: string): void {
  live.delete(key);
  folded.delete(foldedKey(key));
}
