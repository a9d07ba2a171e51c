import { LIMITS, nameHash, type RemoteEntry, type Revision } from "../../../core/sync/protocol.ts";
import type { Cursor, Page, Pull, PullAnswer, PulledEntry, Transport } from "../../../core/sync/transport.ts";
import { type Branch, openBranch, type SyncPlace, withMirror } from "./branch.ts";
import { openProposals } from "./propose.ts";
import { pushTo } from "./push.ts";
import { isObjectId, revisionIn, type SpaceTree } from "./space-tree.ts";

/** An entry that changed; the text of a live one is read when its page is built. */
interface Changed {
  readonly entry: RemoteEntry;
  readonly blob?: string;
  readonly bytes: number;
}

/**
 * What differs in `to` from `from`, or from any of `since`, which the client knows in part: forgotten entries first, then
 * by lineage, so that renames stay together. A state that came back has the revision that it had before.
 */
function changesBetween(from: SpaceTree, to: SpaceTree, since: readonly SpaceTree[]): readonly Changed[] {
  const liveNames = new Set([...to.live.keys()].map(nameHash));
  const forgotten = [...to.forgotten]
    .filter(([lineage]) => !from.forgotten.has(lineage))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([lineage, { names }]): Changed => ({
      entry: { state: "forgotten", lineage, names: names.filter((name) => !liveNames.has(name)) },
      bytes: 0,
    }));
  const known = [from, ...since];
  const keys = new Set([...to.live.keys(), ...to.deleted.keys(), ...known.flatMap(({ live }) => [...live.keys()])]);
  const others = [...keys].flatMap((key) => changeOf(key, known, to));
  others.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  return [...forgotten, ...others];
}

function changeOf(key: string, known: readonly SpaceTree[], to: SpaceTree): Changed[] {
  const revision = revisionIn(to, key);
  if (known.every((space) => revisionIn(space, key) === revision)) return [];
  const live = to.live.get(key);
  if (live !== undefined) {
    const { lineage, blob, bytes } = live;
    return [{ entry: { state: "live", key, lineage, revision, body: "" }, blob, bytes }];
  }
  // A file removed from the branch by hand leaves no trace in the tree.
  const lineage = (to.deleted.get(key) ?? known.find(({ live: there }) => there.has(key))?.live.get(key))?.lineage;
  if (lineage === undefined || to.forgotten.has(lineage)) return [];
  const was = to.deleted.get(key)?.was;
  return [{ entry: { state: "deleted", key, lineage, revision, ...(was !== undefined && { was }) }, bytes: 0 }];
}

/** Says nothing of the note, since it stays in cursors. */
function orderOf({ entry }: Changed): string {
  return entry.state === "forgotten" ? `0.${entry.lineage}` : `1.${entry.lineage}.${nameHash(entry.key)}`;
}

/** The number of `changes` in a page: at least one, and lineages kept together if possible. */
function pageEnd(changes: readonly Changed[], limit: number): number {
  let bytes = 0;
  let end = 0;
  for (; end < changes.length && end < Math.min(limit, LIMITS.pageEntries); end++) {
    bytes += changes[end]?.bytes ?? 0;
    if (end > 0 && bytes > LIMITS.pageBytes) break;
  }
  let whole = end;
  while (whole > 0 && whole < changes.length && changes[whole]?.entry.lineage === changes[whole - 1]?.entry.lineage)
    whole--;
  return whole > 0 ? whole : end;
}

/** A space on a branch of a repository that the person or the team already has. */
export interface GitRemote extends Transport {
  /**
   * Proposes the run's changes to the team, and returns messages for the person. `isWhole`: the run finished; only then
   * is the list of proposals complete.
   */
  finish(isWhole: boolean): Promise<readonly string[]>;
}

export function openGitRemote(place: SyncPlace): GitRemote {
  const branch = openBranch(place);
  const proposals = place.proposals === undefined ? undefined : openProposals(branch, place, place.proposals);
  return {
    pull: (request) => withMirror(branch, () => pull(branch, request)),
    push: (pushId, changes) =>
      withMirror(branch, async () => proposals?.push(changes) ?? pushTo(branch, place, pushId, changes)),
    read: (key) =>
      withMirror(branch, async () => {
        const look = await branch.look();
        if (look.outcome !== "seen") return look;
        const live = branch.spaceAt(look.head)?.live.get(key);
        const body = live === undefined ? undefined : decode(branch.mirror.blobs([live.blob]).get(live.blob));
        if (live === undefined || body === undefined) return { outcome: "entry", entry: undefined };
        const { lineage, blob } = live;
        return { outcome: "entry", entry: { state: "live", key, lineage, revision: `${blob}.${lineage}`, body } };
      }),
    common: (marks) =>
      withMirror(branch, async () => {
        const look = await branch.look();
        if (look.outcome !== "seen") return look;
        const { head } = look;
        const mark = head === undefined ? undefined : marks.find((one) => isObjectId(one) && branch.isPast(one, head));
        return { outcome: "common", cursor: mark ?? "" };
      }),
    async finish(isWhole) {
      const asked = isWhole ? await proposals?.finish() : undefined;
      return [...(asked ?? []), ...noticesOf(branch, place)];
    },
  };
}

