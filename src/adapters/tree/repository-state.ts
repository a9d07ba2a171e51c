import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { CommitLine, RepositoryChanges, RepositoryState } from "../../core/checkpoints/changes.ts";
import type { DirtyFile, GitState } from "../../core/checkpoints/checkpoint.ts";
import { findCheckout, type GitPlace, readSmall, refTarget } from "./checkout.ts";
import { type AskGit, plainGit } from "./plain-git.ts";

export interface RepositoryStateParts {
  readonly cwd: string;
  /** Path prefix of an empty repository in which git is run. */
  readonly emptyRepository: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const BUDGET_MS = 5_000;
const MOST_DIRTY = 100;
const MOST_COMMITS = 20;
const MOST_FILES = 40;
const MOST_LOST = 5;
const LARGEST_BYTES = 32 << 20;

const NO_REPOSITORY: RepositoryState = {
  now: () => undefined,
  since: () => undefined,
  hash: () => undefined,
  branch: () => undefined,
  isWithin: () => undefined,
  stashes: () => [],
  elsewhere: () => undefined,
};

/** The current checkout, read with git in a way that runs nothing configured in the repository. */
export function openRepositoryState({ cwd, emptyRepository, environment }: RepositoryStateParts): RepositoryState {
  const checkout = findCheckout(cwd);
  const { git: place, root } = checkout;
  if (place === undefined) return NO_REPOSITORY;
  const deadline = performance.now() + BUDGET_MS;
  const git = plainGit({ ...checkout, git: place }, emptyRepository, environment, () => deadline - performance.now());
  return {
    now: () => present(git, place, root),
    since: (commit) =>
      /^[0-9a-f]{7,64}$/u.test(commit) && place.head !== undefined ? changesSince(git, commit, place.head) : undefined,
    hash: (file) => hashOf(root, file),
    branch: (name) => (name.includes("..") ? undefined : refTarget(place, `refs/heads/${name}`)),
    isWithin(commit, tip) {
      const beyond = git(["rev-list", "--count", `${tip}..${commit}`]);
      return beyond?.complete === true ? beyond.text.trim() === "0" : undefined;
    },
    stashes: () =>
      linesOf(readSmall(path.join(place.common, "logs", "refs", "stash"))).flatMap(
        (line) => /^[0-9a-f]+ ([0-9a-f]{40,64}) /u.exec(line)?.[1] ?? [],
      ),
    elsewhere: (directory) =>
      isSameRepository(directory, place)
        ? openRepositoryState({ cwd: directory, emptyRepository, environment }).now()
        : undefined,
  };
}

/** Whether a directory is another worktree of this repository; false if the directory no longer exists. */
function isSameRepository(directory: string, { common }: GitPlace): boolean {
  if (!path.isAbsolute(directory) || fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true)
    return false;
  const other = findCheckout(directory).git?.common;
  return other !== undefined && fs.realpathSync(other) === fs.realpathSync(common);
}

function present(git: AskGit, place: GitPlace, root: string): GitState {
  const branch = /^ref: refs\/heads\/(.+)$/mu.exec(readSmall(path.join(place.own, "HEAD")))?.[1]?.trim();
  const all = dirtyFiles(git, place, root);
  return {
    commit: place.head,
    branch,
    stash: refTarget(place, "refs/stash"),
    checkout: root,
    dirty: all.slice(0, MOST_DIRTY),
    more: Math.max(0, all.length - MOST_DIRTY),
  };
}

const STATES: Readonly<Record<string, DirtyFile["state"]>> = { A: "added", D: "deleted" };

function dirtyFiles(git: AskGit, place: GitPlace, root: string): DirtyFile[] {
  const changed =
    place.head === undefined
      ? undefined
      : git([
          "diff",
          "--name-status",
          "-z",
          "--no-renames",
          "--no-ext-diff",
          "--no-textconv",
          "--ignore-submodules=all",
          place.head,
          "--",
        ]);
  const words = (changed?.text ?? "").split("\0");
  const out: DirtyFile[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [letter = "", file = ""] = [words[i]?.trim(), words[i + 1]];
    if (file !== "")
      out.push({
        path: file,
        state: STATES[letter] ?? "modified",
        hash: letter === "D" ? undefined : hashOf(root, file),
      });
  }
  const untracked = git(["ls-files", "--others", "--exclude-standard", "-z"]);
  for (const file of (untracked?.text ?? "").split("\0").filter((name) => name !== ""))
    out.push({ path: file, state: "untracked", hash: hashOf(root, file) });
  return out;
}

function changesSince(git: AskGit, commit: string, head: string): RepositoryChanges | undefined {
  const known = git(["cat-file", "-t", commit]);
  if (known?.text.trim() !== "commit") return undefined;
  const [log, lost, files] = [
    git(["log", "--format=%h%x09%s", "--no-show-signature", `${commit}..${head}`]),
    git(["log", "--format=%h%x09%s", "--no-show-signature", `${head}..${commit}`]),
    git([
      "diff",
      "--name-status",
      "--no-renames",
      "--no-ext-diff",
      "--no-textconv",
      "--ignore-submodules=all",
      commit,
      head,
      "--",
    ]),
  ];
  if (log?.complete !== true || lost?.complete !== true) return undefined;
  const [commits, missing] = [commitLines(log.text), commitLines(lost.text)];
  const names = linesOf(files?.text ?? "").map((line) => line.replace("\t", " "));
  return {
    commits: commits.slice(0, MOST_COMMITS),
    moreCommits: Math.max(0, commits.length - MOST_COMMITS),
    lost: missing
      .slice(0, MOST_LOST)
      .map((one) => ({ ...one, here: commits.find(({ subject }) => subject === one.subject)?.commit })),
    moreLost: Math.max(0, missing.length - MOST_LOST),
    files: names.slice(0, MOST_FILES),
    moreFiles: Math.max(0, names.length - MOST_FILES),
  };
}

function commitLines(log: string): CommitLine[] {
  return linesOf(log).map((line) => ({
    commit: line.slice(0, line.indexOf("\t")),
    subject: line.slice(line.indexOf("\t") + 1).slice(0, 120),
  }));
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Does not follow a link out of the checkout. */
function hashOf(root: string, file: string): string | undefined {
  const full = path.resolve(root, file);
  if (!full.startsWith(`${root}${path.sep}`)) return undefined;
  try {
    const stat = fs.lstatSync(full, { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size > LARGEST_BYTES) return undefined;
    return createHash("sha256").update(fs.readFileSync(full)).digest("hex");
  } catch (error) {
    // Unreadable, or removed between the two calls: no hash to compare.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
