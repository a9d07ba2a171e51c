import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { RepositoryChanges, RepositoryState } from "../../core/checkpoints/changes.ts";
import type { DirtyFile, GitState } from "../../core/checkpoints/checkpoint.ts";
import { findCheckout, type GitPlace, readSmall } from "./checkout.ts";
import { type AskGit, plainGit } from "./plain-git.ts";

export interface RepositoryStateParts {
  readonly cwd: string;
  /** Beginning of the path of an empty repository that git is run in. */
  readonly emptyRepository: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const BUDGET_MS = 5_000;
const MOST_DIRTY = 100;
const MOST_COMMITS = 20;
const MOST_FILES = 40;
const LARGEST_BYTES = 32 << 20;

/** The checkout as it is, over git that runs nothing of the repository's own. */
export function openRepositoryState({ cwd, emptyRepository, environment }: RepositoryStateParts): RepositoryState {
  const checkout = findCheckout(cwd);
  const { git: place, root } = checkout;
  if (place === undefined) return { now: () => undefined, since: () => undefined, hash: () => undefined };
  const deadline = performance.now() + BUDGET_MS;
  const git = plainGit({ ...checkout, git: place }, emptyRepository, environment, () => deadline - performance.now());
  return {
    now: () => present(git, place, root),
    since: (commit) => (/^[0-9a-f]{7,64}$/u.test(commit) && place.head !== undefined ? changesSince(git, commit, place.head) : undefined),
    hash: (file) => hashOf(root, file),
  };
}

function present(git: AskGit, place: GitPlace, root: string): GitState {
  const branch = /^ref: refs\/heads\/(.+)$/mu.exec(readSmall(path.join(place.own, "HEAD")))?.[1]?.trim();
  const stash = /^[0-9a-f]{40,64}$/mu.exec(readSmall(path.join(place.common, "refs", "stash")))?.[0];
  const all = dirtyFiles(git, place, root);
  return { commit: place.head, branch, stash, dirty: all.slice(0, MOST_DIRTY), more: Math.max(0, all.length - MOST_DIRTY) };
}

const STATES: Readonly<Record<string, DirtyFile["state"]>> = { A: "added", D: "deleted" };

function dirtyFiles(git: AskGit, place: GitPlace, root: string): DirtyFile[] {
  const changed = place.head === undefined ? undefined : git(["diff", "--name-status", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", place.head, "--"]);
  const words = (changed?.text ?? "").split("\0");
  const out: DirtyFile[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [letter = "", file = ""] = [words[i]?.trim(), words[i + 1]];
    if (file !== "") out.push({ path: file, state: STATES[letter] ?? "modified", hash: letter === "D" ? undefined : hashOf(root, file) });
  }
  const untracked = git(["ls-files", "--others", "--exclude-standard", "-z"]);
  for (const file of (untracked?.text ?? "").split("\0").filter((name) => name !== "")) out.push({ path: file, state: "untracked", hash: hashOf(root, file) });
  return out;
}

function changesSince(git: AskGit, commit: string, head: string): RepositoryChanges | undefined {
  const known = git(["cat-file", "-t", commit]);
  if (known?.text.trim() !== "commit") return undefined;
  const [log, lost, files] = [
    git(["log", "--format=%h%x09%s", "--no-show-signature", `${commit}..${head}`]),
    git(["rev-list", "--count", `${head}..${commit}`]),
    git(["diff", "--name-status", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", commit, head, "--"]),
  ];
  if (log?.complete !== true || lost?.complete !== true) return undefined;
  const commits = linesOf(log.text).map((line) => ({ commit: line.slice(0, line.indexOf("\t")), subject: line.slice(line.indexOf("\t") + 1).slice(0, 120) }));
  const names = linesOf(files?.text ?? "").map((line) => line.replace("\t", " "));
  return {
    commits: commits.slice(0, MOST_COMMITS), moreCommits: Math.max(0, commits.length - MOST_COMMITS),
    diverged: Number(lost.text.trim()) > 0,
    files: names.slice(0, MOST_FILES), moreFiles: Math.max(0, names.length - MOST_FILES),
  };
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Never through a link out of the checkout. */
function hashOf(root: string, file: string): string | undefined {
  const full = path.resolve(root, file);
  if (!full.startsWith(`${root}${path.sep}`)) return undefined;
  try {
    const stat = fs.lstatSync(full, { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size > LARGEST_BYTES) return undefined;
    return createHash("sha256").update(fs.readFileSync(full)).digest("hex");
  } catch (error) {
    // Unreadable, or gone between the two calls: then there is no hash to compare.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
