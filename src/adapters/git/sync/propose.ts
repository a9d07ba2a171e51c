import { counted } from "../../../core/shared/text.ts";
import type { Change, Outcome } from "../../../core/sync/protocol.ts";
import type { PushAnswer } from "../../../core/sync/transport.ts";
import { type Branch, noAnswer, type SyncPlace } from "./branch.ts";
import { judgePush } from "./judge-push.ts";
import type { Talk } from "./network.ts";
import { filesBetween } from "./push.ts";
import { isObjectId, revisionIn, type SpaceTree } from "./space-tree.ts";

/** The page of a host where a person opens a pull request; `undefined` for what is no such host. */
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

/** Changes of one run that other people are asked for. */
export interface Proposals {
  push(changes: readonly Change[]): PushAnswer;
  /** Puts them on the branch of this person, or removes the branch where nothing is left to ask for. */
  finish(): Promise<readonly string[]>;
}

const TIMEOUT_MS = 50_000;

/**
 * The branch of the team is only read. What is here and not there is on a branch of the person's own, made anew from
 * the team's at every run: what was merged is no longer in it, and what was withdrawn neither.
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

/** What the space has already is done; all else waits. */
function proposedIn(space: SpaceTree, outcome: Outcome): Outcome {
  if (outcome.outcome !== "done") return outcome;
  if ("forget" in outcome)
    return space.forgotten.has(outcome.forget) ? outcome : { outcome: "proposed", forget: outcome.forget };
  return revisionIn(space, outcome.key) === outcome.revision ? outcome : { outcome: "proposed", key: outcome.key };
}

/** A pull request needs a branch to go to: the first device of a team makes it, without a note. */
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

async function showBranch(own: OwnBranch, commit: string, count: number): Promise<readonly string[]> {
  const { branch, place, name } = own;
  const { mirror } = branch;
  const page = comparePage(place.remote, place.branch, name);
  const waits = `${counted(count, "change waits", "changes wait")} for the team on ${name}${page === undefined ? "" : `: ${page}`}`;
  const before = mirror.proposed();
  const there = await standOf(own);
  if (typeof there !== "string") return [said(there)];
  if (before !== undefined && there === before && mirror.treeOf(before) === mirror.treeOf(commit)) return [waits];
  const talk = await pushRef(branch, place, `${commit}:refs/heads/${name}`, `refs/heads/${name}:${there}`);
  if (talk.outcome !== "ok") return [`${name} could not be written: ${said(talk)}`];
  mirror.setProposed(commit);
  // What was asked for before and is no longer must not stay on this disk.
  if (before !== undefined) mirror.prune();
  return [waits];
}

async function removeBranch(branch: Branch, place: SyncPlace, name: string): Promise<readonly string[]> {
  const before = branch.mirror.proposed();
  if (before === undefined) return [];
  const there = await standOf({ branch, place, name });
  if (typeof there !== "string") return [said(there)];
  if (there === before) {
    const talk = await pushRef(branch, place, `:refs/heads/${name}`, `refs/heads/${name}:${there}`);
    if (talk.outcome !== "ok") return [`${name} could not be removed: ${said(talk)}`];
  }
  branch.mirror.setProposed(undefined);
  branch.mirror.prune();
  return [];
}

/** Where the person's branch is now; empty where it is not. */
async function standOf({ branch, place, name }: OwnBranch): Promise<string | Exclude<Talk, { outcome: "ok" }>> {
  const talk = await branch.network.talk(
    ["ls-remote", "--quiet", "--", place.remote, `refs/heads/${name}`],
    TIMEOUT_MS,
  );
  if (talk.outcome !== "ok") return talk;
  const id = talk.output.split("\t")[0] ?? "";
  return isObjectId(id) ? id : "";
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
