import type { DirtyFile, GitState } from "./checkpoint.ts";
import { counted } from "../shared/text.ts";

export interface CommitLine {
  readonly commit: string;
  readonly subject: string;
}

/** What became of a repository since a checkpoint; as far as git could tell. */
export interface RepositoryChanges {
  readonly commits: readonly CommitLine[];
  /** More commits than are named. */
  readonly moreCommits: number;
  /** The checkpoint's commit is not in the history of the present one: rebased, reset, or another branch. */
  readonly diverged: boolean;
  /** `status path`, as between the two commits. */
  readonly files: readonly string[];
  readonly moreFiles: number;
}

/** Reads where a repository stands and what changed since; `undefined` without git. */
export interface RepositoryState {
  now(): GitState | undefined;
  /** `undefined` when the commit is not known here, or git gave no answer. */
  since(commit: string): RepositoryChanges | undefined;
  /** SHA-256 of a file as it is now; `undefined` when it is gone or too large. */
  hash(path: string): string | undefined;
}

/** What an agent that goes on must know of the repository; empty when nothing changed. */
export function changeLines(then: GitState, now: GitState | undefined, state: RepositoryState): readonly string[] {
  if (now === undefined) return ["there is no git repository here now"];
  return [...branchLines(then, now), ...commitLines(then, now, state), ...dirtyLines(then, now, state), ...stashLines(then, now)];
}

function branchLines(then: GitState, now: GitState): string[] {
  if (then.branch === now.branch) return [];
  return [`the branch was ${then.branch ?? "none (detached)"} and is ${now.branch ?? "none (detached)"}`];
}

function commitLines(then: GitState, now: GitState, state: RepositoryState): string[] {
  if (then.commit === now.commit || then.commit === undefined) return [];
  const changes = state.since(then.commit);
  const short = then.commit.slice(0, 10);
  if (changes === undefined) return [`commit ${short} of the checkpoint is not known here; fetch it, or look at the difference by hand`];
  const head = changes.diverged ? `commit ${short} is not in the present history (rebased, reset or another branch)` : `${counted(changes.commits.length + changes.moreCommits, "commit")} since ${short}`;
  return [
    `${head}:`,
    ...changes.commits.map(({ commit, subject }) => `  ${commit} ${subject}`),
    ...(changes.moreCommits > 0 ? [`  and ${changes.moreCommits} more`] : []),
    ...(changes.files.length > 0 ? [`files that differ from then: ${changes.files.join(", ")}${changes.moreFiles > 0 ? ` and ${changes.moreFiles} more` : ""}`] : []),
  ];
}

function dirtyLines(then: GitState, now: GitState, state: RepositoryState): string[] {
  const dirtyNow = new Set(now.dirty.map(({ path }) => path));
  const was = then.dirty.flatMap((file) => {
    const what = fateOf(file, dirtyNow, state);
    return what === undefined ? [] : [`${file.path} was ${file.state} and is ${what}`];
  });
  const before = new Set(then.dirty.map(({ path }) => path));
  const fresh = now.dirty.filter(({ path }) => !before.has(path)).map(({ path, state: how }) => `${path} (${how})`);
  return [...was, ...(fresh.length > 0 && then.more === 0 ? [`uncommitted now and not then: ${fresh.join(", ")}`] : [])];
}

function fateOf({ path, state, hash }: DirtyFile, dirtyNow: ReadonlySet<string>, repository: RepositoryState): string | undefined {
  if (state === "deleted") return dirtyNow.has(path) ? undefined : "there again, or its deletion was committed";
  const now = repository.hash(path);
  if (now === undefined) return hash === undefined ? undefined : "gone";
  if (now !== hash) return dirtyNow.has(path) ? "changed further" : "changed: committed after more changes, or taken back";
  return dirtyNow.has(path) ? undefined : "committed as it was";
}

function stashLines(then: GitState, now: GitState): string[] {
  if (then.stash === undefined || then.stash === now.stash) return [];
  return [now.stash === undefined ? `stash ${then.stash.slice(0, 10)} is gone: it was applied or dropped` : `stash ${then.stash.slice(0, 10)} is no longer the newest`];
}
