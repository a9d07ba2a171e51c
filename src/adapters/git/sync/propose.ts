import { counted } from "../../../core/shared/text.ts";
import type { Change, Outcome } from "../../../core/sync/protocol.ts";
import type { PushAnswer } from "../../../core/sync/transport.ts";
import type { Branch, SyncPlace } from "./branch.ts";
import { judgePush } from "./judge-push.ts";
import { noAnswer, type Talk } from "./network.ts";
import { filesBetween } from "./push.ts";
import { isObjectId, revisionIn, type SpaceTree } from "./space-tree.ts";

/** The host's page for opening a pull request; `undefined` if the address has no such page. */
function comparePage(remote: string, into: string, from: string): string | undefined {
  const place = placeOf(remote);
  if (place === undefined) return undefined;
  const page = `https://${place.host}/${place.repository}`;
  if (/gitlab/iu.test(place.host)) {
    const question = new URLSearchParams({
      "merge_request[source_branch]": from,
      "merge_request[target_branch]": into,
    });
    return `${page}/-/merge_requests/new?${question}`;
  }
  if (/bitbucket/iu.test(place.host))
    return `${page}/pull-requests/new?${new URLSearchParams({ source: from, dest: into })}`;
  return `${page}/compare/${encodeURI(into)}...${encodeURI(from)}?expand=1`;
}

/** `git@host:owner/name.git`, `ssh://git@host:22/owner/name`, `https://host/owner/name.git`. */
function placeOf(remote: string): { readonly host: string; readonly repository: string } | undefined {
  const url = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/iu.exec(remote);
  const scp = /^(?:[^@/:]+@)?([^/:]+\.[^/:]+):(?!\/\/)(.+)$/u.exec(remote);
  const [, host, repository] = url ?? scp ?? [];
  if (host === undefined || repository === undefined) return undefined;
  return { host, repository: repository.replace(/^\/+|\/+$/gu, "").replace(/\.git$/u, "") };
}

/** Changes of one run that are proposed to other people. */
export interface Proposals {
  push(changes: readonly Change[]): PushAnswer;
  /** Puts the changes on this device's branch, or removes the branch if nothing is left to propose. */
  finish(): Promise<readonly string[]>;
}

const TIMEOUT_MS = 50_000;

/**
 * The team's branch is only read. Changes that it lacks are on this device's own branch, which is created again from
 * the team's branch in every run, so that it no longer contains merged or withdrawn changes. `name` is the branch of a
 * person's first device; further devices use `name-2`, `name-3`.
 */
export function openProposals(branch: Branch, place: SyncPlace, name: string): Proposals {
  const asked: Change[] = [];
  const today = (): string => new Date(place.clock.now()).toISOString();
  const space = (): SpaceTree | undefined => branch.spaceAt(branch.mirror.head());
  return {
    push(changes) {
      const head = branch.mirror.head() ?? "";
      const now = space();
      if (now === undefined) return { outcome: "offline", message: `commit ${head} cannot be read` };
      const { outcomes } = judgePush(now, changes, today().slice(0, 10), head);
      const answers = outcomes.map((outcome) => proposedIn(now, outcome));
      asked.push(...changes.filter((_, at) => answers[at]?.outcome === "proposed"));
      return { outcome: "pushed", prev: head, head, outcomes: answers };
    },
    async finish() {
      const refused = await makeTeamBranch(branch, place);
      if (refused !== undefined) return [refused];
      const [head, now] = [branch.mirror.head(), space()];
      if (head === undefined || now === undefined) return [];
      const verdict = judgePush(now, asked, today().slice(0, 10), head);
      const count = verdict.outcomes.filter(({ outcome }) => outcome === "done").length;
      if (verdict.space === now) return removeBranch(branch, place, name);
      const commit = branch.mirror.write({
        onto: head,
        isRoot: false,
        ...filesBetween(now, verdict.space, today()),
        message: `memdir: ${counted(count, "change")} to agree on\n`,
        seconds: Math.floor(place.clock.now() / 1000),
      });
      return showBranch({ branch, place, name }, commit, count);
    },
  };
}

/** Changes that the space already has are done; all others wait. */
function proposedIn(space: SpaceTree, outcome: Outcome): Outcome {
  if (outcome.outcome !== "done") return outcome;
  if ("forget" in outcome)
    return space.forgotten.has(outcome.forget) ? outcome : { outcome: "proposed", forget: outcome.forget };
  return revisionIn(space, outcome.key) === outcome.revision ? outcome : { outcome: "proposed", key: outcome.key };
}

