import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { CommitMark } from "../../core/notes/claims/claim.ts";
import type { AskGit } from "./plain-git.ts";
import type { AnswerCache } from "./cache.ts";
import type { Checkout } from "./checkout.ts";

/** The shared state of one look at a tree. */
export interface Look {
  readonly checkout: Checkout;
  /** Always returns `undefined` without git. */
  readonly git: AskGit;
  /** The commit checked out. */
  readonly head: string | undefined;
  readonly cache: AnswerCache;
  /** The time limit of the whole look (ms); a search that did not finish within it before is not started again. */
  readonly budgetMs: number;
  /** Every tracked file, requested from git once; `undefined` if git could not answer. */
  readonly tracked: () => readonly TrackedFile[] | undefined;
}

export interface TrackedFile {
  readonly path: string;
  /** Deliberately missing from the working tree (sparse checkout). */
  readonly skipped: boolean;
}

/** The parsed output of `git ls-files -t -z`. */
export function listTracked(git: AskGit): readonly TrackedFile[] | undefined {
  const answer = git(["ls-files", "-t", "-z"]);
  if (answer?.complete !== true) return undefined;
  return answer.text
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => ({ path: entry.slice(2), skipped: entry.startsWith("S") }));
}

/** Files that are tracked, or new and not ignored. */
export function listFiles(git: AskGit): readonly string[] | undefined {
  const answer = git(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
  if (answer?.complete !== true) return undefined;
  return [...new Set(answer.text.split("\0").filter((file) => file !== ""))];
}

/** Cached for a question without an answer: the longest time it was given (ms), and how often it was tried. */
interface Tried {
  readonly tried: number;
  readonly times: number;
}

/** A busy machine may succeed next time; a very long history never will. */
const MOST_TRIES = 4;

/** The cache entry after another attempt without an answer. */
export function triedAgain(before: unknown, budgetMs: number): Tried {
  return isTried(before) && before.tried >= budgetMs
    ? { tried: before.tried, times: before.times + 1 }
    : { tried: budgetMs, times: 1 };
}

/** Whether the cache shows that asking again with no more time is useless. */
export function isInVain(answer: unknown, budgetMs: number): boolean {
  return isTried(answer) && answer.tried >= budgetMs && answer.times >= MOST_TRIES;
}

function isTried(value: unknown): value is Tried {
  return (
    typeof value === "object" &&
    value !== null &&
    "tried" in value &&
    typeof value.tried === "number" &&
    "times" in value &&
    typeof value.times === "number"
  );
}

/** A commit and those of its files that were asked for. */
export interface FileChange extends CommitMark {
  /** Full id. */
  readonly id: string;
  readonly files: readonly string[];
}

const FORMAT = "--format=%x1e%H%x1f%h%x1f%cs%x1f";

/** Commits up to `head`, newest first, that deleted files matching the pathspecs. */
export function deletions(
  git: AskGit,
  head: string,
  pathspecs: readonly string[],
): { readonly changes: readonly FileChange[]; readonly complete: boolean } | undefined {
  const answer = git([
    "log",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--diff-filter=D",
    "--name-only",
    "-z",
    FORMAT,
    head,
    "--",
    ...pathspecs,
  ]);
  return answer === undefined ? undefined : { changes: changesOf(answer.text), complete: answer.complete };
}

/** The renames in each of the commits: old name to new name, by commit id. */
export function renames(
  git: AskGit,
  ids: readonly string[],
): ReadonlyMap<string, ReadonlyMap<string, string>> | undefined {
  const answer = git([
    "log",
    "--no-walk=unsorted",
    "-M",
    "--no-ext-diff",
    "--no-textconv",
    "--diff-filter=R",
    "--name-status",
    "-z",
    FORMAT,
    ...ids,
  ]);
  if (answer?.complete !== true) return undefined;
  return new Map(changesOf(answer.text).map(({ id, files }) => [id, pairsOf(files)]));
}

function changesOf(text: string): FileChange[] {
  return text
    .split("\x1e")
    .slice(1)
    .flatMap((record): FileChange[] => {
      const [id = "", commit = "", date = "", names] = record.split("\x1f");
      // Cut off by the time limit: the last name may be incomplete.
      if (names === undefined) return [];
      return [
        {
          id,
          commit,
          date,
          files: names
            .split("\0")
            .slice(0, -1)
            .map((name) => name.replace(/^\n+/u, ""))
            .filter((name) => name !== ""),
        },
      ];
    });
}

/** `R100`, old, new, repeated. */
function pairsOf(words: readonly string[]): Map<string, string> {
  const out = new Map<string, string>();
  for (let i = 0; i + 2 < words.length; i++) {
    if (!/^R\d+$/u.test(words[i] ?? "")) continue;
    out.set(words[i + 1] ?? "", words[i + 2] ?? "");
    i += 2;
  }
  return out;
}

/** A pathspec for a path anywhere in the tree, with every character taken literally. */
export function anywhere(wanted: string): string {
  const escaped = wanted.replace(/[\\*?[\]]/gu, String.raw`\$&`);
  return `:(top,glob)**/${escaped}${wanted.endsWith("/") ? "**" : ""}`;
}

export function exactly(wanted: string): string {
  return `:(top,literal)${wanted}`;
}

/** Files of the checked-out commit that are no longer in the working tree. */
interface Uncommitted {
  readonly removed: readonly string[];
  /** Renames known from git or from equal content: old name to new name. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The most untracked files compared with the contents of removed ones. */
const MOST_CANDIDATES = 200;

const LARGEST_CANDIDATE_BYTES = 4 << 20;

/** Files removed or renamed since the commit, staged or not; `undefined` if there was not enough time. */
export function uncommittedChanges({ git, head, checkout: { root } }: Look): Uncommitted | undefined {
  if (head === undefined) return { removed: [], renamed: new Map() };
  const answer = git([
    "diff",
    "--raw",
    "-z",
    "-M",
    "--no-abbrev",
    "--diff-filter=DR",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
    head,
    "--",
  ]);
  if (answer?.complete !== true) return undefined;
  const words = answer.text.split("\0");
  const removed = new Map<string, string>();
  const plain: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const [, , blob = "", , letter = ""] = (words[i] ?? "").split(" ");
    if (!(words[i] ?? "").startsWith(":")) continue;
    removed.set(words[i + 1] ?? "", letter.startsWith("R") ? "" : blob);
    if (letter.startsWith("R")) plain.push(letter, words[i + 1] ?? "", words[i + 2] ?? "");
  }
  const renamed = pairsOf(plain);
  const bare = new Map([...removed].filter(([, blob]) => blob !== ""));
  if (bare.size > 0) {
    const untracked = git(["ls-files", "--others", "--exclude-standard", "-z"]);
    if (untracked?.complete !== true) return undefined;
    for (const [from, to] of movedFiles(
      root,
      bare,
      untracked.text.split("\0").filter((name) => name !== ""),
    ))
      renamed.set(from, to);
  }
  return { removed: [...removed.keys()], renamed };
}

/** Removed files whose exact content is in an untracked file with the same extension. */
function movedFiles(
  root: string,
  removed: ReadonlyMap<string, string>,
  untracked: readonly string[],
): Map<string, string> {
  const endings = new Set([...removed.keys()].map((file) => path.extname(file)));
  const byBlob = new Map<string, string>();
  for (const file of untracked.filter((name) => endings.has(path.extname(name))).slice(0, MOST_CANDIDATES)) {
    const stat = fs.lstatSync(path.join(root, file), { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size > LARGEST_CANDIDATE_BYTES || stat.size === 0) continue;
    const content = fs.readFileSync(path.join(root, file));
    const sample = [...removed.values()][0] ?? "";
    byBlob.set(
      createHash(sample.length === 64 ? "sha256" : "sha1")
        .update(`blob ${content.byteLength}\0`)
        .update(content)
        .digest("hex"),
      file,
    );
  }
  return new Map(
    [...removed].flatMap(([from, blob]): [string, string][] => {
      const to = byBlob.get(blob);
      return to === undefined ? [] : [[from, to]];
    }),
  );
}
