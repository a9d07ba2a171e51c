import {
  type Change,
  isSealed,
  LIMITS,
  type RemoteEntry,
  removedId,
  type WireMarks,
  type WirePage,
  type WirePushed,
} from "../sync/protocol.ts";
import { STORE_KIND, isEntryKey } from "./memory-names.ts";
import type { EntryWithBody, LockedSpace, NoteTables, SpaceRow } from "./tables.ts";
import { findSecrets } from "../shared/secrets/find-secrets.ts";
import { byteLength, foldOf, isForget, judgePush, type PushFrom, type Refused } from "./judge-push.ts";

type PushAnswer =
  | ({ readonly kind: "pushed" } & WirePushed)
  | { readonly kind: "too-large"; readonly bytes: number }
  | { readonly kind: "quota"; readonly message: string };

/** Applies one device's changes to a space, or says for each why not. `undefined`: no such space. */
export async function push(
  tables: NoteTables,
  spaceId: string,
  changes: readonly Change<number>[],
  from: PushFrom,
): Promise<PushAnswer | undefined> {
  const bytes = changes.map((change) => (isForget(change) ? 0 : byteLength(change.body ?? "")));
  const total = bytes.reduce((sum, one) => sum + one, 0);
  // One entry may exceed a whole push and then travels alone, except for the sealed removal that a rename needs.
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

/** Changes that are never acceptable. Repeats the client's secret scan, so that an old client cannot bypass it. */
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

export interface PullFrom {
  readonly cursor: number;
  readonly mark: string;
  /** The highest number that this client got in any answer, with its mark; 0 for none. */
  readonly top: number;
  readonly topMark: string;
  readonly limit: number;
}

export type PullAnswer =
  | ({ readonly kind: "page" } & WirePage)
  /** The client's state is not in this server's history: the server was restored from a backup. */
  | { readonly kind: "history-changed" }
  /** Tombstones after the cursor were dropped. */
  | { readonly kind: "compacted"; readonly floor: number };

/** Changes of a space after a cursor, each entry in its current state. `undefined`: no such space. */
export async function pull(tables: NoteTables, spaceId: string, from: PullFrom): Promise<PullAnswer | undefined> {
  const { cursor, top } = from;
  const standing = await tables.standing(spaceId, cursor, Math.max(cursor, top));
  if (standing === undefined) return undefined;
  const { space, cursorMark, topMark } = standing;
  if (space.kind === STORE_KIND) return undefined;
  if (cursor > space.head || top > space.head) return { kind: "history-changed" };
  if (cursor > 0 && cursor < space.floor) return { kind: "compacted", floor: space.floor };
  if (cursor > 0 && cursorMark !== from.mark) return { kind: "history-changed" };
  if (top > cursor && top >= space.floor && topMark !== from.topMark) return { kind: "history-changed" };
  const { head, mark: headMark } = space;
  if (cursor === head) return { kind: "page", head, headMark, next: cursor, mark: headMark, changes: [] };
  const { limit, whole } = await pageLength(tables, spaceId, from, head);
  const rows = await tables.changes(spaceId, cursor, head, limit);
  const last = rows.at(-1);
  const page = { kind: "page", head, headMark, changes: rows.map(remoteEntry) } as const;
  if (whole || last === undefined) return { ...page, next: head, mark: headMark };
  return { ...page, next: last.seq, mark: last.mark };
}

/** Number of entries that fit into the page, at least one, and whether these are all. */
async function pageLength(
  tables: NoteTables,
  spaceId: string,
  { cursor, limit }: PullFrom,
  head: number,
): Promise<{ readonly limit: number; readonly whole: boolean }> {
  const wanted = Math.max(1, Math.min(limit, LIMITS.pageEntries));
  // One more, to know whether this is the last page.
  const sizes = await tables.sizes(spaceId, cursor, head, wanted + 1);
  let bytes = 0;
  let fitting = 0;
  for (const { size } of sizes.slice(0, wanted)) {
    bytes += size;
    if (fitting > 0 && bytes > LIMITS.pageBytes) break;
    fitting += 1;
  }
  return { limit: Math.max(1, fitting), whole: fitting === sizes.length };
}

export function remoteEntry(row: EntryWithBody): RemoteEntry<number> {
  const { key, lineage, seq: revision, state } = row;
  const text = row.body === undefined ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(row.body);
  if (state === "forgotten") return { state, lineage, names: parseNames(text) };
  const who = { by: row.actor, at: new Date(row.at).toISOString() };
  return state === "live"
    ? { state, key, lineage, revision, body: text, ...who }
    : { state, key, lineage, revision, ...(row.was !== undefined && { was: removedId(row.was) }), ...who };
}

function parseNames(text: string): readonly string[] {
  const names: unknown = text === "" ? [] : JSON.parse(text);
  return Array.isArray(names) ? names.map(String) : [];
}

/** The highest of a client's marks that is in the space's history; 0 when none is. */
export async function common(tables: NoteTables, spaceId: string, { marks }: WireMarks): Promise<number> {
  const known = await tables.marks(
    spaceId,
    marks.map(({ seq }) => seq),
  );
  return marks.reduce((highest, { seq, mark }) => (known.get(seq) === mark ? Math.max(highest, seq) : highest), 0);
}