const NAMED = 5;

function noticesOf(branch: Branch, place: SyncPlace): readonly string[] {
  const skipped = branch.mirror.spaceRead(branch.mirror.head() ?? "")?.skipped ?? [];
  return [
    ...(branch.mirror.keepsPast()
      ? [`pending: the past of ${place.branch} still has forgotten notes, because the host allows no forced push`]
      : []),
    ...skipped.slice(0, NAMED).map(({ name, reason }) => `${name} in ${place.branch} is left alone: ${reason}`),
    ...(skipped.length > NAMED ? [`so are ${skipped.length - NAMED} other files`] : []),
  ];
}

/** The end of a page within a longer list of changes: `FROM:TO:ORDER`. */
interface Place {
  readonly from: string | undefined;
  /** The commit at the end of the list; `undefined` for the current branch. */
  readonly to: string | undefined;
  /** `orderOf` of the last change that came. */
  readonly done: string;
}

function placeOf(cursor: Cursor): Place | undefined {
  if (cursor === "") return { from: undefined, to: undefined, done: "" };
  const [from = "", to, done = ""] = cursor.split(":");
  if (from !== "" && !isObjectId(from)) return undefined;
  if (to === undefined) return { from, to, done };
  // Earlier versions counted; a count begins again.
  const isOrder = /^[01]\./u.test(done);
  return isObjectId(to) ? { from: from === "" ? undefined : from, to, done: isOrder ? done : "" } : undefined;
}

async function pull(branch: Branch, request: Pull): Promise<PullAnswer> {
  const place = placeOf(request.cursor);
  branch.standing = place === undefined ? [] : [place.from ?? "", place.to ?? "", ...request.tops];
  const look = await branch.look();
  if (look.outcome !== "seen") return look;
  const { head } = look;
  const claimed = branch.standing.filter((one) => one !== "");
  if (place === undefined || claimed.some((one) => head === undefined || !branch.isPast(one, head)))
    return { outcome: "history-changed" };
  if (head === undefined || request.cursor === head)
    return { outcome: "page", head: head ?? "", next: head ?? "", changes: [] };
  return pageFrom(branch, request, { place, head });
}

function pageFrom(
  branch: Branch,
  { limit, since, tops }: Pull,
  { place, head }: { readonly place: Place; readonly head: string },
): PullAnswer {
  const pinned = place.to === undefined ? undefined : branch.mirror.space(place.to);
  const before = branch.spaceAt(place.from);
  const after = pinned ?? branch.spaceAt(head);
  // Own pushes, and a list that a squash cut off: the client has some of these states.
  const parts = place.from === undefined ? [place.to] : [place.to, ...tops];
  const known = parts.flatMap((commit) => (commit === undefined ? [] : [branch.spaceAt(commit)]));
  if (before === undefined || after === undefined || !known.every((space) => space !== undefined))
    return { outcome: "compacted" };
  const isCutOff = place.to !== undefined && pinned === undefined;
  const all = changesBetween(before, after, known);
  // A list that was cut off comes again, whole.
  const changes = isCutOff ? all : all.filter((change) => orderOf(change) > place.done);
  const end = isCutOff ? changes.length : pageEnd(changes, limit);
  const to = isCutOff ? head : (place.to ?? head);
  const last = changes[end - 1];
  const next = end < changes.length && last !== undefined ? `${place.from ?? ""}:${to}:${orderOf(last)}` : to;
  if (place.from === undefined || branch.mirror.space(place.from) !== undefined)
    branch.listings.keepOnly(place.from ?? "");
  const then = since === undefined ? undefined : branch.spaceAt(since === "" ? undefined : since);
  return {
    outcome: "page",
    head,
    next,
    changes: readPage(branch, changes.slice(0, end)),
    ...(then !== undefined && {
      stoodAtSince: (key: string, revision: Revision) => revision !== "" && revisionIn(then, key) === revision,
    }),
  };
}

function readPage(branch: Branch, page: readonly Changed[]): Page["changes"] {
  const texts = branch.mirror.blobs(page.flatMap(({ blob }) => (blob === undefined ? [] : [blob])));
  return page.flatMap(({ entry, blob }): PulledEntry[] => {
    const body = blob === undefined ? "" : decode(texts.get(blob));
    if (body === undefined) return []; // not UTF-8, so not written by memdir
    return [{ entry: entry.state === "live" ? { ...entry, body } : entry }];
  });
}

function decode(bytes: Buffer | undefined): string | undefined {
  try {
    return bytes === undefined ? undefined : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined; // not UTF-8
    throw error;
  }
}
