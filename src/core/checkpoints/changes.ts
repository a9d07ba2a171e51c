import type { DirtyFile, GitState } from "./checkpoint.ts";
import { counted } from "../shared/text.ts";

export interface CommitLine {
  readonly commit: string;
  readonly subject: string;
}

/** A commit that is no longer in the current history; `here` is a commit there with the same subject. */
export interface LostCommit extends CommitLine {
  readonly here: string | undefined;
}

/** What changed in a repository since a checkpoint, as far as git can tell. */
export interface RepositoryChanges {
  readonly commits: readonly CommitLine[];
  /** Number of further commits not listed. */
  readonly moreCommits: number;
  /** Commits of the checkpoint's history that are not in the current one: rebased, reset, or on another branch. */
  readonly lost: readonly LostCommit[];
  readonly moreLost: number;
  /** `status path`, between the two commits. */
  readonly files: readonly string[];
  readonly moreFiles: number;
}

/** Reads a repository's current state and what changed since. */
export interface RepositoryState {
  now(): GitState | undefined;
  /** `undefined` when the commit is not known here, or git does not answer. */
  since(commit: string): RepositoryChanges | undefined;
  /** SHA-256 of a file as it is now; `undefined` when it is gone or too large. */
  hash(path: string): string | undefined;
  /** The commit that a local branch points to. */
  branch(name: string): string | undefined;
  /** Whether a commit is in the history of another; `undefined` when git cannot tell. */
  isWithin(commit: string, tip: string): boolean | undefined;
  /** All stash entries, oldest first. */
  stashes(): readonly string[];
  /** State of another worktree of this repository; `undefined` when there is none. */
  elsewhere(checkout: string): GitState | undefined;
}

/** What a resuming agent must know of the repository; empty when nothing changed. */
export function changeLines(then: GitState, now: GitState | undefined, state: RepositoryState): readonly string[] {
  if (now === undefined) return ["there is no git repository here now"];
  const changes = then.commit === undefined || then.commit === now.commit ? undefined : state.since(then.commit);
  const isUnknown = then.commit !== undefined && then.commit !== now.commit && changes === undefined;
  const isElsewhere = isUnknown || (then.checkout !== undefined && then.checkout !== now.checkout);
  return [
    ...branchLines(then, now, state),
    ...(isUnknown
      ? [
          `commit ${short(then.commit)} of the checkpoint is not known here (it was never fetched, or is gone since it was rebased); here is ${short(now.commit)}`,
        ]
      : []),
    ...(changes === undefined ? [] : commitLines(then, now, changes, state)),
    ...(isElsewhere ? elsewhereLines(then, now, state) : dirtyLines(then, now, state)),
    ...stashLines(then, now, state),
  ];
}

function short(commit: string | undefined): string {
  return commit?.slice(0, 10) ?? "no commit";
}

function branchLines(then: GitState, now: GitState, state: RepositoryState): string[] {
  if (then.branch === now.branch) return [];
  const isGone = then.branch !== undefined && now.commit !== undefined && state.branch(then.branch) === undefined;
  return [
    `the branch was ${then.branch ?? "none (detached)"} and is ${now.branch ?? "none (detached)"}${isGone ? `; there is no branch ${then.branch} here now` : ""}`,
  ];
}

function commitLines(then: GitState, now: GitState, changes: RepositoryChanges, state: RepositoryState): string[] {
  const { lost, moreLost, commits, moreCommits, files, moreFiles } = changes;
  const isOn = lost.length === 0;
  return [
    ...(isOn
      ? []
      : [`commit ${short(then.commit)} is not in the present history (${whereabouts(then, now, state)}); not here:`]),
    ...lost.map(
      ({ commit, subject, here }) => `  ${commit} ${subject}${here === undefined ? "" : ` (here as ${here})`}`,
    ),
    ...(moreLost > 0 ? [`  and ${moreLost} more`] : []),
    ...(commits.length === 0
      ? []
      : [
          isOn
            ? `${counted(commits.length + moreCommits, "commit")} since ${short(then.commit)}:`
            : `${counted(commits.length + moreCommits, "commit")} here and not there:`,
        ]),
    ...commits.map(({ commit, subject }) => `  ${commit} ${subject}`),
    ...(moreCommits > 0 ? [`  and ${moreCommits} more`] : []),
    ...(files.length > 0
      ? [`files that differ from then: ${files.join(", ")}${moreFiles > 0 ? ` and ${moreFiles} more` : ""}`]
      : []),
  ];
}