/** A pull request needs a target branch: the first device of a team creates it, without notes. */
async function makeTeamBranch(branch: Branch, place: SyncPlace): Promise<string | undefined> {
  if (branch.mirror.head() !== undefined) return undefined;
  const draft = { onto: undefined, isRoot: true, put: new Map(), remove: [], message: "memdir: notes of the team\n" };
  const commit = branch.mirror.write({ ...draft, seconds: Math.floor(place.clock.now() / 1000) });
  const talk = await pushRef(branch, place, `${commit}:${branch.ref}`, `${branch.ref}:`);
  if (talk.outcome === "ok") branch.mirror.setHead(commit);
  return talk.outcome === "ok" || talk.outcome === "moved"
    ? undefined
    : `${place.branch} could not be made: ${said(talk)}`;
}

interface OwnBranch {
  readonly branch: Branch;
  readonly place: SyncPlace;
  readonly name: string;
}

/** A branch of the person that this device may write, and its commit; `""` if the branch is to be created. */
interface Stand {
  readonly name: string;
  readonly there: string;
}

/** How often to try if another device takes the name first. */
const ATTEMPTS = 3;

async function showBranch(own: OwnBranch, commit: string, count: number): Promise<readonly string[]> {
  const { mirror } = own.branch;
  for (let attempt = 1; ; attempt++) {
    const stand = await standOf(own);
    if ("outcome" in stand) return [said(stand)];
    const { name, there } = stand;
    const page = comparePage(own.place.remote, own.place.branch, name);
    const waits = `${counted(count, "change waits", "changes wait")} for the team on ${name}${page === undefined ? "" : `: ${page}`}`;
    if (there !== "" && mirror.treeOf(there) === mirror.treeOf(commit)) return [waits];
    const before = mirror.proposed();
    // If the answer is lost, the branch is still recognised as this device's own.
    mirror.setProposing(commit);
    const talk = await pushRef(own.branch, own.place, `${commit}:refs/heads/${name}`, `refs/heads/${name}:${there}`);
    if (talk.outcome === "moved" && attempt < ATTEMPTS) continue;
    if (talk.outcome !== "ok") return [`${name} could not be written: ${said(talk)}`];
    mirror.setProposed(commit);
    mirror.setProposing(undefined);
    // Changes proposed before and since withdrawn must not stay on this disk.
    if (before !== undefined) mirror.prune();
    return [waits];
  }
}

async function removeBranch(branch: Branch, place: SyncPlace, name: string): Promise<readonly string[]> {
  const { mirror } = branch;
  if (mirror.proposed() === undefined && mirror.proposing() === undefined) return [];
  const stand = await standOf({ branch, place, name });
  if ("outcome" in stand) return [said(stand)];
  if (stand.there !== "") {
    const ref = `refs/heads/${stand.name}`;
    const talk = await pushRef(branch, place, `:${ref}`, `${ref}:${stand.there}`);
    if (talk.outcome !== "ok") return [`${stand.name} could not be removed: ${said(talk)}`];
  }
  mirror.setProposed(undefined);
  mirror.prune();
  return [];
}

/**
 * Finds this device's branch among the person's branches: the one at the commit that this device put there, otherwise
 * the first free name. Branches proposed by the person's other devices or edited by hand are left alone.
 */
async function standOf({ branch, place, name }: OwnBranch): Promise<Stand | Exclude<Talk, { outcome: "ok" }>> {
  const { mirror, network } = branch;
  const patterns = [`refs/heads/${name}`, `refs/heads/${name}-*`];
  const talk = await network.talk(["ls-remote", "--quiet", "--", place.remote, ...patterns], TIMEOUT_MS);
  if (talk.outcome !== "ok") return talk;
  const held = talk.output.split("\n").flatMap((line): readonly Stand[] => {
    const [there = "", ref = ""] = line.split("\t");
    return isObjectId(there) ? [{ name: ref.trim().replace("refs/heads/", ""), there }] : [];
  });
  const proposing = mirror.proposing();
  if (proposing !== undefined && held.some(({ there }) => there === proposing)) mirror.setProposed(proposing);
  mirror.setProposing(undefined);
  const before = mirror.proposed();
  const names = new Set(held.map((one) => one.name));
  const free = (at: number): string => (at === 1 ? name : `${name}-${at}`);
  let at = 1;
  while (names.has(free(at))) at += 1;
  return held.find(({ there }) => there === before) ?? { name: free(at), there: "" };
}

function pushRef(branch: Branch, place: SyncPlace, what: string, lease: string): Promise<Talk> {
  return branch.network.talk(
    ["push", "--quiet", "--porcelain", "--no-verify", `--force-with-lease=${lease}`, "--", place.remote, what],
    TIMEOUT_MS,
  );
}

function said(talk: Exclude<Talk, { readonly outcome: "ok" }>): string {
  const answer = noAnswer(talk);
  return answer.message;
}
