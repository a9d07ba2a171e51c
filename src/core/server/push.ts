import { findSecrets } from "../shared/secrets/find-secrets.ts";
import { isSealed, LIMITS, type Change, type WirePushed } from "../sync/protocol.ts";
import { isEntryKey } from "./entry-key.ts";
import { byteLength, foldOf, isForget, judgePush, type PushFrom, type Refused } from "./judge-push.ts";
import { STORE_KIND } from "./memory-names.ts";
import type { LockedSpace, NoteTables, SpaceRow } from "./tables.ts";

export type PushAnswer =
  | ({ readonly kind: "pushed" } & WirePushed)
  | { readonly kind: "too-large"; readonly bytes: number }
  | { readonly kind: "quota"; readonly message: string };

/** Takes the changes of one device into a space, or says of each why not. `undefined`: no such space. */
export async function push(
  tables: NoteTables,
  spaceId: string,
  changes: readonly Change<number>[],
  from: PushFrom,
): Promise<PushAnswer | undefined> {
  const bytes = changes.map((change) => (isForget(change) ? 0 : byteLength(change.body ?? "")));
  const total = bytes.reduce((sum, one) => sum + one, 0);
  // One entry may be larger than a whole push, and then travels alone, but for the sealed removal that a rename needs.
  const beside = total - Math.max(0, ...bytes);
  if (total > LIMITS.pushBytes && beside > LIMITS.besideBytes) return { kind: "too-large", bytes: total };
  return tables.locked(spaceId, (locked) => pushLocked(locked, changes, from));
}

async function pushLocked(
  locked: LockedSpace,
  changes: readonly Change<number>[],
  from: PushFrom,
): Promise<PushAnswer> {
  const { space } = locked;
  const notes = changes.flatMap((change) => (isForget(change) ? [] : [change]));
  const forgets = changes.flatMap((change) => (isForget(change) ? [change.forget] : []));
  const answered = await locked.answered(from.pushId);
  const forgotten = await locked.forgotten([...new Set([...forgets, ...notes.map(({ lineage }) => lineage)])]);
  const entries = await locked.entries({
    keys: notes.map(({ key }) => key),
    folds: [...new Set(notes.map(({ key }) => foldOf(key, space.sealed)))],
    lineages: forgets,
  });
  const refused = refusals(changes, space);
  const verdict = judgePush({ space, answered, forgotten, entries }, changes, refused, from);
  if (verdict.kind === "quota") return { kind: "quota", message: quotaMessage(space, verdict) };
  const { outcomes, write } = verdict;
  if (write !== undefined) await locked.write(write);
  return {
    kind: "pushed",
    head: write?.head ?? space.head,
    mark: write?.mark ?? space.mark,
    prev: { head: space.head, mark: space.mark },
    outcomes,
  };
}

/** What no state of the space could make acceptable. The scan is the client's, again: an old client must not be a way around it. */
function refusals(changes: readonly Change<number>[], space: SpaceRow): ReadonlyMap<number, Refused> {
  const refused = new Map<number, Refused>();
  for (const [place, change] of changes.entries()) {
    if (isForget(change)) continue;
    const { key, body = "" } = change;
    const rule = space.sealed ? undefined : (findSecrets(body)[0] ?? findSecrets(key)[0])?.rule;
    if (space.kind === STORE_KIND || !isEntryKey(key, space.sealed))
      refused.set(place, { outcome: "refused", key, reason: "key" });
    else if (change.state === "live" && space.sealed && !isSealed(body))
      refused.set(place, { outcome: "refused", key, reason: "sealed" });
    else if (byteLength(body) > (space.sealed ? LIMITS.sealedBytes : LIMITS.entryBytes))
      refused.set(place, { outcome: "refused", key, reason: "size" });
    else if (rule !== undefined) refused.set(place, { outcome: "refused", key, reason: "secret", rule });
  }
  return refused;
}

function quotaMessage(
  space: SpaceRow,
  { entries, bytes }: { readonly entries: number; readonly bytes: number },
): string {
  return (
    `The space would hold ${entries} of at most ${space.maxEntries} entries and ${bytes} of at most ` +
    `${space.maxBytes} bytes. Remove notes, or ask the server's owner for more.`
  );
}