/** Where a commit is that the current history lacks. */
function whereabouts({ branch, commit = "" }: GitState, now: GitState, state: RepositoryState): string {
  const tip = branch === undefined ? undefined : state.branch(branch);
  if (branch === undefined) return "rebased, reset or another branch";
  if (tip === undefined) return `its branch ${branch} is gone`;
  if (branch !== now.branch && state.isWithin(commit, tip) === true) return `it is on ${branch}`;
  return `${branch} was rebased or reset`;
}

function dirtyLines(then: GitState, now: GitState, state: RepositoryState): string[] {
  const dirtyNow = new Set(now.dirty.map(({ path }) => path));
  const was = then.dirty.flatMap((file) => {
    const what = outcomeOf(file, dirtyNow, state);
    return what === undefined ? [] : [`${file.path} was ${file.state} and is ${what}`];
  });
  const before = new Set(then.dirty.map(({ path }) => path));
  const fresh = now.dirty.filter(({ path }) => !before.has(path)).map(({ path, state: how }) => `${path} (${how})`);
  return [
    ...was,
    ...(fresh.length > 0 && then.more === 0 ? [`uncommitted now and not then: ${fresh.join(", ")}`] : []),
  ];
}

function outcomeOf(
  { path, state, hash }: DirtyFile,
  dirtyNow: ReadonlySet<string>,
  repository: RepositoryState,
): string | undefined {
  if (state === "deleted") return dirtyNow.has(path) ? undefined : "there again, or its deletion was committed";
  const now = repository.hash(path);
  if (now === undefined) return hash === undefined ? undefined : "gone";
  if (now !== hash)
    return dirtyNow.has(path) ? "changed further" : "changed: committed after more changes, or taken back";
  return dirtyNow.has(path) ? undefined : "committed as it was";
}

/** Uncommitted changes stay where they were made: in another worktree, or on another machine. */
function elsewhereLines(then: GitState, now: GitState, state: RepositoryState): string[] {
  const there =
    then.checkout === undefined || then.checkout === now.checkout ? undefined : state.elsewhere(then.checkout);
  const place =
    then.checkout === undefined || then.checkout === now.checkout
      ? ""
      : ` (${then.checkout}${there === undefined ? ", which is not to be found from here" : ""})`;
  const isHere = ({ path, hash }: DirtyFile): boolean => hash !== undefined && state.hash(path) === hash;
  const still = new Set(there?.dirty.map(({ path }) => path));
  const left = then.dirty
    .filter((file) => !isHere(file))
    .map(
      ({ path, state: how }) =>
        `${path} (${how}${there === undefined ? "" : still.has(path) ? ", still so" : ", no longer so"})`,
    );
  const same = then.dirty.filter(isHere).map(({ path }) => path);
  return [
    ...(place === "" && left.length === 0 ? [] : [`the checkpoint was saved in another checkout${place}`]),
    ...(left.length > 0
      ? [`uncommitted there and not here: ${left.join(", ")}${then.more > 0 ? ` and ${then.more} more` : ""}`]
      : []),
    ...(same.length > 0 ? [`uncommitted there and the same here: ${same.join(", ")}`] : []),
    ...(now.dirty.length > 0
      ? [
          `uncommitted here: ${now.dirty.map(({ path, state: how }) => `${path} (${how})`).join(", ")}${now.more > 0 ? ` and ${now.more} more` : ""}`,
        ]
      : []),
  ];
}

function stashLines(then: GitState, now: GitState, state: RepositoryState): string[] {
  if (then.stash === undefined || then.stash === now.stash) return [];
  const name = then.stash.slice(0, 10);
  return [
    state.stashes().includes(then.stash)
      ? `stash ${name} is no longer the newest`
      : `stash ${name} is not here: it was applied or dropped, or lies on another machine`,
  ];
}
