import { counted } from "../../../core/shared/text.ts";
import { setTimeout as wait } from "node:timers/promises";
import { sha256 } from "../../../core/shared/hash.ts";
import type { Change, Outcome } from "../../../core/sync/protocol.ts";
import type { PushAnswer } from "../../../core/sync/transport.ts";
import type { Branch, Look, SyncPlace } from "./branch.ts";
import { noAnswer } from "./network.ts";
import { judgePush } from "./judge-push.ts";
import { type Content, filesOf, revisionIn, type SpaceTree, wantedRevision } from "./space-tree.ts";

const ATTEMPTS = 8;
const PUSH_TIMEOUT_MS = 50_000;
/** How many commits a squash keeps known; a client whose last commit is older has to join again. */
const PAST_COMMITS = 5000;
/** How many push ids a squash keeps known: a device that was cut off meanwhile learns that its push was accepted. */
const KNOWN_PUSHES = 500;
const PUSH_LINE = /^Memdir-Push: ([0-9a-f]{24}) ([0-9a-f]*) (all|[0-9a-f,]*)$/gmu;

/** Pushes one commit onto the branch as last seen; if others pushed first, retries on the current branch. */
export async function pushTo(
  branch: Branch,
  place: SyncPlace,
  pushId: string,
  changes: readonly Change[],
): Promise<PushAnswer> {
  let mayForce = true;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const look: Look =
      attempt > 0 || branch.mirror.head() === undefined
        ? await branch.look()
        : { outcome: "seen", head: branch.mirror.head() };
    if (look.outcome !== "seen") return look;
    const answer = await pushOnto(branch, place, { head: look.head, pushId, changes, mayForce });
    if (answer === "no-force") mayForce = false;
    else if (answer !== "moved") return answer;
    else await wait(Math.random() * 50 * attempt);
  }
  return { outcome: "offline", message: "others changed the branch at every attempt; the next sync tries again" };
}

interface Attempt {
  readonly head: string | undefined;
  readonly pushId: string;
  readonly changes: readonly Change[];
  /** Whether a forced push may be tried. */
  readonly mayForce: boolean;
}

async function pushOnto(
  branch: Branch,
  place: SyncPlace,
  { head, pushId, changes, mayForce }: Attempt,
): Promise<PushAnswer | "moved" | "no-force"> {
  const space = branch.spaceAt(head);
  if (space === undefined) return { outcome: "offline", message: `commit ${head ?? ""} cannot be read` };
  const known = head === undefined ? [] : knownPushes(branch, head);
  const id = sha256(pushId).slice(0, 24);
  const earlier = known.find((one) => one.id === id);
  const like = head ?? "";
  if (earlier !== undefined) return answerAgain(space, changes, earlier, like);
  const today = new Date(place.clock.now()).toISOString();
  const verdict = judgePush(space, changes, today.slice(0, 10), like);
  if (verdict.space === space) return { outcome: "pushed", prev: like, head: like, outcomes: verdict.outcomes };
  const isPurge = head !== undefined && (verdict.hasForgets || space.returned.length > 0);
  const isRoot = isPurge && mayForce;
  const next = isRoot ? withPast(verdict.space, branch, head) : verdict.space;
  const commit = branch.mirror.write({
    onto: head,
    isRoot,
    ...filesBetween(space, next, today),
    message: messageOf(changes, verdict.outcomes, {
      id,
      prev: like,
      kept: isRoot ? known.slice(0, KNOWN_PUSHES) : [],
      like,
    }),
    seconds: Math.floor(place.clock.now() / 1000),
  });
  const pushed = await branch.network.talk(
    [
      "push",
      "--quiet",
      "--porcelain",
      "--no-verify",
      `--force-with-lease=${branch.ref}:${like}`,
      "--",
      place.remote,
      // The lease allows the branch to be replaced; a `+` would do so regardless of newer pushes by others.
      `${commit}:${branch.ref}`,
    ],
    PUSH_TIMEOUT_MS,
  );
  if (pushed.outcome === "moved") return "moved";
  if (pushed.outcome === "rejected" && isRoot) return "no-force";
  if (pushed.outcome !== "ok") return noAnswer(pushed);
  if (isPurge) branch.mirror.setKeepsPast(!isRoot);
  if (isRoot) branch.adopt(commit, branch.standing);
  else branch.mirror.setHead(commit);
  return { outcome: "pushed", prev: like, head: commit, outcomes: verdict.outcomes };
}

