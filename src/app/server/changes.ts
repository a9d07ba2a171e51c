import { common, pull, type PullFrom, push } from "../../core/server/pull.ts";
import type { Change, WireCommon, WireMarks, WirePage, WirePushed } from "../../core/sync/protocol.ts";
import { spaceFor } from "./access.ts";
import { type Access, record, denied, NO_SPACE, type Denial, forgetting, type Ground } from "./ports.ts";

/** Devices whose cursor is remembered, so that a pull with nothing new writes nothing. */
const REMEMBERED = 10_000;
const SEEN_AGAIN_MS = 3_600_000;

export interface Changes {
  pull(access: Access, from: PullFrom): Promise<WirePage | Denial>;
  push(access: Access, pushId: string, changes: readonly Change<number>[]): Promise<WirePushed | Denial>;
  common(access: Access, marks: WireMarks): Promise<WireCommon | Denial>;
}

export function changesOf(ground: Ground): Changes {
  const seen = new Map<string, { readonly cursor: number; readonly at: number }>();
  return {
    async pull(access, from) {
      const spaceId = spaceFor(access, "read");
      if (typeof spaceId !== "string") return spaceId;
      const answer = await pull(ground.database.tables, spaceId, from);
      if (answer === undefined) return NO_SPACE;
      if (answer.kind === "history-changed")
        return denied("history-changed", "The space was restored from a backup: start again from a common mark.");
      if (answer.kind === "compacted")
        return denied("compacted", `Deletions before ${answer.floor} are no longer kept: pull from the start.`);
      await noteReplica(ground, seen, access, spaceId, from.cursor);
      const { head, headMark, next, mark, changes } = answer;
      return { head, headMark, next, mark, changes };
    },
    async push(access, pushId, changes) {
      const answer = await pushInto(ground, access, pushId, changes);
      const isForget = changes.some((change) => "forget" in change);
      if ("prev" in answer && !isForget) await noteOwnPush(ground, seen, access, answer);
      return answer;
    },
    async common(access, marks) {
      const spaceId = spaceFor(access, "read");
      if (typeof spaceId !== "string") return spaceId;
      return { seq: await common(ground.database.tables, spaceId, marks) };
    },
  };
}

/** A device sends a cursor only once it has applied it, so receipts know which device has purged what was forgotten. */
async function noteReplica(
  { database, clock }: Ground,
  seen: Map<string, { readonly cursor: number; readonly at: number }>,
  { caller }: Access,
  spaceId: string,
  cursor: number,
): Promise<void> {
  const name = `${spaceId} ${caller.deviceId}`;
  const before = seen.get(name);
  const at = clock.now();
  if (before?.cursor === cursor && at - before.at < SEEN_AGAIN_MS) return;
  await database.tables.seen(spaceId, caller.deviceId, cursor, at);
  if (seen.size >= REMEMBERED) seen.clear();
  seen.set(name, { cursor, at });
}

/**
 * A device that has everything and pushes also has what it pushed; otherwise its own push would leave it behind until
 * its next pull. That it has purged what it forgets is known only from the cursor of a later pull.
 */
async function noteOwnPush(
  ground: Ground,
  seen: Map<string, { readonly cursor: number; readonly at: number }>,
  access: Access,
  { head, prev }: WirePushed,
): Promise<void> {
  const spaceId = spaceFor(access, "write");
  if (typeof spaceId !== "string") return;
  const cursor = seen.get(`${spaceId} ${access.caller.deviceId}`)?.cursor;
  if (cursor === prev.head && head > prev.head) await noteReplica(ground, seen, access, spaceId, head);
}

async function pushInto(
  ground: Ground,
  access: Access,
  pushId: string,
  changes: readonly Change<number>[],
): Promise<WirePushed | Denial> {
  const spaceId = spaceFor(access, "write");
  if (typeof spaceId !== "string") return spaceId;
  const { database, clock, random } = ground;
  const { deviceId, login } = access.caller;
  // The id is per device: two devices that choose the same one do not collide.
  const from = { pushId: `${deviceId}:${pushId}`, deviceId, actor: login, at: clock.now(), mark: random.mark() };
  const pushed = (): ReturnType<typeof push> => push(database.tables, spaceId, changes, from);
  const isForget = changes.some((change) => "forget" in change);
  const answer = await (isForget ? forgetting(ground, pushed) : pushed());
  if (answer === undefined) return NO_SPACE;
  if (answer.kind === "quota") return denied("quota", answer.message);
  if (answer.kind === "too-large")
    return denied("too-large", `The texts of this push have ${answer.bytes} bytes: send fewer at a time.`);
  const { head, mark, prev, outcomes } = answer;
  await noteForgets(ground, access, spaceId, outcomes);
  if (head > prev.head) {
    ground.activity.lastWrite = clock.now();
    ground.activity.writes += 1;
  }
  return { head, mark, prev, outcomes };
}

async function noteForgets(
  ground: Ground,
  access: Access,
  spaceId: string,
  outcomes: WirePushed["outcomes"],
): Promise<void> {
  const forgets = outcomes.flatMap((outcome) => ("forget" in outcome ? [{ spaceId, lineage: outcome.forget }] : []));
  if (forgets.length === 0) return;
  await ground.forgets?.append(forgets);
  await record(ground, access, spaceId, "forget", { lineages: forgets.map(({ lineage }) => lineage) });
}
