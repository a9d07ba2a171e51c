import type { CommitMark } from "../../core/notes/claims/working-tree.ts";
import type { AskGit } from "./plain-git.ts";

/** A commit and the files of it that were asked for. */
export interface FileChange extends CommitMark {
  /** Full id. */
  readonly id: string;
  readonly files: readonly string[];
}

const FORMAT = "--format=%x1e%H%x1f%h%x1f%cs%x1f";

/** Commits up to `head`, newest first, that deleted files which fit the pathspecs. */
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

/** What each of the commits renamed: old name to new name, by commit id. */
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
      // Cut off by the end of the time: the last name may be half a name.
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

/** `R100`, old, new, and again. */
export function pairsOf(words: readonly string[]): Map<string, string> {
  const out = new Map<string, string>();
  for (let i = 0; i + 2 < words.length; i++) {
    if (!/^R\d+$/u.test(words[i] ?? "")) continue;
    out.set(words[i + 1] ?? "", words[i + 2] ?? "");
    i += 2;
  }
  return out;
}

/** A pathspec for a path anywhere in the tree, every character of it meant as it is. */
export function anywhere(wanted: string): string {
  const escaped = wanted.replace(/[\\*?[\]]/gu, String.raw`\$&`);
  return `:(top,glob)**/${escaped}${wanted.endsWith("/") ? "**" : ""}`;
}

export function exactly(wanted: string): string {
  return `:(top,literal)${wanted}`;
}