/** The files that a commit writes and removes to turn `before` into `after`. */
export function filesBetween(
  before: SpaceTree,
  after: SpaceTree,
  today: string,
): { readonly put: ReadonlyMap<string, Content>; readonly remove: readonly string[] } {
  const [old, next] = [filesOf(before, today), filesOf(after, today)];
  return {
    put: new Map([...next].filter(([file, content]) => !isSame(old.get(file), content))),
    remove: [...[...old.keys()].filter((file) => !next.has(file)), ...before.returned],
  };
}

function withPast(space: SpaceTree, branch: Branch, head: string): SpaceTree {
  const commits = branch.mirror.ancestors(head).toReversed();
  return { ...space, past: [...space.past, ...commits].slice(-PAST_COMMITS) };
}

function isSame(before: Content | undefined, after: Content): boolean {
  if (before === undefined) return false;
  return "blob" in before
    ? "blob" in after && before.blob === after.blob
    : "text" in after && before.text === after.text;
}

interface KnownPush {
  readonly id: string;
  /** The commit of the branch before it. */
  readonly prev: string;
  /** The accepted changes: `all`, or the `markOf` of each, separated by commas. */
  readonly done: string;
  readonly commit: string;
}

/** The pushes recorded in commit messages; a squash repeats the last ones. */
function knownPushes(branch: Branch, head: string): readonly KnownPush[] {
  return branch.mirror
    .messages(head)
    .flatMap(({ commit, message }) =>
      [...message.matchAll(PUSH_LINE)].map(([, id = "", prev = "", done = ""]) => ({ id, prev, done, commit })),
    );
}

/** Tells people on the host how much changed, without names, since those of forgotten notes would remain there. */
function messageOf(
  changes: readonly Change[],
  outcomes: readonly Outcome[],
  {
    id,
    prev,
    kept,
    like,
  }: { readonly id: string; readonly prev: string; readonly kept: readonly KnownPush[]; readonly like: string },
): string {
  const accepted = changes.filter((_, at) => outcomes[at]?.outcome === "done");
  const done = accepted.length === changes.length ? "all" : accepted.map((change) => markOf(change, like)).join(",");
  const lines = [{ id, prev, done }, ...kept].map((one) => `Memdir-Push: ${one.id} ${one.prev} ${one.done}\n`);
  return `memdir: ${counted(accepted.length, "change")}\n\n${lines.join("")}`;
}

/** Identifies one change in a message without revealing it. */
function markOf(change: Change, like: string): string {
  const what = "forget" in change ? change.forget : `${change.key}\0${wantedRevision(change, like)}`;
  return sha256(what).slice(0, 8);
}

/** Repeats the first answer as far as it is still known: accepted changes stay accepted. */
function answerAgain(space: SpaceTree, changes: readonly Change[], earlier: KnownPush, like: string): PushAnswer {
  const marks = new Set(earlier.done.split(","));
  const outcomes = changes.map((change): Outcome => {
    if ("forget" in change) return { outcome: "done", forget: change.forget };
    const { key, lineage } = change;
    if (earlier.done === "all" || marks.has(markOf(change, like)))
      return { outcome: "done", key, revision: wantedRevision(change, like) };
    if (space.forgotten.has(lineage)) return { outcome: "forgotten", key };
    return { outcome: "stale", key, revision: revisionIn(space, key) };
  });
  return { outcome: "pushed", prev: earlier.prev, head: earlier.commit, outcomes };
}
