import type { BranchFact, TreeFacts, TreeQuery, WorkingTree } from "../../core/notes/claims/claim.ts";
import { openAnswerCache } from "./cache.ts";
import { branchesOnceCheckedOut, branchRefs, findCheckout, type GitPlace, hasPlainRefs } from "./checkout.ts";
import { listFiles, listTracked, type Look, type TrackedFile } from "./history.ts";
import { manifestFacts } from "./manifests.ts";
import { pathFacts } from "./paths.ts";
import { type AskGit, plainGit } from "./plain-git.ts";
import { isSeen, wordFacts } from "./words.ts";

export interface WorkingTreeParts {
  /** The person's directory. */
  readonly cwd: string;
  /** The file in which git's answers about the tree with this root are cached. */
  readonly cacheFile: (root: string) => string;
  /** Path prefix of an empty repository in which git is run. */
  readonly emptyRepository: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number;
}

/** The real files and the real git, within a time limit. */
export function openWorkingTree(parts: WorkingTreeParts): WorkingTree {
  return {
    ask(query, budgetMs) {
      if (budgetMs <= 0) return { ...NOTHING, outOfTime: true };
      const deadline = parts.elapsedMs() + budgetMs;
      const look = begin(parts, budgetMs, () => deadline - parts.elapsedMs());
      const paths = pathFacts(look, query.paths);
      const manifests = manifestFacts(look, query.scripts, query.packages);
      const branches = branchFacts(look, query.branches);
      const words = wordFacts(look, query.words);
      look.cache.save();
      const outOfTime = parts.elapsedMs() >= deadline;
      return { paths, words, branches, ...manifests, outOfTime } satisfies TreeFacts;
    },
    files(budgetMs) {
      const deadline = parts.elapsedMs() + budgetMs;
      return listFiles(begin(parts, budgetMs, () => deadline - parts.elapsedMs()).git);
    },
  };
}

const NOTHING: TreeFacts = {
  paths: new Map(),
  words: new Map(),
  scripts: new Map(),
  packages: new Map(),
  branches: new Map(),
};

const NO_GIT: AskGit = () => undefined;

function begin(parts: WorkingTreeParts, budgetMs: number, remainingMs: () => number): Look {
  const checkout = findCheckout(parts.cwd);
  const { git: place } = checkout;
  const git =
    place === undefined
      ? NO_GIT
      : plainGit({ ...checkout, git: place }, parts.emptyRepository, parts.environment, remainingMs);
  let listed: { readonly files: readonly TrackedFile[] | undefined } | undefined;
  return {
    checkout,
    git,
    head: place?.head,
    cache: openAnswerCache(parts.cacheFile(checkout.root), stateOf(place), isSeen),
    budgetMs,
    tracked: () => (listed ??= { files: listTracked(git) }).files,
  };
}

/** The commit and the index, on which all of git's answers depend, apart from answers that depend on a file. */
function stateOf(place: GitPlace | undefined): string {
  return place === undefined
    ? "no git"
    : `${place.head ?? "no commit"} ${place.indexStamp} ${place.shallow ? "shallow" : "whole"}`;
}

/** A branch is called former only if this checkout's own log shows that it was checked out. */
function branchFacts({ checkout: { git } }: Look, wanted: TreeQuery["branches"]): Map<string, BranchFact> {
  if (git === undefined || wanted.length === 0 || !hasPlainRefs(git)) return new Map();
  const refs = branchRefs(git);
  const known = new Set(
    [...refs].flatMap((ref) => {
      const [, local, remote, tracking] = /^refs\/(?:heads\/(.+)|remotes\/([^/]+)\/(.+))$/u.exec(ref) ?? [];
      return local !== undefined ? [local] : tracking === undefined ? [] : [tracking, `${remote ?? ""}/${tracking}`];
    }),
  );
  const once = branchesOnceCheckedOut(git);
  return new Map(
    wanted.flatMap((name): [string, BranchFact][] =>
      known.has(name) ? [[name, { state: "here" }]] : once.has(name) ? [[name, { state: "former" }]] : [],
    ),
  );
}
